// Every sentence of the page is in texts/en.json; numbers are written as the reader's language does.

let texts = {};
const language = "en-GB";
const plural = new Intl.PluralRules(language);
const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

export async function load_texts() {
  const answer = await fetch("/page/texts/en.json", { cache: "no-store" });
  texts = await answer.json();
}

/** The text of a key: `t("columns.count", {n: 3})`.
 *
 * A text that differs by number is `{"one": "...", "other": "..."}` and is chosen by `n`.
 * Numbers among the values are formatted; everything else is put in as it is.
 */
export function t(key, values = {}) {
  let text = lookup(key);
  if (text && typeof text === "object") text = text[plural.select(values.n ?? 0)] ?? text.other;
  if (typeof text !== "string") return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** A value as part of a key: marks have names there, for keys are parted by points. */
export const named = (value) => ({ ".": "point", ",": "comma" })[value] ?? String(value);

/** Whether there is a text for a key. */
export const has = (key) => lookup(key) !== undefined;

function lookup(key) {
  return key.split(".").reduce((at, part) => (typeof at === "object" && Object.hasOwn(at, part) ? at[part] : undefined), texts);
}

export const number = (value) => plain.format(value);

/** A number to so many significant digits. */
export const short = (value, digits = 3) =>
  new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value);

/** A share as a percentage; what is nearly nothing or nearly all is not rounded to it. */
export function percent(share) {
  const hundredfold = 100 * share;
  const close = hundredfold > 0 && hundredfold < 1 ? 1 : hundredfold > 99 && hundredfold < 100 ? 1 : 0;
  let shown = Number(hundredfold.toFixed(close));
  if (share > 0 && shown === 0) return "< 0.1 %";
  if (share < 1 && shown === 100) shown = 99.9;
  return `${plain.format(shown)} %`;
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

export function bytes(size) {
  const step = size < 1000 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), UNITS.length - 1);
  const form = { style: "unit", unit: UNITS[step], unitDisplay: step ? "short" : "long", maximumFractionDigits: step ? 1 : 0 };
  return new Intl.NumberFormat(language, form).format(size / 1000 ** step);
}

/** Names in a sentence: "postcode, born and sex". */
export const list = (names) => new Intl.ListFormat(language, { type: "conjunction" }).format(names);

export const time = (iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

export const duration = (seconds) =>
  seconds < 60 ? t("shell.seconds", { n: Math.max(1, Math.round(seconds)) })
    : t("shell.minutes", { n: Math.round(seconds / 60) });
