// How a file was read: its first records, what was found out about it, and how to put it right.

import * as api from "./api.js";
import { announce, report } from "./banners.js";
import { el, fill, refill } from "./dom.js";
import { preview_table } from "./preview.js";
import { ReadingOptions } from "./reading_options.js";
import { href } from "./steps.js";
import { bytes, number, t } from "./texts.js";

let view = null;

export function show(main, doc, { store, go }) {
  const mine = new ReadingView(main, store, go);
  view = mine;
  view.update(doc);
  store.catalogue().then((catalogue) => mine.offer(catalogue)).catch(report); // the preview need not wait for it
}

export const update = (doc) => view?.update(doc);
export const leave = () => { view = null; };

class ReadingView {
  constructor(main, store, go) {
    Object.assign(this, { store, go });
    this.title = el("h1", {});
    this.lead = el("p", { class: "lead" });
    this.problem = el("div", { role: "alert" });
    this.figures = el("dl", { class: "figures" });
    this.preview = el("section", { class: "card preview" });
    this.notices = el("div", { hidden: true });
    this.options = new ReadingOptions((reading) => this.read(reading));
    this.forward = el("div", { class: "next" });
    fill(main, this.title, this.lead, this.problem,
      el("div", { class: "stack" }, this.figures, this.notices, this.preview,
        el("div", { class: "reading-cards" }, this.options.node, this.recipe_card())), this.forward);
  }

  update(doc) {
    this.document = doc;
    const { look, problem } = doc;
    const busy = doc.jobs.some((job) => job.kind === "look" && ["waiting", "running"].includes(job.state));
    fill(this.title, el("bdi", {}, doc.name));
    this.lead.className = busy && !look ? "lead busy" : "lead";
    this.lead.textContent = look?.columns.length ? t("file.read", { n: look.n_records, columns: look.columns.length })
      : busy ? t("file.reading") : t("file.not_read");
    this.draw_problem(problem, busy, look);
    this.draw_figures(doc, look);
    this.draw_preview(look);
    this.options.update(doc, problem);
    this.draw_next(doc, busy);
  }

  offer(catalogue) {
    this.options.catalogue = catalogue;
    this.update(this.document);
  }

  /** A problem stands beside the option that it is about; here only what is about none. */
  draw_problem(problem, busy, look) {
    const here = problem && !this.options.has(problem.option);
    const key = JSON.stringify([here && problem.message, busy, Boolean(look)]);
    if (key === this.told) return;
    this.told = key;
    const again = el("button", { class: "button small", type: "button", on: { click: () => this.look_again() } }, t("file.again"));
    fill(this.problem, here ? el("div", { class: "notice bad" }, el("p", {}, problem.message), look ? null : again) : null,
      !problem && !busy && !look ? el("div", { class: "notice" }, el("p", {}, t("file.stopped")), again) : null);
  }

  draw_figures(doc, look) {
    this.figures.hidden = !look?.columns.length;
    this.notices.hidden = this.figures.hidden || look.notices.length === 0;
    if (this.figures.hidden) return fill(this.notices);
    const facts = [[t("file.records"), number(look.n_records)], [t("file.columns"), number(look.columns.length)],
      [t("file.size"), bytes(doc.size)], [t("file.format"), this.options.format_name(look.found.format)]];
    fill(this.figures, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    fill(this.notices, look.notices.length ? el("div", { class: "notice" }, el("ul", {}, look.notices.map((notice) => el("li", {}, notice)))) : null);
  }

  draw_preview(look) {
    this.preview.hidden = !look?.columns.length;
    if (!this.preview.hidden) refill(this.preview, [look.columns, look.rows], () => preview_table(look));
  }

  draw_next(doc, busy) {
    const ready = Boolean(doc.look?.inspection);
    const help = ready ? t("file.next_help") : busy && doc.look ? t("file.inspecting") : "";
    refill(this.forward, [ready, help], () => [el("p", {}, help),
      ready ? el("a", { class: "button primary", href: href(doc.id, "columns") }, t("file.next"))
        : el("button", { class: "button primary", type: "button", disabled: true }, t("file.next"))]);
  }

  recipe_card() {
    const input = el("input", { type: "file", accept: ".toml", class: "visually-hidden", tabindex: "-1", "aria-hidden": "true",
      on: { change: () => this.use_recipe(input) } });
    this.recipe_problem = el("div", { role: "alert" });
    return el("section", { class: "card" }, el("h2", {}, t("file.recipe.title")), el("p", { class: "muted" }, t("file.recipe.text")),
      el("button", { class: "button", type: "button", on: { click: () => input.click() } }, t("file.recipe.choose")), input, this.recipe_problem);
  }

  async use_recipe(input) {
    const [file] = input.files;
    if (!file) return;
    fill(this.recipe_problem);
    try {
      await this.store.flush();
      this.store.take(await api.post_text(`documents/${this.document.id}/recipe`, await file.text()));
      announce(t("file.recipe.used", { name: file.name }));
      this.go(this.document.id, "columns");
    } catch (error) {
      if (error.status) fill(this.recipe_problem, el("p", { class: "problem" }, error.message));
      else report(error);
    } finally {
      input.value = "";
    }
  }

  async read(reading) {
    try {
      this.store.take(await api.put(`documents/${this.document.id}/reading`, reading));
    } catch (error) {
      if (this.options.has(error.option)) this.options.tell(error);
      else report(error);
    }
  }

  async look_again() {
    try {
      await api.post(`documents/${this.document.id}/look`);
    } catch (error) {
      report(error);
    }
  }
}
