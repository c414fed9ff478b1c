// The candidates of a comparison as a table: the map for those who rather read.

import { el, fill } from "./dom.js";
import { is_number, meaning, shown } from "./figures.js";
import { t } from "./texts.js";

const USUAL = ["relative_loss", "distance_linkage_risk", "prosecutor_max_risk", "visits_max_risk", "homogeneous_records", "t_distance_max"];

/**
 * A table whose rows call `choose(label)`; `draw(seen)` as for the map.
 *
 * Rows stay the same elements while candidates come in, so that nobody who presses a
 * button, or stands on it, loses it.
 */
export function candidates_table(choose) {
  const sorting = { by: null, rising: true };
  const rows = new Map(); // label -> {key, node}
  let seen = null;
  const head = el("tr", {});
  const body = el("tbody", {});
  const node = el("div", { class: "scroll candidates", tabindex: "0", role: "region", "aria-label": t("compare.table_label") },
    el("table", {}, el("caption", { class: "visually-hidden" }, t("compare.table_label")), el("thead", {}, head), body));

  function sort(by) {
    sorting.rising = sorting.by === by ? !sorting.rising : true;
    sorting.by = by;
    draw(seen);
    head.querySelector(`[data-by="${CSS.escape(by)}"]`)?.focus();
  }

  function draw_head(figures) {
    const key = JSON.stringify([figures, sorting]);
    if (head.dataset.key === key) return;
    head.dataset.key = key;
    fill(head,
      heading("label", t("compare.candidate"), "words", sorting, sort),
      figures.map((figure) => heading(figure.name, figure.label, "", sorting, sort, figure.better)),
      el("th", { scope: "col", class: "words" }, t("compare.frontier")),
      el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, t("compare.use"))));
  }

  function row_of(candidate, figures) {
    const { label } = candidate;
    const key = JSON.stringify([figures, candidate.figures, seen.frontier.includes(label), label === seen.current]);
    const known = rows.get(label);
    if (known?.key === key) return known.node;
    const held = known?.node.contains(document.activeElement);
    const made = row(candidate, figures, seen, choose);
    known?.node.replaceWith(made);
    if (held) (made.querySelector("button") ?? node).focus();
    rows.set(label, { key, node: made });
    return made;
  }

  function draw(news) {
    seen = news;
    const figures = columns_of(seen);
    const alive = seen.candidates.filter((candidate) => !candidate.error).sort(order_of(sorting, figures, seen));
    draw_head(figures);
    const labels = new Set(alive.map(({ label }) => label));
    for (const [label, { node: old }] of rows) {
      if (labels.has(label)) continue;
      old.remove();
      rows.delete(label);
    }
    alive.forEach((candidate, place) => {
      const made = row_of(candidate, figures);
      if (body.children[place] !== made) body.insertBefore(made, body.children[place] ?? null);
    });
  }

  return { node, draw };
}

function row(candidate, figures, { frontier, current }, choose) {
  const is_current = candidate.label === current;
  return el("tr", { class: is_current ? "is-current" : null },
    el("th", { scope: "row" }, candidate.label),
    figures.map((figure) => el("td", {}, shown(figure, candidate.figures[figure.name]))),
    el("td", { class: "words" }, frontier.includes(candidate.label) && el("span", { class: "chip good" }, t("compare.on_it"))),
    el("td", {}, is_current
      ? el("span", { class: "chip accent" }, t("compare.chosen"))
      : el("button", {
        type: "button", class: "button small", "data-use": candidate.label,
        "aria-label": t("compare.use_this", { label: candidate.label }), on: { click: () => choose(candidate.label) },
      }, t("compare.use"))));
}

function heading(name, label, kind, sorting, sort, better = null) {
  const sorted = sorting.by === name ? (sorting.rising ? "ascending" : "descending") : null;
  const arrow = { ascending: " ↑", descending: " ↓" }[sorted] ?? "";
  return el("th", { scope: "col", class: kind, "aria-sort": sorted },
    el("button", { type: "button", class: "sort", "data-by": name, title: meaning(name), on: { click: () => sort(name) } },
      label, el("span", { "aria-hidden": "true" }, arrow)),
    better && el("small", {}, t(`compare.${better}_is_better`)));
}

/** The two axes, what most ask for, what a model learnt, and the time. */
function columns_of({ figures, x, y }) {
  const learnt = figures.filter(({ name }) => /^(accuracy|r2):/.test(name)).map(({ name }) => name);
  const wanted = new Set([x.name, y.name, ...USUAL, ...learnt, "seconds"]);
  return [...wanted].map((name) => figures.find((figure) => figure.name === name)).filter(Boolean);
}

/** By a column; at first those on the frontier, then the good end of the first axis. */
function order_of({ by, rising }, figures, { frontier, x }) {
  const turn = rising ? 1 : -1;
  if (by === "label") return (a, b) => turn * (a.method.localeCompare(b.method) || a.k - b.k);
  const figure = figures.find(({ name }) => name === by);
  if (figure) return (a, b) => compare_numbers(a.figures[by], b.figures[by], turn);
  const good = x.better === "low" ? 1 : -1;
  const place = (candidate) => (frontier.includes(candidate.label) ? 0 : 1);
  return (a, b) => place(a) - place(b) || compare_numbers(a.figures[x.name], b.figures[x.name], good);
}

/** What is missing comes last, either way. */
function compare_numbers(a, b, turn) {
  if (!is_number(a) || !is_number(b)) return Number(is_number(b)) - Number(is_number(a));
  return turn * (a - b);
}
