// One column: its role and kind, why they are proposed, and how its values are spread.

import { bars } from "./bars.js";
import { el, fill, uid } from "./dom.js";
import { OrderEditor, first_order } from "./order_editor.js";
import { AS_IT_IS, KEYS, ROLES, kind_of, kinds_for } from "./roles.js";
import { has, percent, t } from "./texts.js";

const PROPOSED = { "quasi-identifier": "quasi", confidential: "confidential", identifier: "identifier", weights: "identifier", "left out": "left" };

/** What a kind is called here; one that the page has no word for has its own name. */
const kind_name = (kind) => (has(`columns.kind.${kind}`) ? t(`columns.kind.${kind}`) : kind);

export class ColumnCard {
  /** `asks` = {role(names, role), kind(name, kind), allow(name, yes), selected()}: what the page does. */
  constructor(column, asks) {
    Object.assign(this, { column, asks, role: null, drawn: false });
    const name = uid("column");
    this.tick = el("input", { type: "checkbox", "aria-label": t("columns.select_one", { name: column.name }), on: { change: () => asks.selected() } });
    this.radios = new Map(ROLES.map((role) => [role, el("input", { type: "radio", name: `${name}-role`, value: role,
      on: { change: () => asks.role([column.name], role) } })]));
    this.kind = el("select", { "aria-label": t("columns.kind_of", { name: column.name }),
      on: { change: () => this.choose_kind() } });
    this.order = new OrderEditor(column, (order) => asks.kind(column.name, order));
    this.flags = el("span", { class: "column-flags" });
    this.warning = el("p", { class: "column-warning" });
    this.allowed = el("input", { type: "checkbox", on: { change: () => asks.allow(column.name, this.allowed.checked) } });
    this.allow = el("label", { class: "check column-allow", hidden: true }, this.allowed, el("span", {}, t("columns.allow_unique")));
    this.picture = el("div", { class: "column-picture" });
    this.group = el("div", { class: "column card", role: "group", tabindex: "-1", "aria-labelledby": name },
      el("div", { class: "column-head" }, this.tick, el("h2", { id: name, title: column.name }, el("bdi", {}, column.name)), this.flags, this.kind),
      this.picture,
      el("div", { class: "column-role" }, this.choices(), this.warning, this.allow),
      el("div", { class: "column-facts" }, this.facts(), this.order.node));
    this.node = el("li", {}, this.group);
  }

  choices() {
    return el("fieldset", { class: "choices" }, el("legend", { class: "visually-hidden" }, t("columns.role_of", { name: this.column.name })),
      ROLES.map((role) => el("label", { title: t(`columns.role.${role}_help`) }, this.radios.get(role), el("span", {}, t(`columns.role.${role}`)))));
  }

  facts() {
    const { label, distinct, missing, unique, reasons, added, confidence, marks } = this.column;
    const figures = [t("columns.distinct", { n: distinct }), missing ? t("columns.missing", { n: missing }) : null,
      marks?.length ? t("columns.marks", { marks: marks.join(", ") }) : null,
      t("columns.alone", { share: percent(unique) }),
      added > 0 ? t("columns.added", { share: percent(added) }) : null].filter(Boolean);
    return [label ? el("p", { class: "column-label" }, el("bdi", {}, label)) : null, el("p", { class: "column-reason" }, el("span", { class: `chip ${confidence === "possible" ? "" : "accent"}` }, t(`columns.confidence.${confidence}`)),
      " ", t("columns.proposed", { role: t(`columns.role_name.${this.column.role.replace(/\W/g, "_")}`) }), reasons.length ? ` – ${reasons.join("; ")}` : ""),
    el("p", { class: "column-figures hint" }, figures.join(" · "))];
  }

  /** Words have no order of their own: "ordered categories" begins with one to put right. */
  choose_kind() {
    const { value } = this.kind;
    const order = value === "ordinal" ? first_order(this.column.shape) : null;
    this.asks.kind(this.column.name, value === "" ? null : order ?? value);
  }

  /** Drawn when it comes into view: a wide table has hundreds. */
  draw_picture() {
    if (this.drawn) return;
    this.drawn = true;
    fill(this.picture, bars(this.column.shape) ?? el("p", { class: "hint" }, t("columns.no_picture")));
  }

  update(entries, role, problem) {
    this.role = role;
    this.group.dataset.role = role;
    this.radios.get(role).checked = true;
    this.update_kind(entries, role);
    const { name } = this.column;
    const changed = role !== PROPOSED[this.column.role];
    const flags = [entries?.weights === name ? "weights" : null, entries?.unit === name ? "unit" : null, changed ? "changed" : null].filter(Boolean);
    fill(this.flags, flags.map((flag) => el("span", { class: "chip accent" }, t(`columns.flag.${flag}`))));
    const refusable = Boolean(this.column.refused) && AS_IT_IS.includes(role);
    const allowed = refusable && (entries?.allow_unique ?? []).includes(name);
    this.allow.hidden = !refusable;
    this.allowed.checked = allowed;
    problem ??= refusable && !allowed ? this.column.refused.message : null;
    const words = problem ?? (role === "kept" ? t("columns.kept_warning") : "");
    this.warning.textContent = words;
    this.warning.className = problem ? "column-warning problem" : "column-warning hint";
    this.warning.hidden = !words;
  }

  update_kind(entries, role) {
    const declared = kind_of(entries, this.column.name);
    const wanted = ["quasi", "confidential"].includes(role);
    this.kind.hidden = !wanted;
    this.order.update(wanted ? entries?.kinds?.[this.column.name] : null);
    if (!wanted) return;
    const found = t("columns.kind_found", { kind: this.column.kind ? kind_name(this.column.kind) : t("columns.kind.none") });
    const options = ["", ...kinds_for(role, declared)];
    if (this.kind.dataset.options !== options.join()) {
      fill(this.kind, options.map((kind) => el("option", { value: kind }, kind === "" ? found : kind_name(kind))));
      this.kind.dataset.options = options.join();
    }
    this.kind.value = declared ?? "";
  }

  /** The role that a key stands for, where the key was not meant for a field. */
  role_of_key(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const typing = event.target.matches("select, input[type=text]");
    return plain && !typing ? KEYS[event.key.toLowerCase()] : undefined;
  }
}
