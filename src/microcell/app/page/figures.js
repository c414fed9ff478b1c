// Figures as people read them; those of candidates as the library's `Figure` has them.

import { has, short, t } from "./texts.js";

/** A value of a figure, as the library shows it. */
export function shown(figure, value) {
  if (!is_number(value)) return "–";
  if (figure.unit === "share") return `${(100 * value).toFixed(2)} %`;
  if (figure.unit === "seconds") return t("shell.seconds", { n: value.toFixed(1) });
  if (figure.unit === "count") return value.toFixed(0);
  return String(Number(value.toPrecision(4)));
}

/** A value as it is drawn: shares in per cent. */
export function in_unit(figure, value) {
  return figure.unit === "share" ? 100 * value : value;
}

/** What a figure says, in a sentence; null where there is none. */
export function meaning(name) {
  const key = `compare.meaning.${name.split(":")[0]}`; // that of one column ends in its name
  return has(key) ? t(key) : null;
}

/** What was lost, as the report says it. */
export const lost = (share) => `${short(100 * share, 3)} %`;

export function is_number(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** Whether a candidate has a number for both figures. */
export function has_both(candidate, x, y) {
  return !candidate.error && is_number(candidate.figures[x.name]) && is_number(candidate.figures[y.name]);
}

/**
 * Candidates that no other beats in both figures, by rising x.
 *
 * The server says it for the axes that a comparison has by default; this is the same
 * rule for axes that the reader chose.
 */
export function frontier_of(candidates, x, y) {
  const cost = (figure, candidate) =>
    candidate.figures[figure.name] * (figure.better === "low" ? 1 : -1);
  const beats = (one, other) => {
    const [a, b] = [cost(x, one) - cost(x, other), cost(y, one) - cost(y, other)];
    return a <= 0 && b <= 0 && (a < 0 || b < 0);
  };
  const there = candidates.filter((candidate) => has_both(candidate, x, y));
  return there.filter((one) => !there.some((other) => beats(other, one)));
}
