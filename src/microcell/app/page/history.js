// History: the releases of this run, of all files.

import { announce } from "./banners.js";
import { el, fill } from "./dom.js";
import { release_list } from "./release_list.js";
import { t } from "./texts.js";

let list = null;
let source = null;

/** Fill a page or a section; `main` may have a heading of its own already. */
export async function show(main, _doc, { store, go }) {
  source = store;
  list = release_list({ store, empty: t("history.empty"), used: (doc, release) => {
    go(doc.id, "protect");
    announce(t("history.used", { name: release.name }));
  } });
  const is_page = main.classList.contains("page");
  fill(main, el(is_page ? "h1" : "h2", {}, t("history.title")), el("p", { class: is_page ? "lead" : "intro" }, t("history.lead")), list.node);
  update();
}

export function update() {
  list?.sync(source.state?.releases ?? []);
}

export function leave() {
  list = null;
}
