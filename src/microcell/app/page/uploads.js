// A file on its way to microcell: how much of it is there, and how to stop it.

import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { bytes, t } from "./texts.js";

export class Upload {
  /** `done` resolves to the Document, or to null if it was stopped or refused. */
  constructor(file, limit) {
    this.file = file;
    this.node = el("div", { class: "card upload" });
    this.done = file.size > limit
      ? this.refused(t("file.upload.too_large", { name: file.name, size: bytes(file.size), limit: bytes(limit) }))
      : file.size === 0 ? this.refused(t("file.upload.empty", { name: file.name })) : this.send();
  }

  async send() {
    const bar = el("progress", { max: 1, value: 0, "aria-label": t("file.upload.sending", { name: this.file.name }) });
    const words = el("span", { class: "muted number" });
    const { done, stop } = api.upload(this.file, (sent, whole) => {
      bar.max = whole;
      bar.value = sent;
      words.textContent = sent < whole ? t("file.upload.sent", { sent: bytes(sent), whole: bytes(whole) }) : t("file.upload.checking");
    });
    fill(this.node, el("div", { class: "spread" }, el("bdi", {}, this.file.name), words,
      el("button", { class: "button small", type: "button", on: { click: stop } }, t("shell.cancel"))), bar);
    try {
      const doc = await done;
      this.node.remove();
      return doc;
    } catch (error) {
      if (error.name === "AbortError") this.node.remove();
      else await this.refused(error.status ? error.message : t("file.upload.broken", { name: this.file.name }));
      return null;
    }
  }

  async refused(message) {
    fill(this.node, el("p", { class: "problem", role: "alert" }, message),
      el("button", { class: "button small quiet", type: "button", on: { click: () => this.node.remove() } }, t("shell.dismiss")));
    return null;
  }
}
