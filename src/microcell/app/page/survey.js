// Whom k counts, and sampling weights: two questions about the table, not about one column.

import { el, fill, uid } from "./dom.js";
import { shortened } from "./singling.js";
import { t } from "./texts.js";

export function survey_card(inspection, store, id) {
  const unit = field("unit", inspection, (value) => store.edit(id, (entries) => set(entries, "unit", value)));
  const weights = field("weights", inspection, (value) => store.edit(id, (entries) => {
    set(entries, "weights", value);
    const known = ["quasi_identifiers", "confidential"].some((list) => entries[list]?.includes(value));
    if (value && !known && !entries.identifiers?.includes(value)) entries.identifiers = [...(entries.identifiers ?? []), value];
    if (value && Array.isArray(entries.others)) entries.others = entries.others.filter((name) => name !== value);
  }));
  const node = el("section", { class: "card" }, el("h2", {}, t("columns.survey.title")), el("div", { class: "stack" }, unit.node, weights.node));
  const update = (entries, problem) => {
    for (const one of [unit, weights]) one.update(entries, problem);
  };
  return { node, update };
}

function set(entries, option, value) {
  if (value) entries[option] = value;
  else delete entries[option];
}

function field(option, inspection, change) {
  const id = uid(option);
  const names = inspection.columns.map((column) => column.name);
  if (option === "unit" && !names.includes("records")) names.unshift("records");
  const select = el("select", { id, "aria-describedby": `${id}-hint`, on: { change: () => change(select.value || null) } });
  fill(select, el("option", { value: "" }, t(`columns.survey.${option}_none`)),
    names.map((name) => el("option", { value: name }, name === "records" ? t("columns.survey.records") : shortened(name))));
  const reason = option === "unit" && inspection.unit ? inspection.unit_reason : "";
  const said = el("p", { class: "problem", role: "alert", hidden: true });
  const node = el("div", { class: "field" }, el("label", { for: id }, t(`columns.survey.${option}`)), select, said,
    el("p", { class: "hint", id: `${id}-hint` }, t(`columns.survey.${option}_help`)), reason ? el("p", { class: "hint" }, reason) : null);
  const update = (entries, problem) => {
    select.value = entries?.[option] ?? "";
    const words = problem?.option === option ? problem.message : "";
    node.classList.toggle("wrong", Boolean(words));
    said.textContent = words;
    said.hidden = !words;
  };
  return { node, update };
}
