// The same job without this page: as a command line and as Python, in tabs.

import { copy_button } from "./copy_button.js";
import { el, fill, uid } from "./dom.js";
import { t } from "./texts.js";

const WAYS = ["command", "python"];

export function same_job(release) {
  const panel = uid("same");
  const ids = Object.fromEntries(WAYS.map((way) => [way, uid("tab")]));
  let shown = WAYS[0];
  const code = el("pre", { class: "code", tabindex: "0" });
  const place = el("div", { id: panel, role: "tabpanel", class: "same-panel" }, code);
  const tabs = WAYS.map((way) => el("button", { type: "button", role: "tab", id: ids[way], "aria-controls": panel, on: { click: () => show(way) } }, t(`release.same.${way}`)));
  const bar = el("div", { class: "tabs", role: "tablist", "aria-label": t("release.same.title"), on: { keydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    show(WAYS[(WAYS.indexOf(shown) + step + WAYS.length) % WAYS.length]);
    document.getElementById(ids[shown]).focus();
  } } }, tabs);

  function show(way) {
    shown = way;
    tabs.forEach((tab, place_) => {
      tab.setAttribute("aria-selected", String(WAYS[place_] === way));
      tab.tabIndex = WAYS[place_] === way ? 0 : -1;
    });
    place.setAttribute("aria-labelledby", ids[way]);
    code.setAttribute("aria-label", t(`release.same.${way}`));
    fill(code, release[way]);
  }

  show(shown);
  return el("section", { class: "card same-job" }, el("h2", {}, t("release.same.title")), el("p", { class: "intro" }, t("release.same.intro")),
    el("div", { class: "same-bar" }, bar, copy_button(() => release[shown], t("release.same.copy"))), place);
}
