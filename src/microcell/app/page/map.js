// The risk-utility map: a point for each candidate, the frontier as steps.
//
// Points are reached by keyboard (arrows go along the axes, Enter chooses), and what the
// map shows is in the table of candidates too.

import { axis_of } from "./axis.js";
import { el, fill, svg } from "./dom.js";
import { has_both, in_unit, shown } from "./figures.js";
import { place_labels } from "./labels.js";
import { axis_titles, corner, corners_of, grid, steps_path } from "./map_ground.js";
import { near_point, next_point } from "./map_moves.js";
import { t } from "./texts.js";

const MARGIN = { left: 62, right: 16, top: 16, bottom: 52 };
const REACH = 26; // from a point, within which the pointer means it
// lengths are px of a page whose letters have 16; the page of a large screen has larger ones
const size_of_letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** A map that `choose(label)` is called by; `draw(seen)` draws what is there now. */
export function create_map(choose) {
  return new CandidateMap(choose);
}

class CandidateMap {
  #seen = null; // {x, y, candidates, frontier, looks, current}
  #places = []; // {label, left, top} of the points that are drawn
  #points = new Map(); // label -> <g>
  #active = null; // the point that Tab reaches

  constructor(choose) {
    this.choose = choose;
    this.back = svg("g", { class: "map-back", "aria-hidden": "true" });
    this.front = svg("g", { class: "map-points", role: "group" });
    this.names = svg("g", { class: "map-names", "aria-hidden": "true" });
    this.picture = svg("svg", { class: "map-picture" }, this.back, this.front, this.names);
    this.tip = el("div", { class: "map-tip", "aria-hidden": "true", hidden: true });
    this.node = el("div", { class: "map" }, this.picture, this.tip);
    this.#listen();
    new ResizeObserver(() => this.#seen && this.#redraw()).observe(this.node);
  }

  draw(seen) {
    this.#seen = seen;
    this.#redraw();
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
      this.#activate(next);
      this.#points.get(next).focus();
    }
    event.preventDefault();
  }

  #near(event) {
    const box = this.picture.getBoundingClientRect();
    return near_point(this.#places, event.clientX - box.left, event.clientY - box.top, REACH * size_of_letters());
  }

