// Protect: what is promised, by which method, with which options; the recipe grows beside it.

import { el, fill } from "./dom.js";
import { DraftForm } from "./field.js";
import { k_section } from "./protect_k.js";
import { method_section } from "./protect_method.js";
import { option_groups } from "./protect_options.js";
import { promises_section } from "./protect_promises.js";
import { promise_sentence } from "./promise_sentence.js";
import { recipe_view } from "./recipe_view.js";
import { repairs } from "./repairs.js";
import { href } from "./steps.js";
import { t } from "./texts.js";

let screen = null;

export async function show(main, doc, { store }) {
  if (!doc.draft) {
    fill(main, el("h1", {}, t("protect.title")), el("p", { class: "empty" }, t("protect.no_draft")),
      el("a", { class: "button", href: href(doc.id, "file") }, t("protect.to_file")));
    return;
  }
  screen = protect_screen(store, await store.catalogue(), doc.id);
  fill(main, screen.node);
  screen.sync(doc);
}

export function update(doc) {
  if (doc?.draft) screen?.sync(doc);
}

export function leave() {
  screen = null;
}

function protect_screen(store, catalogue, id) {
  const form = new DraftForm(store, id);
  const parts = [
    promise_sentence(catalogue),
    k_section(form, catalogue),
    method_section(form, catalogue),
    promises_section(form, catalogue, id),
    option_groups(form, catalogue),
  ];
  const problem = problem_summary(form, store, id);
  const recipe = recipe_view();
  const [sentence, ...sections] = parts.map(({ node }) => node);
  sections.splice(3, 0, el("h2", { class: "options-title" }, t("protect.options_title")));
  const next = el("div", { class: "next" }, el("p", {}, t("protect.next")),
    el("a", { class: "button", href: href(id, "release") }, t("protect.to_release")),
    el("a", { class: "button primary", href: href(id, "compare") }, t("protect.to_compare")));
  const node = el("div", {}, el("h1", {}, t("protect.title")), el("p", { class: "lead" }, t("protect.lead")), problem.node, sentence,
    el("div", { class: "with-side" }, el("div", { class: "stack" }, sections), el("aside", { "aria-label": t("protect.recipe.title") }, recipe.node)), next);
  return { node, sync(doc) {
    for (const part of parts) part.sync(doc);
    form.sync(doc);
    problem.sync(doc);
    recipe.sync(doc);
  } };
}

/** What is wrong with the draft, with a way to the field that it is about. */
function problem_summary(form, store, id) {
  const node = el("div", { class: "problem-summary", role: "alert" });
  return { node, sync({ checked }) {
    const error = checked?.error;
    const key = error ? JSON.stringify(error) : "";
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    if (!error) return void fill(node);
    fill(node, el("div", { class: "notice bad" }, el("h2", {}, t("protect.wrong")), el("p", {}, error.message), repairs(error, store, id), way_to(form, id, error)));
  } };
}

const OF_COLUMNS = ["quasi_identifiers", "identifiers", "confidential", "others", "kinds", "hierarchies"];
const OF_FILE = ["format", "delimiter", "encoding", "sheet"];

/** The way to what an error is about: a field here, or another step. */
function way_to(form, id, error) {
  if (form.field_of(error)) {
    return el("button", { type: "button", class: "button small", on: { click: () => form.field_of(error)?.focus() } }, t("protect.go_there"));
  }
  if (OF_FILE.includes(error.option)) return el("a", { class: "button small", href: href(id, "file") }, t("protect.to_file"));
  const of_columns = error.column || OF_COLUMNS.includes(error.option);
  return of_columns && el("a", { class: "button small", href: href(id, "columns") }, t("protect.to_columns"));
}
