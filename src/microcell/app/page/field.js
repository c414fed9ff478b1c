// A field of the draft: its label, its control, its help; whether it was changed, and
// what is wrong with it.

import { el, fill, uid } from "./dom.js";
import { t } from "./texts.js";

export const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Put a value into entries, or leave it out where it is the default. */
export function put_value(entries, name, value, standard) {
  if (value === null || value === undefined || same(value, standard)) delete entries[name];
  else entries[name] = value;
}

/** What the fields of one draft share: how an edit is sent, and where fields are. */
export class DraftForm {
  fields = [];

  constructor(store, id) {
    this.store = store;
    this.id = id;
  }

  edit(change, typing = false) {
    return typing ? this.store.edit_soon(this.id, change) : this.store.edit(this.id, change);
  }

  /** The field that an error is about, or undefined. */
  field_of(error) {
    const alive = this.fields.filter(({ node }) => node.isConnected);
    const about = alive.filter(({ option, also }) => error.option && (option === error.option || also.includes(error.option)));
    return about.find(({ column }) => column && column === error.column) ?? about.find(({ column }) => !column) ?? about[0]
      ?? (error.option ? undefined : alive.find(({ column }) => column && column === error.column));
  }

  sync(doc) {
    this.fields = this.fields.filter(({ node, fresh }) => fresh || node.isConnected);
    const error = doc.checked?.error;
    const wrong = error && this.field_of(error);
    for (const field of this.fields) {
      field.fresh = false;
      field.sync(doc.draft, field === wrong ? error : null);
    }
  }
}

/**
 * A field of a form.
 *
 * `read(draft)` gives its value and `write(entries, value)` puts it; `standard` is what
 * there is without it, `make(tell)` its control. `option` and `column` are what errors
 * call it; `also` are other names for it.
 */
export function draft_field(form, { option, also = [], column = null, label, hint = "", make, read, write, standard = null, quiet = false }) {
  const id = uid("field");
  const control = make((value, typing) => form.edit((entries) => write(entries, value), typing));
  const is_group = control.node.getAttribute("role") === "group";
  const reset = el("button", { type: "button", class: "reset", title: t("protect.reset"), "aria-label": t("protect.reset_field", { label }), hidden: true, on: { click: () => {
    form.edit((entries) => write(entries, structuredClone(standard)));
    (control.node.matches("input, select") ? control.node : control.node.querySelector("input"))?.focus();
  } } }, t("protect.reset"));
  const problem = el("p", { class: "problem", id: `${id}-problem`, hidden: true });
  const help = hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null;
  const words = is_group ? el("span", { class: "label", id: `${id}-label` }, label) : el("label", { for: id }, label);
  if (is_group) control.node.setAttribute("aria-labelledby", `${id}-label`);
  control.node.id = id;
  const node = el("div", { class: "field draft-field" }, el("div", { class: "field-head" }, words, reset), control.node, help, problem);

  function sync(draft, error) {
    const value = read(draft);
    control.sync(value ?? standard);
    const changed = !quiet && value !== undefined && value !== null && !same(value, standard);
    node.classList.toggle("changed", changed);
    reset.hidden = !changed;
    node.classList.toggle("wrong", Boolean(error));
    problem.hidden = !error;
    fill(problem, error?.message ?? "");
    const about = [help?.id, error && problem.id].filter(Boolean).join(" ");
    if (about) control.node.setAttribute("aria-describedby", about);
    else control.node.removeAttribute("aria-describedby");
    if (error && !is_group) control.node.setAttribute("aria-invalid", "true");
    else control.node.removeAttribute("aria-invalid");
  }

  const field = { node, sync, option, also, column, fresh: true, focus: () => focus_field(node, control.node),
    is_changed: () => node.classList.contains("changed") };
  form.fields.push(field);
  return field;
}

/** Unfold what a field is in, and go there. */
function focus_field(node, control) {
  for (let at = node.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  const target = control.matches("input, select, textarea") ? control : control.querySelector("input, select") ?? control;
  target.focus();
  node.scrollIntoView({ block: "center" });
}

/** Build again only when `key(doc)` changed, so that nobody loses the focus. */
export function rebuilt(key, build) {
  const node = el("div", { class: "rebuilt" });
  let built = null;
  return { node, sync(doc) {
    const now = JSON.stringify(key(doc) ?? null);
    if (now === built) return;
    built = now;
    fill(node, build(doc));
  } };
}
