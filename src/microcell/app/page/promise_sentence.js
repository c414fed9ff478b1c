// What is promised now, in the words of somebody who has to answer for it.

import { el, fill, isolated } from "./dom.js";
import { rows_of } from "./promise_rows.js";
import { has, list, t } from "./texts.js";

export function promise_sentence(catalogue) {
  const node = el("div", { class: "promised", role: "status" });
  return { node, sync({ draft }) {
    const words = [main_sentence(catalogue, draft), ...rows_of(draft.promises, catalogue.promises).map((row) => row_sentence(row))];
    const key = words.join("\n");
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    fill(node, el("p", { class: "eyebrow" }, t("protect.promised")), el("p", { class: "promise-words" }, words[0]),
      words.length > 1 && el("ul", {}, words.slice(1).map((each) => el("li", {}, each))));
  } };
}

/** What k and the method promise. */
export function main_sentence(catalogue, draft) {
  const columns = list((draft.quasi_identifiers ?? []).map(isolated));
  const k = draft.k >= 2 ? draft.k : "?"; // less hides nobody
  const weaker = weaker_promise(catalogue, draft);
  if (weaker) return t(weaker, { k, columns });
  const by_unit = draft.unit && draft.unit !== "records";
  return t(by_unit ? "protect.sentence.unit" : "protect.sentence.people", { k, columns, unit: draft.unit ?? "" });
}

/** The text of what a method keeps instead of k for the whole table, or null. */
export function weaker_promise(catalogue, { method, parameters, k }) {
  if (catalogue.methods.find(({ name }) => name === method)?.differentially_private) return "protect.sentence.differentially_private";
  if (has(`protect.methods.${method}.promise`)) return `protect.methods.${method}.promise`;
  if (typeof parameters?.v === "number") return "protect.sentence.block";
  return parameters?.min_k < k ? "protect.sentence.counted" : null;
}

/** What a promise of its own says. */
export function row_sentence({ name, values }) {
  const column = Array.isArray(values.column) ? list(values.column) : values.column ?? t("protect.promises.each_short");
  const key = `protect.promises.models.${name}.promise`;
  const said = Object.fromEntries(Object.entries(values).map(([which, value]) => [which, value ?? "?"]));
  return has(key) ? t(key, { ...said, column }) : `${name} (${Object.entries(values).map(([which, value]) => `${which} = ${value}`).join(", ")})`;
}
