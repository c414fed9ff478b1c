// Jobs that run now, on each step: what they do, how far they are, and how to end them.

import * as api from "./api.js";
import { report } from "./banners.js";
import { el, fill } from "./dom.js";
import { duration, t } from "./texts.js";

const rows = new Map();

export const running = (job) => job.state === "waiting" || job.state === "running";

/** Draw the bar; a row stays the same element while its job runs, so the focus stays. */
export function draw_jobs(place, state) {
  const jobs = (state?.jobs ?? []).filter(running);
  for (const [id, row] of rows) {
    if (!jobs.some((job) => job.id === id)) {
      row.node.remove();
      rows.delete(id);
    }
  }
  for (const job of jobs) {
    if (!rows.has(job.id)) rows.set(job.id, new Row(job));
    const row = rows.get(job.id);
    row.update(job, state);
    if (!row.node.isConnected) place.append(row.node);
  }
  place.hidden = jobs.length === 0;
}

class Row {
  constructor(job) {
    this.words = el("span", { class: "job-words" });
    this.bar = el("progress", {});
    this.cancel = el("button", { class: "button small", type: "button", on: { click: () => this.stop(job) } }, t("shell.job.cancel"));
    this.node = el("div", { class: "job" }, el("div", { class: "job-row" }, this.words, this.cancel), this.bar);
  }

  update(job, state) {
    const name = state.documents.find((brief) => brief.id === job.document)?.name ?? "";
    const doing = job.state === "waiting" ? t(job.ahead ? "shell.job.waiting" : "shell.job.queued", { n: job.ahead }) : job.step || t("shell.job.starting");
    const lasting = job.seconds >= 3 ? duration(job.seconds) : "";
    fill(this.words, el("b", {}, t(`shell.job.${job.kind}`)), " ", el("bdi", {}, name),
      el("span", { class: "muted" }, ` · ${[doing, lasting].filter(Boolean).join(" · ")}`));
    this.bar.setAttribute("aria-label", `${t(`shell.job.${job.kind}`)} ${name}`);
    if (job.total) {
      this.bar.max = job.total;
      this.bar.value = job.done ?? 0;
    } else {
      this.bar.removeAttribute("value");
    }
  }

  async stop(job) {
    this.cancel.disabled = true;
    try {
      await api.remove(`jobs/${job.id}`);
    } catch (error) {
      this.cancel.disabled = false;
      report(error);
    }
  }
}
