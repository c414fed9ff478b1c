// How the values of a column are spread, as small bars.

import { el, svg } from "./dom.js";
import { number, percent, short, t } from "./texts.js";

const WIDTH = 200;
const HEIGHT = 44;
const MAX_BARS = 6; // categories that are named

/** The bars of a Shape, or null where there is none. */
export function bars(shape) {
  if (!shape) return null;
  return shape.form === "categories" ? of_categories(shape) : of_counts(shape);
}

function of_counts({ counts, low, high, edges = [], form }) {
  if (!counts?.length) return null;
  const most = Math.max(...counts, 1);
  const wide = WIDTH / counts.length;
  const gap = wide > 6 ? 1 : 0;
  const drawn = counts.map((count, place) => {
    const tall = count ? Math.max(1.5, (HEIGHT * count) / most) : 0;
    const between = edges.length > place + 1 ? `${edges[place]} – ${edges[place + 1]}: ` : "";
    return svg("rect", { x: (place * wide).toFixed(2), y: (HEIGHT - tall).toFixed(2), width: (wide - gap).toFixed(2), height: tall.toFixed(2) },
      svg("title", {}, `${between}${number(Math.round(count))}`));
  });
  const from = end(edges[0] ?? low);
  const to = end(edges.at(-1) ?? high);
  const picture = svg("svg", { class: "bars", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": t(`columns.spread_${form}`, { from, to }) }, drawn);
  return el("figure", { class: "spread-picture" }, picture,
    el("div", { class: "bars-ends", "aria-hidden": "true" }, el("bdi", {}, from), el("bdi", {}, to)));
}

const end = (value) => (typeof value === "number" ? short(value, 4) : String(value ?? ""));

function of_categories({ bars: named, other = 0, n_other = 0 }) {
  if (!named.length) return null;
  const shown = named.slice(0, MAX_BARS);
  const hidden = named.slice(MAX_BARS);
  const rest = other + hidden.reduce((sum, bar) => sum + bar.count, 0);
  const n_rest = n_other + hidden.length;
  const whole = named.reduce((sum, bar) => sum + bar.count, 0) + other;
  const most = Math.max(...shown.map((bar) => bar.count), rest, 1);
  const rows = shown.map((bar) => row(String(bar.value), bar.count, whole, most));
  if (rest) rows.push(row(t("columns.other_values", { n: n_rest }), rest, whole, most, true));
  return el("ul", { class: "category-bars", "aria-label": t("columns.frequent") }, rows);
}

function row(label, count, whole, most, rest = false) {
  const bar = el("span", { class: rest ? "category-bar rest" : "category-bar", "aria-hidden": "true" });
  bar.style.width = `${((100 * count) / most).toFixed(1)}%`;
  return el("li", {}, el("bdi", { class: "category-name", title: label }, label),
    el("span", { class: "category-track" }, bar), el("span", { class: "number" }, percent(count / whole)));
}
