// A job on its way: its step, how far it is, how long it takes, and a way to stop it.

import { el, fill } from "./dom.js";
import { duration, t } from "./texts.js";

const ALIVE = ["waiting", "running"];

export const is_alive = (job) => ALIVE.includes(job?.state);

/** The newest job of a kind, or undefined. */
export const latest_job = (doc, kind) => doc.jobs.filter((job) => job.kind === kind).at(-1);

/** What shows a job; `sync(job)` as news come, `stop(job)` when somebody cancels. */
export function job_progress(stop) {
  let job = null;
  let heard = 0;
  const step = el("p", { class: "work-step busy" });
  const bar = el("progress", { "aria-label": t("release.progress") });
  const took = el("p", { class: "work-took muted number" });
  const cancel = el("button", { type: "button", class: "button small", on: { click: () => press() } });
  const node = el("div", { class: "work card", tabindex: "-1", role: "group", "aria-label": t("release.progress"), hidden: true }, el("div", { class: "spread" }, step, cancel), bar, took);
  const clock = setInterval(() => (node.isConnected || !heard ? tick() : clearInterval(clock)), 1000);

  async function press() {
    cancel.disabled = true;
    fill(cancel, t("release.cancelling"));
    await stop(job);
  }

  function tick() {
    if (!is_alive(job)) return;
    const seconds = job.seconds + (performance.now() - heard) / 1000;
    const share = job.total ? `${Math.floor((100 * job.done) / job.total)} % · ` : "";
    fill(took, share, job.state === "waiting" ? "" : t("release.elapsed", { time: duration(seconds) }));
  }

  function sync(news) {
    node.hidden = !is_alive(news);
    if (!is_alive(news)) return;
    if (news.id !== job?.id) {
      cancel.disabled = false;
      fill(cancel, t("release.cancel"));
    }
    if (news !== job) heard = performance.now();
    job = news;
    const waits = job.state === "waiting";
    fill(step, waits ? t("release.waiting", { n: job.ahead }) : job.step || t("release.starting"));
    if (job.total) Object.assign(bar, { max: job.total, value: job.done });
    else bar.removeAttribute("value");
    tick();
  }

  return { node, sync, focus: () => node.focus(), has_focus: () => node.contains(document.activeElement) };
}
