// What will happen, line by line, before anybody presses the button.

import { el, fill, isolated } from "./dom.js";
import { method_summary, method_title } from "./method_words.js";
import { main_sentence, row_sentence } from "./promise_sentence.js";
import { rows_of } from "./promise_rows.js";
import { href } from "./steps.js";
import { list, t } from "./texts.js";

export function release_checklist(catalogue, id) {
  const items = el("ul", { class: "checklist" });
  const node = el("section", { class: "card" }, el("div", { class: "spread" }, el("h2", {}, t("release.check.title")),
    el("a", { href: href(id, "protect") }, t("release.check.change"))), items);
  return { node, sync(doc) {
    const key = JSON.stringify([doc.draft, doc.look?.n_records]);
    if (items.dataset.key === key) return;
    items.dataset.key = key;
    fill(items, lines_of(catalogue, doc).map(([what, line]) => el("li", { class: `check-${what}` },
      el("b", {}, t(`release.check.${what}_title`)), " ", el("span", {}, line))));
  } };
}

const names = (columns) => list(columns.map(isolated));

function lines_of(catalogue, { draft, look, name }) {
  const named = (role) => draft[role] ?? [];
  const others = other_columns(draft, look?.columns ?? []);
  const method = catalogue.methods.find((each) => each.name === draft.method);
  return [
    ["read", t("release.check.read", { n: look?.n_records ?? 0, name })],
    named("identifiers").length && ["out", t("release.check.out", { columns: names(named("identifiers")) })],
    ["mask", t("release.check.mask", { columns: names(named("quasi_identifiers")), method: method ? method_title(method) : String(draft.method), name: draft.method ?? "", summary: method ? method_summary(method) : "" })],
    named("confidential").length && ["as_is", t("release.check.as_is", { columns: names(named("confidential")) })],
    others.kept.length && ["others", t("release.check.kept", { columns: names(others.kept) })],
    others.dropped.length && ["dropped", t("release.check.dropped", { columns: names(others.dropped) })],
    ["promise", [main_sentence(catalogue, draft), ...rows_of(draft.promises, catalogue.promises).map(row_sentence)].join(" ")],
    ["verify", t("release.check.verify")],
  ].filter(Boolean);
}

/** Columns without a role: those that are released as they are, and the rest. */
function other_columns(draft, columns) {
  const roles = ["identifiers", "quasi_identifiers", "confidential"].flatMap((role) => draft[role] ?? []);
  const free = columns.filter((column) => !roles.includes(column));
  const { others } = draft;
  if (others === "keep") return { kept: free, dropped: [] };
  const kept = Array.isArray(others) ? free.filter((column) => others.includes(column)) : [];
  return { kept, dropped: free.filter((column) => !kept.includes(column)) };
}
