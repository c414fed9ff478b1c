// What to compare: methods, values of k, and perhaps a column that a model learns.

import { el, fill, uid } from "./dom.js";
import { keep, recall } from "./memory.js";
import { method_summary, method_title, why_not_compared } from "./method_words.js";
import { list, t } from "./texts.js";

const KS = [3, 5, 10, 25, 50];

/** The form; `start(body)` is called with what the server takes. */
export function compare_form(catalogue, doc, start) {
  const name = `compare ${doc.id}`;
  const wanted = recall(name, null) ?? asked_before(doc) ?? usual(catalogue, doc);
  const node = el("form", { class: "compare-form", on: { submit: (event) => {
    event.preventDefault();
    if (ready()) start({ methods: wanted.methods, k: wanted.k, label: wanted.label });
  } } });
  const count = el("p", { class: "muted", "aria-live": "polite" });
  const go = el("button", { type: "submit", class: "button primary" });
  const methods = el("div", { class: "stack" });
  const ks = el("fieldset", { class: "pills" });
  const label = el("select", { id: uid("label"), on: { change: () => set({ label: label.value || null }) } });
  let drawn = "";

  const ready = () => wanted.methods.length > 0 && wanted.k.length > 0;

  function set(change) {
    Object.assign(wanted, change);
    keep(name, wanted);
    say();
  }

  function say() {
    const n = wanted.methods.length * wanted.k.length;
    fill(count, ready() ? t("compare.count", { n, methods: wanted.methods.length, ks: wanted.k.length }) : t("compare.nothing"));
    go.disabled = !ready() || busy;
  }

  let busy = false;

  function toggle_method(method, on) {
    const rest = wanted.methods.filter((other) => other !== method);
    set({ methods: on ? [...rest, method] : rest });
  }

  function draw_methods(draft) {
    const box = (method) => {
      const why = why_not_compared(method, draft);
      if (why) wanted.methods = wanted.methods.filter((other) => other !== method.name);
      return el("label", { class: why ? "check off" : "check" },
        el("input", {
          type: "checkbox", checked: wanted.methods.includes(method.name), disabled: Boolean(why),
          on: { change: (event) => toggle_method(method.name, event.target.checked) },
        }),
        el("span", {}, el("b", {}, method_title(method)), " ", el("code", {}, method.name),
          el("span", { class: "hint" }, why || method_summary(method))));
    };
    const first = catalogue.methods.filter((method) => method.compared);
    const more = catalogue.methods.filter((method) => !method.compared);
    const some_more = more.some((method) => wanted.methods.includes(method.name));
    fill(methods,
      el("fieldset", { class: "method-boxes" }, el("legend", {}, t("compare.methods")), first.map(box)),
      el("details", { open: some_more }, el("summary", {}, t("compare.more_methods", { n: more.length })),
        el("fieldset", { class: "method-boxes" }, el("legend", { class: "visually-hidden" }, t("compare.more_methods", { n: more.length })), more.map(box))));
  }

  function draw_ks(draft) {
    const all = [...new Set([...KS, ...wanted.k, draft.k])].filter(Number.isInteger).sort((a, b) => a - b);
    const other = el("input", { type: "number", min: 2, step: 1, "aria-label": t("compare.other_k"), placeholder: t("compare.other_k_short") });
    const add = () => {
      const k = Number(other.value);
      if (!Number.isInteger(k) || k < 2) return;
      set({ k: [...new Set([...wanted.k, k])].sort((a, b) => a - b) });
      draw_ks(draft);
      ks.querySelector("input[type=number]").focus();
    };
    other.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      add();
    });
    fill(ks, el("legend", {}, t("compare.ks")),
      all.map((k) => el("label", {}, el("input", {
        type: "checkbox", checked: wanted.k.includes(k),
        on: { change: (event) => {
          const rest = wanted.k.filter((each) => each !== k);
          set({ k: event.target.checked ? [...rest, k].sort((a, b) => a - b) : rest });
        } },
      }), el("span", {}, k))),
      el("span", { class: "other-k" }, other, el("button", { type: "button", class: "button small", on: { click: add } }, t("compare.add_k"))));
  }

  function draw_labels(draft) {
    const columns = [...(draft.confidential ?? []), ...(draft.quasi_identifiers ?? [])];
    if (wanted.label && !columns.includes(wanted.label)) wanted.label = null;
    fill(label, el("option", { value: "" }, t("compare.no_label")), columns.map((column) => el("option", { value: column }, column)));
    label.value = wanted.label ?? "";
  }

  /** What the draft allows may change while the form is shown. */
  function sync(news, is_busy) {
    const { draft } = news;
    const key = JSON.stringify([draft.confidential, draft.quasi_identifiers, draft.target, draft.k]);
    if (key !== drawn) {
      drawn = key;
      draw_methods(draft);
      draw_ks(draft);
      draw_labels(draft);
    }
    busy = is_busy;
    fill(go, t(news.comparison ? "compare.again" : "compare.start"));
    say();
  }

  fill(node, methods, el("div", { class: "fields" }, ks,
    el("div", { class: "field" }, el("label", { for: label.id }, t("compare.label")), label, el("p", { class: "hint" }, t("compare.label_hint")))),
  el("div", { class: "spread" }, count, go));
  return { node, sync };
}

function asked_before({ comparison }) {
  if (!comparison?.asked?.methods) return null;
  const { methods, k, label } = comparison.asked;
  return { methods: [...methods], k: [...k], label: label ?? null };
}

/** A handful of methods that the table allows, the one of the draft among them. */
function usual(catalogue, { draft, look }) {
  const methods = catalogue.methods.filter((method) => (method.compared || method.name === draft.method) && !why_not_compared(method, draft));
  return { methods: methods.map(({ name }) => name), k: KS.filter((k) => k <= (look?.n_records ?? Infinity)), label: null };
}

/** What was asked, in words, for a form that is folded. */
export function asked_words({ methods, k }) {
  return t("compare.asked", { methods: list(methods ?? []), ks: list((k ?? []).map(String)) });
}
