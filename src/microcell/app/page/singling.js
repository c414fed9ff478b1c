// "What singles people out": sentences from the inspection, for the columns that are chosen now.

import { el, fill, isolated } from "./dom.js";
import { list, percent, t } from "./texts.js";

const SHOWN = 4; // sets
const WORTH_TELLING = 0.01; // share of records

/** Sets of which every column is chosen, the most telling first, no set beside one it holds and adds nothing to. */
export function chosen_sets(sets, chosen) {
  const whole = sets.filter((set) => set.columns.every((name) => chosen.has(name)));
  whole.sort((a, b) => b.unique - a.unique || a.columns.length - b.columns.length);
  return whole.filter((set, place) => !whole.slice(0, place).some((other) =>
    other.columns.every((name) => set.columns.includes(name))));
}

/** The most telling set of which some columns are not chosen but have other roles. */
function missed(sets, chosen, roles, which, least = WORTH_TELLING) {
  const others = sets.filter((set) => {
    const rest = set.columns.filter((name) => !chosen.has(name));
    return rest.length && rest.every((name) => which.includes(roles.get(name))) && set.unique > least;
  });
  return others.sort((a, b) => b.unique - a.unique)[0] ?? null;
}

/** Fill the card. */
export function draw_singling(card, inspection, roles) {
  const chosen = new Set([...roles].filter(([, role]) => role === "quasi").map(([name]) => name));
  const sets = chosen_sets(inspection.sets, chosen).filter((set) => set.unique >= WORTH_TELLING);
  const lead = sets[0];
  const seen = missed(inspection.sets, chosen, roles, ["confidential", "kept"]);
  const gone = missed(inspection.sets, chosen, roles, ["identifier", "left"], lead?.unique); // only where it would be more
  fill(card, el("h2", {}, t("columns.singling.title")),
    chosen.size === 0 ? el("p", {}, t("columns.singling.nobody")) : null,
    lead ? el("p", { class: "singling-lead" }, sentence(lead)) : null,
    chosen.size && !lead ? el("p", {}, t("columns.singling.little")) : null,
    sets.length > 1 ? el("ul", { class: "singling-sets" }, sets.slice(1, SHOWN).map(line)) : null,
    seen ? el("p", { class: "notice warn" }, told("columns.singling.released", seen, chosen)) : null,
    gone ? el("p", { class: "muted" }, told("columns.singling.left", gone, chosen)) : null,
    el("p", { class: "hint" }, t("columns.singling.why", { k: inspection.k })));
}

const sentence = (set) => t(set.columns.length > 1 ? "columns.singling.together" : "columns.singling.alone",
  { names: names(set.columns), share: percent(set.unique) });

const line = (set) => el("li", {}, el("bdi", {}, set.columns.map(shortened).join(" + ")), el("span", { class: "number" }, percent(set.unique)));

function told(key, set, chosen) {
  const rest = set.columns.filter((name) => !chosen.has(name));
  return t(key, { rest: names(rest), names: names(set.columns), share: percent(set.unique), n: rest.length });
}

const names = (columns) => list(columns.map((name) => isolated(shortened(name))));

export const shortened = (name) => (name.length > 34 ? `${name.slice(0, 32)}…` : name);

/** Columns that follow from others, equal columns, and what else the inspection says. */
export function draw_findings(card, inspection) {
  const follow = inspection.dependencies.map((found) => t(found.exact ? "columns.follows" : "columns.nearly_follows",
    { source: names([found.source]), follows: names([found.follows]), share: percent(found.exceptions) }));
  const equal = inspection.duplicates.map(([one, other]) => t("columns.equal", { one: names([one]), other: names([other]) }));
  const lines = [...equal, ...follow, ...inspection.notices.filter((notice) => notice !== inspection.unit_reason)]; // which stands beside its field
  card.hidden = lines.length === 0;
  fill(card, el("h2", {}, t("columns.findings")), el("ul", {}, lines.map((line) => el("li", {}, line))));
}
