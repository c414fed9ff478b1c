// The list of columns: found by name, sorted, several at once, and moved through by keys.

import { el, fill } from "./dom.js";
import { KEYS, ROLES } from "./roles.js";
import { t } from "./texts.js";

const SORTS = {
  order: () => 0,
  role: (a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role),
  added: (a, b) => (b.column.added ?? -1) - (a.column.added ?? -1) || b.column.unique - a.column.unique,
  name: (a, b) => a.column.name.localeCompare(b.column.name),
};

export class ColumnList {
  constructor(cards, asks) {
    Object.assign(this, { cards, asks, shown: cards, current: cards[0] ?? null });
    this.filter = el("input", { type: "search", placeholder: t("columns.filter"), "aria-label": t("columns.filter"), on: { input: () => this.apply() } });
    this.sort = el("select", { "aria-label": t("columns.sort"), on: { change: () => this.apply() } },
      Object.keys(SORTS).map((name) => el("option", { value: name }, t(`columns.sort_${name}`))));
    this.all = el("input", { type: "checkbox", on: { change: () => this.select_all(this.all.checked) } });
    this.several = el("div", { class: "several", role: "group", "aria-label": t("columns.several") });
    this.found = el("p", { class: "hint", role: "status" });
    this.list = el("ul", { class: "column-list", "aria-label": t("columns.title"), on: { keydown: (event) => this.key(event), focusin: (event) => this.focused(event) } });
    this.node = el("div", { class: "stack" },
      el("div", { class: "column-tools" }, el("label", { class: "check" }, this.all, el("span", {}, t("columns.all"))),
        this.filter, this.sort),
      el("details", { class: "keys" }, el("summary", {}, t("columns.keys")), keys_help()),
      this.several, this.found, this.list);
    this.watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) this.card_of(target).draw_picture();
    }, { rootMargin: "400px" });
    this.by_node = new Map(cards.map((card) => [card.node, card]));
    for (const card of cards) this.watch.observe(card.node);
    this.tell_selected();
    this.apply();
  }

  card_of(node) {
    return this.by_node.get(node.closest(".column-list > li"));
  }

  /** Show what fits the filter, in the order that was chosen. */
  apply() {
    const wanted = this.filter.value.trim().toLocaleLowerCase();
    const sorted = [...this.cards].sort(SORTS[this.sort.value]);
    this.shown = sorted.filter((card) => card.column.name.toLocaleLowerCase().includes(wanted));
    const active = document.activeElement;
    fill(this.list, this.shown.map((card) => card.node));
    if (active && this.list.contains(active)) active.focus();
    this.found.textContent = wanted ? t("columns.found", { n: this.shown.length, of: this.cards.length }) : "";
    this.found.hidden = !wanted;
    if (!this.shown.includes(this.current)) this.current = this.shown[0] ?? null;
    this.rove();
    this.tell_selected();
  }

  /** One card at a time is in the order of the Tab key. */
  rove() {
    for (const card of this.cards) card.group.tabIndex = card === this.current ? 0 : -1;
  }

  refresh() {
    this.rove();
  }

  focused(event) {
    const card = this.card_of(event.target);
    if (!card || card === this.current) return;
    this.current = card;
    this.rove();
  }

  key(event) {
    const card = this.card_of(event.target);
    if (!card) return;
    const role = card.role_of_key(event);
    if (role) {
      event.preventDefault();
      return this.asks.role([card.column.name], role);
    }
    if (event.target !== card.group) return; // arrows belong to the field that has the focus
    const place = this.shown.indexOf(card);
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: this.shown.length - 1 }[event.key];
    const beside = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === " ") {
      event.preventDefault();
      card.tick.checked = !card.tick.checked;
      this.tell_selected();
    } else if (to !== undefined) {
      event.preventDefault();
      this.shown[to]?.group.focus();
    } else if (beside) {
      event.preventDefault();
      const next = ROLES[ROLES.indexOf(card.role) + beside];
      if (next) this.asks.role([card.column.name], next);
    }
  }

  selected() {
    return this.shown.filter((card) => card.tick.checked);
  }

  select_all(yes) {
    for (const card of this.shown) card.tick.checked = yes;
    this.tell_selected();
  }

  tell_selected() {
    const names = this.selected().map((card) => card.column.name);
    this.all.checked = names.length > 0 && names.length === this.shown.length;
    this.all.indeterminate = names.length > 0 && names.length < this.shown.length;
    for (const card of this.cards) card.group.classList.toggle("ticked", card.tick.checked);
    this.several.hidden = names.length === 0;
    if (!names.length) return;
    fill(this.several, el("span", {}, t("columns.selected", { n: names.length })),
      ROLES.map((role) => el("button", { class: "button small", type: "button", on: { click: () => this.asks.role(names, role) } }, t(`columns.role.${role}`))),
      el("button", { class: "button small quiet", type: "button", on: { click: () => this.select_all(false) } }, t("columns.select_none")));
  }
}

function keys_help() {
  const roles = Object.entries(KEYS).map(([key, role]) => el("li", {}, el("kbd", {}, key.toUpperCase()), " ", t(`columns.role.${role}`)));
  const moves = [["↑ ↓", "columns.key_move"], ["← →", "columns.key_role"], [t("columns.key_space"), "columns.key_tick"]];
  return el("ul", { class: "keys-list" }, moves.map(([key, text]) => el("li", {}, el("kbd", {}, key), " ", t(text))), roles);
}
