// Compare: candidates on the map of risk and loss as they finish; one can be chosen.

import * as api from "./api.js";
import { announce, clear, report } from "./banners.js";
import { candidates_table } from "./candidates.js";
import { asked_words, compare_form } from "./compare_form.js";
import { el, fill, uid } from "./dom.js";
import { meaning } from "./figures.js";
import { is_alive, job_progress, latest_job } from "./job_progress.js";
import { create_map } from "./map.js";
import { keep, recall } from "./memory.js";
import { href } from "./steps.js";
import { t } from "./texts.js";

let screen = null;

export async function show(main, doc, { store }) {
  const catalogue = await store.catalogue();
  screen = compare_screen(store, catalogue, doc);
  fill(main, screen.node);
  screen.sync(doc);
  if (doc.comparison?.candidates.length) screen.fold();
}

export function update(doc) {
  screen?.sync(doc);
}

export function leave() {
  screen = null;
}

function compare_screen(store, catalogue, { id }) {
  const view = recall(`axes ${id}`, { x: null, y: null });
  const form = compare_form(catalogue, store.document(id), start);
  const progress = job_progress(stop);
  const map = create_map(ask_picture, choose, picture_came);
  const table = candidates_table(choose);
  const notices = el("div", { class: "stack" });
  const chosen = el("div", { class: "chosen", role: "status" });
  const axes = el("div", { class: "row axes" });
  const sentence = el("p", { class: "muted" });
  const explained = el("ul", { class: "hint axes-explained" });
  const rest = el("div", { class: "stack" });
  const heading = el("h2", { tabindex: "-1" }, t("compare.map"));
  const results = el("section", { class: "compare-results", hidden: true },
    el("div", { class: "card" }, el("div", { class: "spread" }, heading, axes), sentence, explained, map.node, el("p", { class: "hint" }, t("compare.map_help"))),
    el("div", { class: "card" }, el("h2", {}, t("compare.table")), table.node),
    rest);
  const onwards = el("a", { class: "button", href: href(id, "release") }, t("compare.to_release"));
  const next = el("div", { class: "next" }, el("p", {}, t("compare.next")), onwards);
  const asked = el("span", { class: "muted" });
  const fold = el("details", { class: "card compare-fold", open: true }, el("summary", {}, t("compare.what"), " ", asked), form.node);
  const node = el("div", {}, el("h1", {}, t("compare.title")), el("p", { class: "lead" }, t("compare.lead")),
    fold, progress.node, notices, chosen, results, next);
  let starting = false;
  let asking = false;

  async function start(body) {
    starting = true;
    sync(store.document(id));
    try {
      await store.flush();
      fill(chosen);
      await api.post(`documents/${id}/compare`, body);
      await store.load(id);
      fold.open = false; // the map is what counts now
      progress.focus(); // for the button that was pressed is folded away
      announce(t("compare.started"));
    } catch (error) {
      report(error);
    } finally {
      starting = false;
      sync(store.document(id));
    }
  }

  async function stop(job) {
    try {
      await api.remove(`jobs/${job.id}`);
    } catch (error) {
      report(error);
    }
  }

  async function choose(label) {
    try {
      await store.act(id, "choose", { label });
      const undo = el("button", { type: "button", class: "button small", on: { click: () => take_back(label) } }, t("compare.undo"));
      fill(chosen, el("div", { class: "notice good spread" }, el("span", {}, t("compare.chosen_now", { label })),
        el("span", { class: "row" }, undo, el("a", { class: "button small primary", href: href(id, "release") }, t("compare.to_release")))));
    } catch (error) {
      report(error);
    }
  }

  async function take_back(label) {
    try {
      await store.act(id, "undo");
      fill(chosen, el("p", { class: "notice" }, t("compare.taken_back", { label })));
    } catch (error) {
      report(error);
    }
  }

  function sync(doc) {
    if (!doc?.draft) return;
    const { comparison } = doc;
    const job = latest_job(doc, "compare");
    form.sync(doc, starting || is_alive(job) || Boolean(doc.checked?.error));
    const stood_there = progress.has_focus() && !is_alive(job);
    progress.sync(is_alive(job) ? job : null);
    fill(asked, comparison?.asked ? asked_words(comparison.asked) : "");
    draw_notices(doc, job);
    results.hidden = !comparison || (!comparison.candidates.length && !Object.keys(comparison.left_out ?? {}).length);
    onwards.classList.toggle("primary", !results.hidden); // one button stands out: before, that which starts
    if (results.hidden) return;
    if (stood_there) heading.focus({ preventScroll: true });
    if (comparison.figures.length) draw(doc, comparison);
    else if (comparison.candidates.length) ask_figures();
  }

  /** News of a candidate do not hold what figures there are: fetch them once. */
  async function ask_figures() {
    if (asking) return;
    asking = true;
    try {
      await store.load(id);
    } finally {
      setTimeout(() => { asking = false; }, 500);
    }
  }

  let drawn = [];

  function draw(doc, comparison) {
    const now = [comparison, doc.draft, view.x, view.y];
    if (now.every((part, place) => part === drawn[place])) return; // news of a job alone
    drawn = now;
    const { figures, candidates } = comparison;
    const find = (name, other) => figures.find((figure) => figure.name === name) ?? figures.find((figure) => figure.name === other) ?? figures[0];
    const [x, y] = [find(view.x, comparison.x), find(view.y, comparison.y)];
    const seen = { x, y, figures, candidates, current: current_of(doc.draft, candidates) };
    draw_axes(axes, figures, seen, (which, name) => {
      view[which] = name;
      keep(`axes ${id}`, view);
      sync(store.document(id));
    });
    fill(explained, [x, y].filter(({ name }) => meaning(name)).map(({ name, label }) => el("li", {}, t("compare.explained", { figure: label, meaning: meaning(name) }))));
    map.draw(seen);
    draw_table(seen, comparison);
    draw_rest(rest, comparison);
  }

  async function ask_picture(x, y, width) {
    try {
      return await api.get(`documents/${id}/map?${new URLSearchParams({ x, y, width })}`);
    } catch (error) {
      report(error);
      return null;
    }
  }

  let frontier = { x: null, y: null, labels: [] };

  /** The library says which candidates are on the frontier of the axes that were chosen. */
  function picture_came({ x, y, frontier: labels }) {
    frontier = { x, y, labels };
    drawn = [];
    sync(store.document(id));
  }

  function draw_table(seen, usual) {
    const { x, y, candidates } = seen;
    const is_of = (those) => those.x === x.name && those.y === y.name;
    const on_it = is_of(usual) ? usual.frontier : is_of(frontier) ? frontier.labels : [];
    const alive = candidates.filter(({ error }) => !error);
    fill(sentence, t("compare.sentence", { n: on_it.length, all: alive.length, x: x.label, y: y.label }));
    table.draw({ ...seen, frontier: on_it });
  }

  function draw_notices({ checked, comparison }, job) {
    const said = [];
    if (checked?.error) {
      said.push(el("div", { class: "notice bad" }, el("p", {}, t("compare.draft_wrong")), el("p", { class: "problem" }, checked.error.message),
        el("a", { href: href(id, "protect") }, t("compare.to_protect"))));
    }
    if (job?.state === "failed" && job.error) said.push(el("div", { class: "notice bad" }, el("h2", {}, t("compare.failed_all")), el("p", {}, job.error.message)));
    if (comparison?.state === "stopped") said.push(el("p", { class: "notice" }, t("compare.stopped", { n: comparison.candidates.length })));
    if (comparison?.outdated) said.push(el("p", { class: "notice warn" }, t("compare.outdated")));
    const key = said.map((each) => each.textContent).join("\n");
    if (notices.dataset.key === key) return;
    notices.dataset.key = key;
    fill(notices, said);
    if (job?.state === "failed") clear(); // the banner would say the same
  }

  return { node, sync, fold: () => { fold.open = false; } };
}

