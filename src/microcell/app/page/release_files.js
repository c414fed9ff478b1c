// The files of a release, to be downloaded.

import { el } from "./dom.js";
import { bytes, t } from "./texts.js";

const FILES = ["release", "report", "certificate", "recipe", "source_key"];

export const file_address = ({ id }, what) => `/api/releases/${encodeURIComponent(id)}/files/${what}`;

/** Large buttons with what each file is for. */
export function download_cards(release) {
  return el("ul", { class: "downloads" }, there(release).map((what) => {
    const { name, size } = release.files[what];
    return el("li", {}, el("a", { class: what === "release" ? "download first" : "download", href: file_address(release, what), download: name },
      el("b", {}, t(`release.files.${what}.title`)), el("small", {}, t(`release.files.${what}.text`)),
      el("span", { class: "file-name" }, `${name} · ${bytes(size)}`)));
  }));
}

/** Small links, for a list. */
export function download_links(release) {
  return el("span", { class: "row download-links" }, there(release).map((what) =>
    el("a", { href: file_address(release, what), download: release.files[what].name,
      "aria-label": t("release.download_this", { what: t(`release.files.${what}.title`), name: release.name }) }, t(`release.files.${what}.short`))));
}

const there = (release) => FILES.filter((what) => release.files?.[what]);
