// The order of a column's categories, lowest first: move them, add one, take one away.

import { announce } from "./banners.js";
import { el, fill, uid } from "./dom.js";
import { number, t } from "./texts.js";

/** The order that "ordered categories" begins with; null where the values have one of their own. */
export function first_order(shape) {
  if (shape?.form !== "categories" || !shape.bars.length) return null;
  const values = shape.bars.map((bar) => String(bar.value));
  const by_themselves = values.every((value) => /^[-+]?\d+([.,]\d+)?$|^(true|false)$|^\d{4}-\d\d-\d\d/i.test(value));
  return by_themselves ? null : values.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

export class OrderEditor {
  /** `change(order)` is called with the new order. */
  constructor(column, change) {
    Object.assign(this, { column, change, order: [] });
    this.list = el("ol", { class: "order-list" });
    const id = uid("order");
    this.input = el("input", { id, type: "text", on: { keydown: (event) => { if (event.key === "Enter") this.add(); } } });
    const hidden = column.shape?.n_other ?? 0;
    this.node = el("div", { class: "order", hidden: true }, el("p", { class: "label" }, t("columns.order.title")), this.list,
      el("div", { class: "order-add" }, el("label", { class: "visually-hidden", for: id }, t("columns.order.add_label", { name: column.name })),
        this.input, el("button", { class: "button small", type: "button", on: { click: () => this.add() } }, t("columns.order.add"))),
      hidden ? el("p", { class: "hint" }, t("columns.order.hidden", { n: hidden })) : null);
  }

  update(order) {
    this.node.hidden = !Array.isArray(order);
    if (this.node.hidden || JSON.stringify(order) === JSON.stringify(this.drawn)) return;
    this.order = [...order];
    this.drawn = [...order];
    const held = document.activeElement?.dataset?.order;
    fill(this.list, this.order.map((value, place) => this.row(value, place)));
    if (held) [...this.list.querySelectorAll("button")].find((button) => button.dataset.order === held && !button.disabled)?.focus();
  }

  row(value, place) {
    const button = (sign, what, able, act) => el("button", { class: "order-button", type: "button", disabled: !able,
      "aria-label": t(`columns.order.${what}`, { value }), title: t(`columns.order.${what}`, { value }), "data-order": `${what} ${value}`, on: { click: act } }, sign);
    return el("li", {}, el("bdi", {}, String(value)),
      button("↑", "up", place > 0, () => this.move(place, -1)),
      button("↓", "down", place < this.order.length - 1, () => this.move(place, 1)),
      button("×", "remove", this.order.length > 1, () => this.say(this.order.filter((_, other) => other !== place))));
  }

  move(place, by) {
    const order = [...this.order];
    [order[place], order[place + by]] = [order[place + by], order[place]];
    this.say(order);
    announce(t("columns.order.moved", { value: order[place + by], place: number(place + by + 1), n: order.length }));
  }

  add() {
    const value = this.input.value.trim();
    if (!value || this.order.includes(value)) return;
    this.input.value = "";
    this.say([...this.order, value]);
  }

  say(order) {
    this.change(order);
  }
}
