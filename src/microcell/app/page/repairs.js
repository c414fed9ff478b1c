// Ways out of an error that are one change of the draft each, as buttons.

import { announce } from "./banners.js";
import { el } from "./dom.js";
import { same } from "./field.js";
import { has, named, t } from "./texts.js";

/** Buttons for what the library proposes, or null; what the draft says already is no way out. */
export function repairs(error, store, id) {
  const draft = store.document(id)?.draft ?? {};
  const ways = (error?.ways ?? []).filter(({ option, value }) => !holds(draft[option], value));
  if (!ways.length) return null;
  const [first] = ways;
  const alike = !is_mapping(first.value) && ways.every(({ option }) => option === first.option); // said once for all
  return el("div", { class: "repairs", role: "group", "aria-label": alike ? label_of(first.option) : t("repairs.title") },
    alike ? el("span", { "aria-hidden": "true" }, t("repairs.of", { label: label_of(first.option) })) : null,
    ways.map((way) => el("button", { class: "button small", type: "button", on: { click: () => use(way, store, id) } }, alike ? choice(way.option, way.value) : words_of(way))));
}

async function use(way, store, id) {
  await store.edit(id, (entries) => {
    entries[way.option] = is_mapping(way.value) ? { ...entries[way.option], ...way.value } : way.value;
  });
  announce(t("repairs.used", { what: words_of(way) }));
}

const is_mapping = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function holds(given, value) {
  if (!is_mapping(value)) return same(given, value);
  return Object.entries(value).every(([column, own]) => same(given?.[column], own));
}

/** A way out in the words of the page's fields. */
function words_of({ option, value }) {
  if (is_mapping(value)) {
    return Object.entries(value).map(([column, own]) => t("repairs.of_column", { column, label: label_of(option), value: choice(option, own) })).join(", ");
  }
  return t("repairs.way", { label: label_of(option), value: choice(option, value) });
}

function label_of(option) {
  for (const key of [`protect.options.${option}.label`, `protect.per_column.${option}`, `repairs.${option}`]) if (has(key)) return t(key);
  return option;
}

function choice(option, value) {
  for (const key of [`protect.options.${option}.choices.${named(value)}`, `repairs.${option}_${value}`]) if (has(key)) return t(key);
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
