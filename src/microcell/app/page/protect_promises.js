// Promises about confidential columns: rows that can be added, each with what it is for.

import { number_control, select_control } from "./controls.js";
import { el, fill, uid } from "./dom.js";
import { draft_field, rebuilt } from "./field.js";
import { promises_of, rows_of } from "./promise_rows.js";
import { option_field } from "./protect_options.js";
import { href } from "./steps.js";
import { has, t } from "./texts.js";

const FIRST = { p: 2, l: 2, c: 2, t: 0.3, alpha: 0.8, delta: 1, beta: 2 }; // what a new row promises
const COMMON = ["l-diversity", "t-closeness"]; // come first
const WHOLE = ["p", "l"];

export function promises_section(form, catalogue, case_id) {
  const models = catalogue.promises;
  const read = (draft) => rows_of(draft.promises, models);
  const change = (alter, typing) => form.edit((entries) => {
    const rows = read(entries);
    alter(rows);
    entries.promises = promises_of(rows);
    if (!rows.length) delete entries.enforce;
  }, typing);
  const remove = (place) => {
    change((all) => all.splice(place, 1));
    focus_soon(".add-promise select");
  };
  const rows = rebuilt(({ draft }) => [read(draft).map(({ name }) => name), draft.confidential], ({ draft }) =>
    el("ul", { class: "promise-rows" }, read(draft).map((row, place) =>
      promise_row(form, models.find(({ name }) => name === row.name), { row, place, draft, read, remove: () => remove(place) }))));
  const enforce = rebuilt(({ draft }) => read(draft).length > 0, ({ draft, ...rest }) =>
    read(draft).length > 0 && option_field(form, catalogue, catalogue.options.find(({ name }) => name === "enforce"), { draft, ...rest }).node);
  const focus_soon = (selector) => setTimeout(() => [...node.querySelectorAll(selector)].at(-1)?.focus());
  const adder = add_row(common_first(models.filter(({ of_column }) => of_column)), (name) => {
    change((all) => all.push({ name, values: first_values(models.find((model) => model.name === name)) }));
    focus_soon(".promise-row .field:first-child input");
  });
  const none = el("p", { class: "notice" }, t("protect.promises.no_confidential"), " ", el("a", { href: href(case_id, "columns") }, t("protect.to_columns")));
  const node = el("section", { class: "card" }, el("h2", {}, t("protect.promises.title")), el("p", { class: "intro" }, t("protect.promises.intro")),
    none, rows.node, adder, enforce.node);
  return { node, sync(doc) {
    const some = (doc.draft.confidential ?? []).length > 0;
    none.hidden = some;
    adder.hidden = !some;
    rows.sync(doc);
    enforce.sync(doc);
  } };
}

function common_first(models) {
  const place = ({ name }) => (COMMON.includes(name) ? COMMON.indexOf(name) : COMMON.length);
  return [...models].sort((a, b) => place(a) - place(b));
}

const first_values = (model) => Object.fromEntries(model.parameters.filter(({ required }) => required).map(({ name }) => [name, FIRST[name] ?? 1]));

export const promise_title = (name) => (has(`protect.promises.models.${name}.title`) ? t(`protect.promises.models.${name}.title`) : name);

function add_row(models, add) {
  const id = uid("add");
  const select = el("select", { id }, models.map(({ name }) => el("option", { value: name }, promise_title(name))));
  const says = el("p", { class: "hint" });
  const say = () => fill(says, sentence_of(models.find(({ name }) => name === select.value)));
  select.addEventListener("change", say);
  if (models.length) say();
  return el("div", { class: "field add-promise" }, el("label", { for: id }, t("protect.promises.add_label")),
    el("div", { class: "row nowrap" }, select, el("button", { type: "button", class: "button", on: { click: () => add(select.value) } }, t("protect.promises.add"))), says);
}

function sentence_of(model) {
  if (!model) return "";
  return has(`protect.promises.models.${model.name}.text`) ? t(`protect.promises.models.${model.name}.text`) : model.summary;
}

function promise_row(form, model, { row, place, draft, read, remove }) {
  const confidential = draft.confidential ?? [];
  const fields = (model?.parameters ?? []).filter(({ required }) => required).map(({ name }) => draft_field(form, {
    option: "promises", also: [name], label: t(`protect.promises.parameters.${name}`), quiet: true,
    make: (tell) => number_control(tell, WHOLE.includes(name) && row.name !== "entropy-l-diversity" ? { min: 1, step: 1 } : { min: 0 }),
    read: (entries) => read(entries)[place]?.values[name],
    write: (entries, value) => write_into(entries, read, place, name, value),
  }));
  if (model?.of_column && confidential.length > 1) {
    fields.push(draft_field(form, {
      option: "promises", column: row.values.column, label: t("protect.promises.of"), quiet: true,
      make: (tell) => select_control(tell, [[null, t("protect.promises.each")], ...confidential.map((name) => [name, name])]),
      read: (entries) => read(entries)[place]?.values.column,
      write: (entries, value) => write_into(entries, read, place, "column", value),
    }));
  }
  const button = el("button", { type: "button", class: "button small quiet", "aria-label": t("protect.promises.remove_this", { name: promise_title(row.name) }), on: { click: remove } }, t("protect.promises.remove"));
  return el("li", { class: "promise-row" }, el("div", { class: "spread" }, el("h3", {}, promise_title(row.name)), button),
    el("p", { class: "hint" }, sentence_of(model)), el("div", { class: "fields narrow" }, fields.map(({ node }) => node)));
}

function write_into(entries, read, place, name, value) {
  const rows = read(entries);
  if (!rows[place]) return;
  const values = { ...rows[place].values };
  if (value === null) delete values[name];
  else values[name] = value;
  rows[place].values = values;
  entries.promises = promises_of(rows);
}