  #redraw() {
    const unit = size_of_letters();
    const width = Math.max(this.node.clientWidth, 260);
    const height = Math.round(Math.min(Math.max(width * 0.62, 300 * unit), Math.max(480 * unit, innerHeight * 0.6)));
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("height", height);
    const { x, y, candidates } = this.#seen;
    const there = candidates.filter((candidate) => has_both(candidate, x, y));
    if (!there.length) {
      fill(this.back, svg("text", { x: width / 2, y: height / 2, class: "map-empty", "text-anchor": "middle" }, t("compare.map_empty")));
      fill(this.names);
      this.#draw_points([]);
      return;
    }
    const room = {
      left: MARGIN.left * unit, top: MARGIN.top * unit, right: width - MARGIN.right * unit, bottom: height - MARGIN.bottom * unit,
    };
    const axes = {
      x: axis_of(there.map((c) => in_unit(x, c.figures[x.name]))),
      y: axis_of(there.map((c) => in_unit(y, c.figures[y.name]))),
    };
    const at = {
      x: (value) => room.left + axes.x.place(value) * (room.right - room.left),
      y: (value) => room.bottom - axes.y.place(value) * (room.bottom - room.top),
    };
    const spot = (candidate) => ({
      candidate,
      label: candidate.label,
      left: at.x(in_unit(x, candidate.figures[x.name])),
      top: at.y(in_unit(y, candidate.figures[y.name])),
    });
    this.#places = there.map(spot);
    const steps = this.#frontier_places();
    fill(
      this.back,
      corner(room, x, y, unit),
      grid(room, axes, at, unit),
      axis_titles(room, x, y, height, unit),
      this.#curves(),
      svg("path", { class: "map-frontier", d: steps_path(corners_of(steps, x.better)) }),
    );
    this.#draw_points(this.#places, unit);
    this.#draw_names(steps, room, unit);
    if (!this.tip.hidden) this.#hover(this.tip.dataset.label); // what it says may have changed
  }

  #frontier_places() {
    const on_it = new Set(this.#seen.frontier);
    return this.#places
      .filter((place) => on_it.has(place.label))
      .sort((a, b) => a.left - b.left || b.top - a.top);
  }

  /** A thin line through the values of k of one method. */
  #curves() {
    const by_method = {};
    for (const place of this.#places) (by_method[method_of(place.candidate)] ??= []).push(place);
    return Object.values(by_method).filter((places) => places.length > 1).map((places) => {
      const inked = [...places].sort((a, b) => a.candidate.k - b.candidate.k);
      const { look } = this.#seen.looks.get(inked[0].candidate.method);
      return svg("path", { class: `map-curve ${look}`, d: `M${inked.map((p) => `${p.left} ${p.top}`).join("L")}` });
    });
  }

  #draw_points(places, unit = 1) {
    const { x, y, looks, current } = this.#seen;
    const on_it = new Set(this.#seen.frontier);
    this.front.setAttribute("aria-label", t("compare.map_label", { x: x?.label ?? "", y: y?.label ?? "" }));
    const there = new Set(places.map(({ label }) => label));
    for (const [label, node] of this.#points) {
      if (there.has(label)) continue;
      node.remove();
      this.#points.delete(label);
    }
    if (!there.has(this.#active)) this.#active = there.has(current) ? current : (places[0]?.label ?? null);
    for (const { candidate, label, left, top } of places) {
      const { look, path } = looks.get(candidate.method);
      let node = this.#points.get(label);
      if (!node) {
        node = svg("g", { role: "button", "data-label": label }, svg("circle", { class: "ring", r: 12 }), svg("path", { class: "shape", d: path }));
        this.#points.set(label, node);
        this.front.append(node);
      }
      const front = on_it.has(label);
      node.setAttribute("class", ["point", look, front && "on-frontier", label === current && "current"].filter(Boolean).join(" "));
      node.setAttribute("aria-pressed", String(label === current));
      node.setAttribute("aria-label", this.#words(candidate, front));
      node.setAttribute("tabindex", label === this.#active ? "0" : "-1");
      node.style.transform = `translate(${left}px, ${top}px) scale(${unit})`;
    }
  }

  #draw_names(steps, room, unit) {
    const current = this.#places.filter(({ label }) => label === this.#seen.current);
    const spots = [...current, ...steps.filter((place) => !current.includes(place))];
    const most = Math.floor((room.right - room.left) / (70 * unit)); // names on a small screen would hide the map
    const placed = place_labels(
      thinned(spots, Math.max(most, 3)).map(({ label, left, top }) => ({ x: left, y: top, text: label, away: label === this.#seen.current ? 16 : 0 })),
      this.#places.map(({ left, top }) => [left, top]),
      corners_of(steps, this.#seen.x.better),
      room,
      unit,
    );
    fill(this.names, placed.map((each) =>
      svg("text", { x: each.x, y: each.y, "text-anchor": each.anchor, "dominant-baseline": "central" }, each.text)));
  }

  #words(candidate, front) {
    const { x, y } = this.#seen;
    const said = t("compare.point", {
      label: candidate.label,
      x: x.label, at_x: shown(x, candidate.figures[x.name]),
      y: y.label, at_y: shown(y, candidate.figures[y.name]),
    });
    return front ? `${said} ${t("compare.on_frontier_sentence")}` : said;
  }

  #activate(label) {
    this.#points.get(this.#active)?.setAttribute("tabindex", "-1");
    this.#active = label;
    this.#points.get(label)?.setAttribute("tabindex", "0");
  }

  #hover(label) {
    for (const [name, node] of this.#points) node.classList.toggle("hovered", name === label);
    this.picture.classList.toggle("pointing", Boolean(label));
    const place = this.#places.find((each) => each.label === label);
    this.tip.hidden = !place;
    this.tip.dataset.label = place ? label : "";
    if (place) this.#show_tip(place);
  }

  #show_tip({ candidate, label, left, top }) {
    const { x, y, current } = this.#seen;
    const front = this.#seen.frontier.includes(label);
    fill(
      this.tip,
      el("strong", {}, label),
      el("dl", {}, [x, y].map((figure) =>
        el("div", {}, el("dt", {}, figure.label), el("dd", {}, shown(figure, candidate.figures[figure.name]))))),
      front && el("p", { class: "tip-front" }, t("compare.on_frontier")),
      el("p", { class: "hint" }, label === current ? t("compare.is_current") : t("compare.click_to_choose")),
    );
    const { clientWidth } = this.node;
    const { offsetWidth, offsetHeight } = this.tip;
    const to_left = left + 18 + offsetWidth > clientWidth;
    this.tip.style.left = `${Math.max(0, Math.min(to_left ? left - offsetWidth - 18 : left + 18, clientWidth - offsetWidth))}px`;
    this.tip.style.top = `${Math.max(0, top - offsetHeight / 2)}px`;
  }
}

/** At most so many of a list, both ends among them. */
function thinned(all, most) {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]);
}

/** A method with its parameters and promises: what a curve over k holds. */
function method_of(candidate) {
  return candidate.label.replace(/, k=\d+$/, "");
}
