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
