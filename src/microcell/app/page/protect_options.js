// Options in groups that are folded, made from the library's own list.

import { marks_control, names_control, number_control, select_control, text_control } from "./controls.js";
import { el, fill } from "./dom.js";
import { draft_field, put_value, rebuilt } from "./field.js";
import { per_column } from "./protect_columns.js";
import { DELIMITERS, delimiter_name } from "./reading_options.js";
import { has, named, t } from "./texts.js";

const GROUPS = ["missing", "rare", "people", "published", "numbers", "file"]; // in this order
const EVERY_COLUMN = "*"; // in what a recipe says of columns

/** The groups, each with the options that the library puts there. */
export function option_groups(form, catalogue) {
  const names_of = (group) => catalogue.options.filter((option) => option.group === group).map(({ name }) => name);
  const made = GROUPS.map((group) => option_group(form, catalogue, group, names_of(group)));
  return { node: el("div", { class: "option-groups" }, made.map(({ node }) => node)), sync: (doc) => made.forEach((each) => each.sync(doc)) };
}

function option_group(form, catalogue, group, names) {
  const count = el("span", { class: "chip accent", hidden: true });
  const fields = rebuilt(({ draft, look }) => [draft.quasi_identifiers, draft.identifiers, draft.confidential, look?.columns], (doc) =>
    el("div", { class: "fields" }, names.map((name) => catalogue.options.find((option) => option.name === name)).filter(Boolean)
      .map((option) => option_field(form, catalogue, option, doc).node)));
  const columns = group === "published" ? per_column(form, catalogue) : null;
  const node = el("details", { class: "card option-group" },
    el("summary", {}, el("span", {}, t(`protect.groups.${group}.title`)), el("span", { class: "group-says" }, t(`protect.groups.${group}.says`)), count),
    fields.node, columns?.node);
  return {
    node,
    sync(doc) {
      fields.sync(doc);
      columns?.sync(doc);
      queueMicrotask(() => { // after the fields know whether they were changed
        const n = node.querySelectorAll(".draft-field.changed").length;
        count.hidden = !n;
        fill(count, t("protect.changed", { n }));
      });
    },
  };
}

/** The field of one option, by its form and its choices. */
export function option_field(form, catalogue, option, doc) {
  const { name } = option;
  const standard = option.default ?? null;
  return draft_field(form, {
    option: name,
    label: words(name, "label", name.replaceAll("_", " ")),
    hint: words(name, "hint", option.help),
    standard,
    read: (draft) => draft[name],
    write: (entries, value) => put_value(entries, name, Array.isArray(value) && !value.length ? null : value, standard),
    make: (tell) => control_of(tell, catalogue, option, doc),
  });
}

function words(name, part, otherwise) {
  const key = `protect.options.${name}.${part}`;
  return has(key) ? t(key) : otherwise;
}

/** A choice in plain words, the default marked as such. */
const choice_of = (name) => (value) => [value, words(name, `choices.${named(value)}`, String(value))];

function control_of(tell, catalogue, { name, choices, form }, { draft, look }) {
  const columns = look?.columns ?? [];
  const none = [null, words(name, "none", t("protect.by_default"))];
  const as_is = (value) => [value, value];
  if (choices.length) return select_control(tell, choices.map(choice_of(name)));
  if (name === "unit") return select_control(tell, [none, ...(draft.identifiers ?? []).map(as_is), ["records", words(name, "choices.records", "records")]]);
  if (name === "weights") return select_control(tell, [none, ...columns.filter((column) => !draft.quasi_identifiers?.includes(column)).map(as_is)]);
  if (name === "decimal") return select_control(tell, [none, ...[".", ","].map(choice_of(name))]);
  if (name === "refine") return select_control(tell, [[null, words(name, "choices.no", "no")], ...["yes", "long"].map(choice_of(name))]);
  if (name === "measures") return select_control(tell, ["quick", "all", "none"].map(choice_of(name)));
  if (name === "output_delimiter") return select_control(tell, [none, ...DELIMITERS.filter((mark) => mark !== " ").map((mark) => [mark, delimiter_name(mark)])]);
  if (name === "output_encoding") return select_control(tell, [none, ...(catalogue.encodings ?? []).map(as_is)]);
  if (name === "strata") {
    const apart = [...(draft.identifiers ?? []), ...(draft.confidential ?? [])];
    return names_control(tell, columns.filter((column) => !apart.includes(column)));
  }
  if (form === "marks") return marks_control(tell, t("protect.marks_example"), (column) => (column === EVERY_COLUMN ? t("protect.every_column") : column));
  if (form === "count") return number_control(tell, { min: 0, step: 1, placeholder: t("protect.by_default") });
  if (form === "names") return names_control(tell, columns);
  return text_control(tell, { placeholder: t("protect.by_default") });
}
