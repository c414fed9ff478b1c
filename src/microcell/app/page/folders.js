// Files that lie in a folder that was named when microcell was started: they are read where they are.

import * as api from "./api.js";
import { report } from "./banners.js";
import { el, fill } from "./dom.js";
import { bytes, t } from "./texts.js";

/** A card with the folders; `open(path)` is called with the file that was chosen. */
export function folders_card(folders, open) {
  const card = el("section", { class: "card" }, el("h2", {}, t("file.folders.title")));
  if (!folders.length) {
    card.append(el("p", { class: "muted" }, t("file.folders.none")), el("pre", {}, "microcell app --folder FOLDER"));
    return card;
  }
  const place = el("div", { class: "folders" });
  card.append(place);
  show_folder(place, folders.length === 1 ? folders[0] : "", open, false);
  return card;
}

async function show_folder(place, path, open, focus = true) {
  try {
    const { entries } = await api.get(`folders?path=${encodeURIComponent(path)}`);
    const go = (to) => show_folder(place, to, open);
    fill(place, crumbs(path, go), entries.length
      ? el("ul", { class: "folder-entries" }, entries.map((entry) => row(entry, path, go, open)))
      : el("p", { class: "empty" }, t("file.folders.empty")));
    if (focus) place.querySelector(".crumbs [aria-current]")?.focus();
  } catch (error) {
    report(error);
  }
}

function crumbs(path, go) {
  const parts = path.split("/").filter(Boolean);
  const links = [["", t("file.folders.all")], ...parts.map((part, place) => [parts.slice(0, place + 1).join("/"), part])];
  return el("nav", { class: "crumbs", "aria-label": t("file.folders.where") }, el("ol", {}, links.map(([to, name], place) => {
    const here = place === links.length - 1;
    return el("li", {}, here ? el("span", { "aria-current": "location", tabindex: "-1" }, el("bdi", {}, name))
      : el("button", { class: "link", type: "button", on: { click: () => go(to) } }, el("bdi", {}, name)));
  })));
}

function row(entry, path, go, open) {
  const whole = path ? `${path}/${entry.name}` : entry.name;
  const able = entry.folder || entry.openable;
  return el("li", {}, el("button", { type: "button", disabled: !able, title: able ? null : t("file.folders.unknown"),
    on: { click: () => (entry.folder ? go(whole) : open(whole)) } },
  el("span", { class: entry.folder ? "entry-folder" : "entry-file", "aria-hidden": "true" }),
  el("bdi", { class: "entry-name" }, entry.name),
  entry.folder ? el("span", { class: "visually-hidden" }, t("file.folders.folder")) : el("span", { class: "number muted" }, bytes(entry.size ?? 0))));
}