/** The candidate that the draft is, if it is one. */
function current_of(draft, candidates) {
  const own = (entries) => JSON.stringify([entries.method, entries.k, sorted(entries.parameters), sorted(entries.promises), entries.enforce ?? "auto"]);
  return candidates.find((candidate) => own(candidate) === own(draft))?.label ?? null;
}

const sorted = (entries) => Object.entries(entries ?? {}).sort(([a], [b]) => a.localeCompare(b));

function draw_axes(place, figures, { x, y }, chosen) {
  const key = JSON.stringify([figures.map(({ name }) => name), x.name, y.name]);
  if (place.dataset.key === key) return;
  const held = place.contains(document.activeElement) ? document.activeElement.dataset.axis : null;
  place.dataset.key = key;
  fill(place, ["x", "y"].map((which) => {
    const name = uid("axis");
    return el("div", { class: "axis-choice" }, el("label", { for: name }, t(`compare.axis_${which}`)),
      el("select", { id: name, "data-axis": which, value: { x, y }[which].name, on: { change: (event) => chosen(which, event.target.value) } }, grouped(figures)));
  }));
  if (held) place.querySelector(`[data-axis="${held}"]`)?.focus();
}

/** Figures of the whole table first, then those of each column. */
function grouped(figures) {
  const column_of = ({ name }) => name.split(":").slice(1).join(":");
  const columns = [...new Set(figures.map(column_of))];
  return columns.map((column) => {
    const options = figures.filter((figure) => column_of(figure) === column).map((figure) => el("option", { value: figure.name }, figure.label));
    return column ? el("optgroup", { label: t("compare.figures_of", { column }) }, options) : options;
  });
}

/** What failed and what was left out, with the reasons. */
function draw_rest(place, { candidates, left_out, notes }) {
  const failed = candidates.filter(({ error }) => error).map(({ label, error }) => [label, error]);
  const left = Object.entries(left_out ?? {});
  const key = JSON.stringify([failed, left, notes]);
  if (place.dataset.key === key) return; // what somebody unfolded stays so
  place.dataset.key = key;
  const reasons = (pairs) => el("dl", { class: "reasons" }, pairs.map(([what, why]) => el("div", {}, el("dt", {}, what), el("dd", {}, why))));
  fill(place,
    failed.length > 0 && el("details", { class: "card", open: true }, el("summary", {}, t("compare.failed", { n: failed.length })), reasons(failed)),
    left.length > 0 && el("details", { class: "card" }, el("summary", {}, t("compare.left_out", { n: left.length })), reasons(left)),
    notes?.length > 0 && el("div", { class: "notice" }, el("h2", {}, t("compare.notes")), el("ul", {}, notes.map((note) => el("li", {}, note)))));
}
