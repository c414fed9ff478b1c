// The start: drop a file, try the example, or open a file of a named folder.

import * as api from "./api.js";
import { announce, report } from "./banners.js";
import { el, fill, uid } from "./dom.js";
import { folders_card } from "./folders.js";
import { bytes, list, t } from "./texts.js";
import { Upload } from "./uploads.js";

let view = null;
const under_way = new Set(); // uploads go on while another step is shown

export function show(main, _, { store, go }) {
  const mine = new StartView(main, store, go);
  view = mine;
  store.catalogue().then(({ formats }) => mine.name_formats(formats)).catch(report); // the page need not wait for it
}

export function update() {
  view?.update();
}

export function leave() {
  view?.end();
  view = null;
}

class StartView {
  constructor(main, store, go) {
    Object.assign(this, { store, go, uploads: el("div", { class: "stack uploads" }), ended: new AbortController() });
    this.formats = el("span", {});
    this.history = el("p", { class: "start-history" });
    fill(main, el("h1", {}, t("file.start.title")), el("p", { class: "lead" }, t("file.start.lead")),
      el("div", { class: "start" }, el("div", { class: "stack" }, this.drop_zone(), this.uploads),
        el("div", { class: "stack" }, this.demo_card(), folders_card(store.state?.folders ?? [], (path) => this.open(path)))),
      this.history);
    for (const upload of under_way) this.uploads.append(upload.node);
    this.update();
  }

  update() {
    const n = (this.store.state?.releases ?? []).length;
    fill(this.history, n ? el("a", { href: "#/history" }, t("file.start.history", { n })) : null);
    const limit = this.store.state?.upload_limit;
    this.limit.textContent = limit ? t("file.start.limit", { limit: bytes(limit) }) : "";
  }

  name_formats(formats) {
    const all = [...new Set(formats.map((format) => format.name))];
    const names = all.filter((name) => !all.some((other) => other !== name && name.includes(other))); // "CSV", not "CSV in gzip"
    this.formats.textContent = names.length ? `${t("file.start.formats", { names: list(names) })} ` : "";
    this.input.accept = formats.map((format) => format.suffix).join(",");
  }

  drop_zone() {
    const name = uid("drop");
    this.limit = el("span", {});
    this.input = el("input", { type: "file", multiple: true, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true",
      on: { change: () => this.send([...this.input.files]) } });
    const choose = el("button", { class: "button primary", type: "button", "aria-describedby": name, on: { click: () => this.input.click() } },
      t("file.start.choose"));
    this.zone = el("div", { class: "drop card" }, drop_mark(), el("p", { class: "drop-title" }, t("file.start.drop")), choose, this.input,
      el("p", { class: "hint", id: name }, this.formats, this.limit, " ", t("file.start.stays")));
    const { signal } = this.ended;
    const over = (yes) => this.zone.classList.toggle("over", yes);
    window.addEventListener("dragover", () => over(true), { signal });
    window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); }, { signal });
    window.addEventListener("drop", (event) => {
      over(false);
      this.send([...event.dataTransfer.files]);
    }, { signal });
    return this.zone;
  }

  demo_card() {
    const button = el("button", { class: "button", type: "button", on: { click: () => this.demo(button) } }, t("file.start.demo_button"));
    return el("section", { class: "card" }, el("h2", {}, t("file.start.demo")), el("p", { class: "muted" }, t("file.start.demo_text")), button);
  }

  async demo(button) {
    button.disabled = true;
    fill(button, el("span", { class: "busy" }, t("file.start.demo_busy")));
    await this.take(() => api.post("documents/demo"));
    button.disabled = false;
    button.textContent = t("file.start.demo_button");
  }

  open(path) {
    return this.take(() => api.post("documents/open", { path }));
  }

  async take(asked) {
    try {
      const doc = this.store.take(await asked());
      if (!this.ended.signal.aborted) this.go(doc.id, "file");
    } catch (error) {
      report(error);
    }
  }

  /** Several files at once are several documents; one file is shown as soon as it is there. */
  async send(files) {
    this.input.value = "";
    const limit = this.store.state?.upload_limit ?? Infinity;
    const sent = files.map((file) => {
      const upload = new Upload(file, limit);
      this.uploads.append(upload.node);
      under_way.add(upload);
      return upload.done.finally(() => under_way.delete(upload));
    });
    if (sent.length) announce(t("file.upload.begun", { n: sent.length, name: files[0].name }));
    const documents = (await Promise.all(sent)).filter(Boolean);
    for (const doc of documents) this.store.take(doc);
    if (documents.length && !this.ended.signal.aborted) this.go(documents[0].id, "file");
  }

  end() {
    this.ended.abort(); // listeners of the window; an upload that runs goes on
  }
}

const drop_mark = () => el("span", { class: "drop-mark", "aria-hidden": "true" }, "↓");
