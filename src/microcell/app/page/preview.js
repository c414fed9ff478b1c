// The first records of a table as they were read.

import { el } from "./dom.js";
import { t } from "./texts.js";

const AT_ONCE = 60; // columns; a table of hundreds is shown in part, and in whole when asked

export function preview_table(look) {
  const place = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("file.preview", { n: look.rows.length }) });
  const draw = (many) => place.replaceChildren(table(look, many));
  draw(AT_ONCE);
  const more = look.columns.length > AT_ONCE
    ? el("button", { class: "button small", type: "button", on: { click: () => { draw(look.columns.length); more.remove(); } } },
      t("file.all_columns", { n: look.columns.length })) : null;
  const title = el("div", { class: "spread" }, el("h2", {}, t("file.preview", { n: look.rows.length })), more);
  return [title, place];
}

function table(look, many) {
  const places = look.columns.slice(0, many).map((_, place) => place);
  const numeric = places.map((place) => is_numeric(look.rows.map((row) => row[place])));
  const words = (place) => (numeric[place] ? null : "words");
  return el("table", {},
    el("thead", {}, el("tr", {}, places.map((place) => el("th", { scope: "col", class: words(place) }, clipped(look.columns[place]))))),
    el("tbody", {}, look.rows.map((row) => el("tr", {}, places.map((place) => el("td", { class: words(place) }, clipped(row[place])))))));
}

const is_numeric = (values) => values.some((value) => value) && values.every((value) => !value || /^[-+]?[\d.,]+(e[-+]?\d+)?$/i.test(value));

function clipped(value) {
  if (value === null || value === "") return el("span", { class: "muted" }, "–");
  return el("bdi", { class: "clip", title: value.length > 40 ? value : null }, value);
}
