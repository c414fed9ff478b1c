// How many people look alike: a number, the usual ones to click, and what they mean.

import { number_control } from "./controls.js";
import { el, fill } from "./dom.js";
import { draft_field } from "./field.js";
import { weaker_promise } from "./promise_sentence.js";
import { has, percent, t } from "./texts.js";

export function k_section(form, catalogue) {
  const { usual, advised } = catalogue.k;
  const buttons = usual.map((k) => el("input", { type: "radio", name: "usual-k", value: k, on: { change: () => form.edit((entries) => { entries.k = k; }) } }));
  const presets = el("fieldset", { class: "k-presets" }, el("legend", { class: "visually-hidden" }, t("protect.k.usual")),
    buttons.map((button, place) => el("label", {}, button,
      el("span", {}, el("b", {}, usual[place]), el("small", {}, has(`protect.k.presets.${usual[place]}`) ? t(`protect.k.presets.${usual[place]}`) : "")))));
  const field = draft_field(form, {
    option: "k", label: t("protect.k.label"), quiet: true,
    make: (tell) => number_control(tell, { min: 2, step: 1 }),
    read: (draft) => draft.k,
    write: (entries, value) => {
      if (value === null) delete entries.k;
      else entries.k = value;
    },
  });
  const meaning = el("p", { class: "k-meaning" });
  const node = el("section", { class: "card" }, el("h2", {}, t("protect.k.title")), el("p", { class: "intro" }, t("protect.k.intro")),
    el("div", { class: "k-row" }, presets, field.node), meaning,
    el("details", {}, el("summary", {}, t("protect.k.how")), el("ul", { class: "hint" }, ["trust", "public", "small", "compare"].map((part) => el("li", {}, t(`protect.k.how_${part}`, advised))))));

  function sync({ draft, look }) {
    buttons.forEach((button) => { button.checked = Number(button.value) === draft.k; });
    const known = Number.isInteger(draft.k) && draft.k >= 2 && !weaker_promise(catalogue, draft);
    const by_unit = Boolean(draft.unit) && draft.unit !== "records";
    const n = by_unit ? null : look?.n_records;
    fill(meaning, known ? t(by_unit ? "protect.k.meaning_unit" : "protect.k.meaning", { unit: draft.unit ?? "", share: percent(1 / draft.k), k: draft.k }) : "",
      known && n ? ` ${t("protect.k.cells", { n: Math.max(1, Math.floor(n / draft.k)) })}` : "");
  }

  return { node, sync };
}
