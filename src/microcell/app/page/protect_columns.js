// What is published of each masked column: as what, within which limits, how exact.

import { number_control, select_control, text_control } from "./controls.js";
import { el } from "./dom.js";
import { draft_field, rebuilt } from "./field.js";
import { has, t } from "./texts.js";

/** The kind of a column: what was said, or what was found. */
export function kind_of({ draft, look }, name) {
  const said = own(draft.kinds, name);
  if (Array.isArray(said)) return "ordinal";
  if (own(draft.hierarchies, name)) return "hierarchy";
  return said ?? look?.inspection?.columns.find((column) => column.name === name)?.kind ?? "numeric";
}

/** A fold for each quasi-identifier. */
export function per_column(form, catalogue) {
  const kinds = (doc) => (doc.draft.quasi_identifiers ?? []).map((name) => [name, kind_of(doc, name)]);
  return rebuilt(kinds, (doc) => [
    el("h3", { class: "per-column-title" }, t("protect.per_column.title")),
    el("p", { class: "hint" }, t("protect.per_column.hint")),
    kinds(doc).map(([name, kind]) =>
      el("fieldset", { class: "per-column" }, el("legend", {}, name, " ", el("span", { class: "chip" }, kind)),
        el("div", { class: "fields narrow" }, fields_of(form, catalogue, name, kind).map(({ node }) => node)))),
  ]);
}

/** The library says which options a column has, by its kind. */
function fields_of(form, catalogue, column, kind) {
  const is = catalogue.kinds.find(({ name }) => name === kind) ?? {};
  const options = catalogue.options.filter(({ group, of_kind }) => group === "column" && (!of_kind || is[of_kind]));
  return options.flatMap((option) => (option.name === "clip"
    ? [limit_field(form, column, 0), limit_field(form, column, 1)]
    : [pair_field(form, column, option, (tell) => control_of(tell, option, catalogue.representatives[kind] ?? []))]));
}

function control_of(tell, { name, form }, representatives) {
  const said = (key, otherwise) => (has(key) ? t(key) : otherwise);
  if (name === "representatives") {
    const choice = (way) => [way, said(`protect.options.aggregate.choices.${way}`, way)];
    return select_control(tell, [[null, t("protect.per_column.usual")], ...representatives.map(choice)]);
  }
  const placeholder = said(`protect.per_column.examples.${name}`, null);
  return (form === "texts" ? text_control : number_control)(tell, { placeholder });
}

function pair_field(form, column, { name: option, help }, make) {
  const label = `protect.per_column.${option}`;
  return draft_field(form, {
    option, column, make,
    label: has(label) ? t(label) : option,
    hint: has(label) ? "" : help,
    read: (draft) => own(draft[option], column),
    write: (entries, value) => put_pair(entries, option, column, value),
  });
}

/** A column may have any name, "constructor" and "__proto__" too. */
const own = (pairs, column) => (pairs && Object.hasOwn(pairs, column) ? pairs[column] : undefined);

function put_pair(entries, option, column, value) {
  const rest = Object.entries(entries[option] ?? {}).filter(([name]) => name !== column);
  const there = value === null || value === undefined ? [] : [[column, value]];
  entries[option] = Object.fromEntries([...rest, ...there]);
}

/** One end of the limits of a column, which a recipe writes as "low:high". */
function limit_field(form, column, end) {
  const both = (draft) => {
    const given = own(draft.clip, column);
    if (Array.isArray(given)) return given.map((limit) => limit ?? "");
    if (!given) return ["", ""];
    const at = String(given).indexOf(":");
    return [given.slice(0, at), given.slice(at + 1)];
  };
  return draft_field(form, {
    option: "clip", column,
    label: t(end ? "protect.per_column.high" : "protect.per_column.low"),
    make: (tell) => text_control(tell, { placeholder: t("protect.per_column.no_limit") }),
    read: (draft) => both(draft)[end] || null,
    write: (entries, value) => {
      const limits = both(entries);
      limits[end] = value ?? "";
      put_pair(entries, "clip", column, limits.some((limit) => limit !== "") ? limits.join(":") : null);
    },
  });
}
