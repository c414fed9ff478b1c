// The recipe as it grows: the text of its file, with what the last change touched marked.

import { copy_button } from "./copy_button.js";
import { el, fill } from "./dom.js";
import { t } from "./texts.js";

export function recipe_view() {
  let text = "";
  const code = el("pre", { class: "code recipe", tabindex: "0", role: "region", "aria-label": t("protect.recipe.label") });
  const stale = el("p", { class: "hint", hidden: true }, t("protect.recipe.stale"));
  const node = el("div", { class: "card recipe-card" },
    el("div", { class: "spread" }, el("h2", {}, t("protect.recipe.title")), copy_button(() => text, t("protect.recipe.copy"))),
    el("p", { class: "hint" }, t("protect.recipe.intro")), stale, code);
  return { node, sync({ checked }) {
    const news = checked?.toml ?? "";
    stale.hidden = !checked?.error;
    code.classList.toggle("stale", Boolean(checked?.error));
    if (!news || news === text) return;
    const fresh = text ? changed_lines(text, news) : new Set();
    text = news;
    fill(code, news.replace(/\n+$/, "").split("\n").map((line, place) => el("span", { class: class_of(line, fresh.has(place)) }, line)));
    const first = code.querySelector(".fresh");
    if (first) code.scrollTop = Math.max(0, first.offsetTop - code.offsetTop - code.clientHeight / 3);
  } };
}

const class_of = (line, fresh) => [/^\[/.test(line) ? "toml-section" : "toml-line", fresh && "fresh"].filter(Boolean).join(" ");

/** Lines that were not there before, in the section that they are in. */
function changed_lines(before, after) {
  const named = (text) => {
    let section = "";
    return text.split("\n").map((line) => {
      if (/^\[/.test(line)) section = line;
      return `${section}\n${line}`;
    });
  };
  const known = new Set(named(before));
  return new Set(named(after).flatMap((line, place) => (known.has(line) ? [] : [place])));
}
