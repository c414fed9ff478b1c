// The method: a few to click, all in a list, and the parameters of the one that is chosen.

import { number_control, select_control, value_control } from "./controls.js";
import { el, fill } from "./dom.js";
import { draft_field, put_value, rebuilt } from "./field.js";
import { method_caution, method_summary, method_title, recommended } from "./method_words.js";
import { option_field } from "./protect_options.js";
import { has, t } from "./texts.js";

const CHOICES = { // of parameters that take a word
  mode: ["strict", "relaxed"], cost: ["multivariate", "projected"], target_form: ["posterior", "label"], code: ["mean", "unit"],
  centre: [false, true], bound: ["no", "neighbours", "columns"],
  levels: ["last", "both"], membership: ["fixed", "reassign"],
  collaboration: ["together", "in turn"], space: ["records", "weighted"], codewords: ["cells", "k-means"],
  second_round: [false, true], factors: ["same", "each"], discriminant: ["linear", "bayes"], roulette: ["squared", "distance"],
  function: ["sugeno", "choquet", "owa"],
  quantifier: ["x", "sqrt", "cbrt", "square", "cube", "at-least-half", "most", "as-many-as-possible"],
};
const OR_A_WORD = ["alpha", "lambda_", "views"]; // numbers that may be "auto", or names of columns

export function method_section(form, catalogue) {
  const method_of = (draft) => catalogue.methods.find(({ name }) => name === draft.method);
  const cards = recommended(catalogue.methods).map((method) => method_card(form, method));
  const all = draft_field(form, {
    option: "method", label: t("protect.method.all"), quiet: true,
    make: (tell) => select_control(tell, catalogue.methods.map((method) => [method.name, `${method.name} – ${method.summary}`])),
    read: (draft) => draft.method,
    write: (entries, name) => choose_method(entries, catalogue.methods.find((method) => method.name === name)),
  });
  const caution = el("p", { class: "notice warn", hidden: true });
  const parameters = rebuilt(({ draft }) => [draft.method, draft.confidential], ({ draft }) => parameter_fields(form, method_of(draft), draft));
  const refine = rebuilt(({ draft }) => method_of(draft)?.refinable, (doc) =>
    method_of(doc.draft)?.refinable && option_field(form, catalogue, catalogue.options.find(({ name }) => name === "refine"), doc).node);
  const node = el("section", { class: "card" }, el("h2", {}, t("protect.method.title")), el("p", { class: "intro" }, t("protect.method.intro")),
    el("fieldset", {}, el("legend", { class: "visually-hidden" }, t("protect.method.recommended")), el("div", { class: "method-cards" }, cards.map((card) => card.node))),
    all.node, caution, refine.node, parameters.node);

  function sync(doc) {
    const method = method_of(doc.draft);
    cards.forEach((card) => card.sync(doc));
    const said = method ? method_caution(method) : "";
    caution.hidden = !said;
    fill(caution, said);
    refine.sync(doc);
    parameters.sync(doc);
  }

  return { node, sync };
}

function method_card(form, method) {
  const button = el("input", { type: "radio", name: "method", value: method.name, on: { change: () => form.edit((entries) => choose_method(entries, method)) } });
  const barrier = el("small", { class: "hint" });
  const node = el("label", { class: "method-card" }, button,
    el("span", {}, el("b", {}, method_title(method)), " ", el("code", {}, method.name),
      method.usual && el("span", { class: "chip accent" }, t("protect.method.usual")), el("small", {}, method_summary(method)), barrier));
  return { node, sync({ draft }) {
    const barred = method.needs_target && !(draft.confidential ?? []).length;
    button.checked = draft.method === method.name;
    button.disabled = barred && !button.checked;
    node.classList.toggle("off", button.disabled);
    fill(barrier, barred ? t("protect.method.needs_confidential") : "");
  } };
}

/** Another method has other parameters; a target only where it uses one. */
function choose_method(entries, method) {
  if (entries.method === method.name) return;
  entries.method = method.name;
  delete entries.parameters;
  if (!method.random) delete entries.random_state;
  if (!method.refinable) delete entries.refine;
  const confidential = entries.confidential ?? [];
  if (!method.needs_target) delete entries.target;
  else if (!confidential.includes(entries.target) && confidential.length > 1) entries.target = confidential[0];
}

function parameter_fields(form, method, draft) {
  if (!method) return [];
  const fields = Object.entries(method.parameters).map(([name, standard]) => draft_field(form, {
    option: name,
    label: text_of(name, "label", name),
    hint: text_of(name, "hint", ""),
    standard,
    make: (tell) => control_of(tell, name, standard),
    read: (entries) => entries.parameters?.[name],
    write: (entries, value) => {
      const parameters = { ...(entries.parameters ?? {}) };
      put_value(parameters, name, value, standard);
      entries.parameters = parameters;
    },
  }));
  if (method.needs_target && (draft.confidential ?? []).length > 1) {
    fields.unshift(draft_field(form, {
      option: "target", label: t("protect.method.target"), hint: t("protect.method.target_hint"), quiet: true,
      make: (tell) => select_control(tell, draft.confidential.map((name) => [name, name])),
      read: (entries) => entries.target, write: (entries, value) => { entries.target = value; },
    }));
  }
  return fields.length > 0 && [el("h3", { class: "parameters-title" }, t("protect.method.parameters", { method: method.name })), el("div", { class: "fields" }, fields.map(({ node }) => node))];
}

function control_of(tell, name, standard) {
  if (CHOICES[name]) return select_control(tell, CHOICES[name].map((value) => [value, text_of(name, String(value), String(value))]));
  if (typeof standard === "number" && !OR_A_WORD.includes(name)) return number_control(tell);
  return value_control(tell, standard === null ? t("protect.by_default") : "");
}

function text_of(name, part, otherwise) {
  const key = `protect.parameters.${name}.${part}`;
  return has(key) ? t(key) : otherwise;
}
