// Releases in a list: their files, their settings again, and taking them back, with undo.

import * as api from "./api.js";
import { announce, report } from "./banners.js";
import { el, fill } from "./dom.js";
import { lost } from "./figures.js";
import { download_links } from "./release_files.js";
import { to_decide } from "./release_result.js";
import { number, t, time } from "./texts.js";

const SECONDS = 60; // in which the server can give a release back
const taken = new Map(); // id -> {release, until}; over all lists

/** A list; `sync(releases)` draws it, `used(doc)` is called after settings were taken again. */
export function release_list({ store, used, show = null, empty = "" }) {
  const node = el("div", { class: "release-list" });
  let drawn = "";
  let seen = [];

  async function take_back(release) {
    await attempt(() => api.remove(`releases/${release.id}`));
    taken.set(release.id, { release, until: Date.now() + SECONDS * 1000 });
    setTimeout(() => sync(seen), SECONDS * 1000 + 50);
    announce(t("history.taken", { name: release.name }));
    await refresh(release);
    node.querySelector(`[data-release="${CSS.escape(release.id)}"] button`)?.focus();
  }

  async function give_back(release) {
    await attempt(() => api.post(`releases/${release.id}/undo`));
    taken.delete(release.id);
    announce(t("history.given_back", { name: release.name }));
    await refresh(release);
    node.querySelector(`[data-release="${CSS.escape(release.id)}"] a`)?.focus();
  }

  async function use_again(release) {
    const doc = await attempt(() => api.post(`releases/${release.id}/settings`));
    if (doc) used(store.take(doc), release);
  }

  async function refresh(release) {
    await attempt(async () => {
      await store.refresh();
      if (store.document(release.document)) await store.load(release.document);
    });
    sync(seen);
  }

  function row(release) {
    if (taken.has(release.id)) {
      return el("li", { class: "release-row taken", "data-release": release.id }, el("span", {}, t("history.taken", { name: release.name })),
        el("button", { type: "button", class: "button small", on: { click: () => give_back(release) } }, t("history.undo")));
    }
    const about = t("history.about", { method: release.method, k: number(release.k), n: release.n_records });
    const loss = typeof release.loss === "number" ? ` · ${t("history.loss", { loss: lost(release.loss) })}` : "";
    return el("li", { class: "release-row", "data-release": release.id },
      el("div", { class: "release-about" }, el("b", {}, el("bdi", {}, release.name)), el("span", { class: "muted" }, time(release.made)), el("span", {}, about + loss),
        to_decide(release) > 0 && el("span", { class: "to-decide" }, t("history.decide", { n: to_decide(release) }))),
      download_links(release),
      el("div", { class: "row" },
        show && el("button", { type: "button", class: "button small", on: { click: () => show(release) } }, t("history.show")),
        el("button", { type: "button", class: "button small", "aria-label": t("history.again_this", { name: release.name }), on: { click: () => use_again(release) } }, t("history.again")),
        el("button", { type: "button", class: "button small quiet", "aria-label": t("history.take_back_this", { name: release.name }), on: { click: () => take_back(release) } }, t("history.take_back"))));
  }

  /** Those that were just taken back stay in their place, with a way to undo it. */
  function sync(releases) {
    seen = releases;
    const now = Date.now();
    for (const [id, { until }] of taken) if (until < now) taken.delete(id);
    const there = new Set(releases.map(({ id }) => id));
    const gone = [...taken.values()].map(({ release }) => release).filter(({ id, document: of }) => !there.has(id) && (!node.dataset.document || node.dataset.document === of));
    const all = [...releases, ...gone].sort((a, b) => b.made.localeCompare(a.made));
    const key = JSON.stringify(all.map(({ id }) => [id, taken.has(id)]));
    if (key === drawn) return;
    drawn = key;
    fill(node, all.length ? el("ul", {}, all.map(row)) : el("p", { class: "empty" }, empty));
  }

  return { node, sync };
}

async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    report(error);
    return null;
  }
}
