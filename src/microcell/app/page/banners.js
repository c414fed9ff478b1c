// What stands above each step: a problem, or that microcell has ended; and what is said aloud.

import { el, fill } from "./dom.js";
import { Offline } from "./api.js";
import { t } from "./texts.js";

const place = () => document.getElementById("banners");
let gone = false;

/** Show an error that no field is about. */
export function report(error) {
  if (error?.name === "AbortError") return;
  if (error instanceof Offline) return offline(true);
  const close = el("button", { class: "button small quiet", type: "button", on: { click: clear } }, t("shell.dismiss"));
  const words = error?.message || String(error);
  fill(place(), el("div", { class: "notice bad spread", role: "alert" }, el("span", {}, words), close));
}

export function clear() {
  if (!gone) fill(place());
}

/** The server is gone, or is there again. */
export function offline(is_gone) {
  if (gone === is_gone) return;
  gone = is_gone;
  document.body.classList.toggle("offline", gone);
  if (!gone) return fill(place());
  fill(place(), el("div", { class: "notice bad", role: "alert" }, el("h2", {}, t("shell.offline.title")),
    el("p", {}, t("shell.offline.text"))));
}

/** This browser holds no key. */
export function locked() {
  document.getElementById("header").hidden = true;
  fill(document.getElementById("jobs"));
  fill(document.getElementById("main"), el("div", { class: "page" }, el("h1", { tabindex: "-1" }, t("shell.locked.title")),
    el("p", { class: "lead" }, t("shell.locked.text"))));
}

/** microcell was ended by this page. */
export function ended() {
  gone = true;
  locked();
  fill(place());
  fill(document.getElementById("main"), el("div", { class: "page" }, el("h1", { tabindex: "-1" }, t("shell.ended.title")),
    el("p", { class: "lead" }, t("shell.ended.text"))));
}

/** Say something to a screen reader. */
export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  setTimeout(() => { live.textContent = text; }, 50);
}
