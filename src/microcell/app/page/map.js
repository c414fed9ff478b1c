// The risk-utility map: the library's picture, whose points can be read and chosen.
//
// Points are reached by keyboard (arrows go along the axes, Enter chooses), and what the
// map shows is in the table of candidates too.

import { el, fill, svg } from "./dom.js";
import { shown } from "./figures.js";
import { near_point, next_point } from "./map_moves.js";
import { t } from "./texts.js";

const REACH = 26; // px from a point, within which the pointer means it
const RING = 8; // radius of the ring about a point, in points

/** A map: `ask(x, y, width)` gets a picture, `choose(label)` and `drawn(answer)` are called; `draw(seen)` draws what is there now. */
export function create_map(ask, choose, drawn) {
  return new CandidateMap(ask, choose, drawn);
}

class CandidateMap {
  #seen = null; // {x, y, candidates, current}
  #known = new Map(); // label -> candidate
  #has = ""; // what the picture shows
  #asking = false;
  #frontier = new Set();
  #points = new Map(); // label -> <g>
  #places = []; // {label, left, top} of the points
  #active = null; // the point that Tab reaches

  constructor(ask, choose, drawn) {
    Object.assign(this, { ask, choose, drawn });
    this.picture = el("div");
    this.tip = el("div", { class: "map-tip", "aria-hidden": "true", hidden: true });
    this.node = el("div", { class: "map" }, this.picture, this.tip);
    this.#listen();
    new ResizeObserver(() => this.#seen && this.#redraw()).observe(this.node);
  }

  draw(seen) {
    this.#seen = seen;
    this.#known = new Map(seen.candidates.map((candidate) => [candidate.label, candidate]));
    this.#mark();
    this.#redraw();
  }

  /** Ask for a picture if there is none of what is seen; for one at a time. */
  async #redraw() {
    this.#measure();
    const { x, y, candidates } = this.#seen;
    const width = Math.round(this.node.clientWidth);
    const wanted = JSON.stringify([x.name, y.name, width, candidates.map(({ label, figures }) => [label, figures])]);
    if (this.#asking || !width || wanted === this.#has) return;
    this.#asking = true;
    this.#has = wanted;
    try {
      const answer = await this.ask(x.name, y.name, width);
      if (answer) {
        this.#show(answer);
        this.drawn(answer);
      }
    } finally {
      this.#asking = false;
    }
    this.#redraw(); // it may have changed meanwhile
  }

  #show({ picture, labels, frontier }) {
    const held = document.activeElement?.dataset?.label;
    this.#frontier = new Set(frontier);
    const made = picture ? element_of(picture) : el("p", { class: "hint" }, t("compare.map_empty"));
    made.setAttribute("class", picture ? "map-picture" : "hint");
    if (picture) made.setAttribute("role", "group");
    this.#points = new Map([...made.querySelectorAll("[data-mark]")].map((point) => [labels[point.dataset.mark], point]));
    for (const [label, point] of this.#points) {
      const mark = point.querySelector("use");
      point.dataset.label = label;
      point.setAttribute("role", "button");
      point.append(svg("circle", { class: "ring", r: RING, cx: mark.getAttribute("x"), cy: mark.getAttribute("y") }));
    }
    fill(this.picture, made);
    this.#measure();
    this.#mark();
    if (this.#points.has(held)) this.#focus(held);
    if (!this.tip.hidden) this.#hover(this.tip.dataset.label); // what it says may have changed
  }

  #measure() {
    const frame = this.node.getBoundingClientRect();
    this.#places = [...this.#points].map(([label, point]) => {
      const box = point.querySelector(".ring").getBoundingClientRect();
      return { label, left: box.left + box.width / 2 - frame.left, top: box.top + box.height / 2 - frame.top };
    });
  }

  /** Say of each point what it is, and which one is chosen. */
  #mark() {
    const { x, y, current } = this.#seen;
    this.picture.firstChild?.setAttribute("aria-label", t("compare.map_label", { x: x.label, y: y.label }));
    if (!this.#points.has(this.#active)) this.#active = this.#points.has(current) ? current : [...this.#points.keys()][0];
    for (const [label, point] of this.#points) {
      point.setAttribute("class", label === current ? "point current" : "point");
      point.setAttribute("aria-pressed", String(label === current));
      point.setAttribute("aria-label", this.#words(label));
      point.setAttribute("tabindex", label === this.#active ? "0" : "-1");
    }
  }

  #listen() {
    this.picture.addEventListener("pointermove", (event) => this.#hover(this.#near(event)));
    this.picture.addEventListener("pointerleave", () => this.#hover(null));
    this.picture.addEventListener("click", (event) => {
      const label = this.#near(event);
      if (!label) return;
      const first_tap = event.pointerType === "touch" && this.tip.dataset.label !== label;
      this.#hover(label); // a finger has no other way to read before it chooses
      if (!first_tap) this.choose(label);
    });
    // not on an element of the picture: one that listens for the focus would take it
    this.node.addEventListener("focusin", (event) => this.#hover(event.target.dataset.label));
    this.node.addEventListener("focusout", () => this.#hover(null));
    this.node.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    const label = event.target.dataset?.label;
    if (!label) return;
    if (event.key === "Enter" || event.key === " ") this.choose(label);
    else if (event.key === "Escape") this.#hover(null);
    else {
      const next = next_point(this.#places, label, event.key);
      if (!next) return;
      this.#focus(next);
    }
    event.preventDefault();
  }

  #near(event) {
    const box = this.node.getBoundingClientRect();
    return near_point(this.#places, event.clientX - box.left, event.clientY - box.top, REACH);
  }

  #focus(label) {
    this.#points.get(this.#active)?.setAttribute("tabindex", "-1");
    this.#active = label;
    this.#points.get(label).setAttribute("tabindex", "0");
    this.#points.get(label).focus();
  }

  #words(label) {
    const candidate = this.#known.get(label);
    if (!candidate) return label; // it was drawn before its news came
    const { x, y } = this.#seen;
    const said = t("compare.point", {
      label,
      x: x.label, at_x: shown(x, candidate.figures[x.name]),
      y: y.label, at_y: shown(y, candidate.figures[y.name]),
    });
    return this.#frontier.has(label) ? `${said} ${t("compare.on_frontier_sentence")}` : said;
  }

  #hover(label) {
    for (const [name, node] of this.#points) node.classList.toggle("hovered", name === label);
    this.picture.classList.toggle("pointing", Boolean(label));
    const place = this.#known.has(label) && this.#places.find((each) => each.label === label);
    this.tip.hidden = !place;
    this.tip.dataset.label = place ? label : "";
    if (place) this.#show_tip(place);
  }

  #show_tip({ label, left, top }) {
    const { x, y, current } = this.#seen;
    const { figures } = this.#known.get(label);
    fill(
      this.tip,
      el("strong", {}, label),
      el("dl", {}, [x, y].map((figure) => el("div", {}, el("dt", {}, figure.label), el("dd", {}, shown(figure, figures[figure.name]))))),
      this.#frontier.has(label) && el("p", { class: "tip-front" }, t("compare.on_frontier")),
      el("p", { class: "hint" }, label === current ? t("compare.is_current") : t("compare.click_to_choose")),
    );
    const { clientWidth } = this.node;
    const { offsetWidth, offsetHeight } = this.tip;
    const to_left = left + 18 + offsetWidth > clientWidth;
    this.tip.style.left = `${Math.max(0, Math.min(to_left ? left - offsetWidth - 18 : left + 18, clientWidth - offsetWidth))}px`;
    this.tip.style.top = `${Math.max(0, top - offsetHeight / 2)}px`;
  }
}

/** An element of a picture that came as plain data: [tag, attributes, text, children]. */
function element_of([tag, { style, ...attributes }, text, children]) {
  const node = svg(tag, attributes, text || null, children.map(element_of));
  if (style) node.style.cssText = style; // the page allows no style in markup
  if (tag === "text") node.setAttribute("aria-hidden", "true"); // points say it
  return node;
}
