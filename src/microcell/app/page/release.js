// Release: what will happen, the button, how far it is, and what came of it.

import * as api from "./api.js";
import { announce, clear, report } from "./banners.js";
import { el, fill, uid } from "./dom.js";
import { is_alive, job_progress, latest_job } from "./job_progress.js";
import { keep, recall } from "./memory.js";
import { release_checklist } from "./release_checklist.js";
import { release_list } from "./release_list.js";
import { release_result } from "./release_result.js";
import { repairs } from "./repairs.js";
import { href } from "./steps.js";
import { t } from "./texts.js";

let screen = null;

export async function show(main, doc, { store }) {
  screen = release_screen(store, await store.catalogue(), doc);
  fill(main, screen.node);
  screen.sync(doc);
}

export function update(doc) {
  screen?.sync(doc);
}

export function leave() {
  screen = null;
}

function release_screen(store, catalogue, { id, ...opened }) {
  const checklist = release_checklist(catalogue, id);
  const form = release_form(catalogue, { id, ...opened }, start);
  const progress = job_progress((job) => api.remove(`jobs/${job.id}`).catch(report));
  const outcome = el("div", { class: "stack", "aria-live": "polite" });
  const result = el("div", {});
  const earlier = release_list({ store, used: () => announce(t("release.settings_used")), show: (release) => open(release.id, true) });
  earlier.node.dataset.document = id;
  const earlier_section = el("section", {}, el("h2", {}, t("release.earlier")), earlier.node);
  const node = el("div", {}, el("h1", {}, t("release.title")), el("p", { class: "lead" }, t("release.lead")),
    el("div", { class: "with-side release-plan" }, checklist.node, form.node), progress.node, outcome, result, earlier_section);
  let shown = null; // the release that is open
  let before = null; // the newest release that there was when the button was pressed
  let asked = false; // whether somebody waits for the one that runs now

  async function start(wish) {
    asked = true;
    form.busy(true);
    try {
      await store.flush();
      await api.post(`documents/${id}/release`, wish);
      await store.load(id);
    } catch (error) {
      asked = false;
      report(error);
    }
    sync(store.document(id));
    if (asked) progress.focus(); // for the button that was pressed is disabled
  }

  function open(release_id, go_there = false) {
    shown = release_id;
    const release = store.document(id).releases.find((each) => each.id === shown);
    fill(result, release && release_result(release));
    if (!release || !go_there) return;
    result.scrollIntoView({ block: "start" });
    result.querySelector(".verdict-words").focus({ preventScroll: true });
  }

  function sync(doc) {
    if (!doc?.draft) return;
    const job = latest_job(doc, "release");
    checklist.sync(doc);
    form.busy(is_alive(job), doc.checked?.error);
    form.ask(doc);
    progress.sync(is_alive(job) ? job : null);
    draw_outcome(doc, job);
    const releases = [...doc.releases].sort((a, b) => b.made.localeCompare(a.made));
    const newest = releases[0]?.id ?? null;
    const is_there = releases.some((release) => release.id === shown);
    if (asked && job && !is_alive(job) && (job.state !== "done" || newest !== before)) {
      asked = false;
      if (job.state === "done" && newest) open(newest, true);
      else open(null); // what was released before is no answer to what was asked now
    } else if (!is_there && (shown !== null || newest !== before) && !has_failed(job, doc.draft)) open(newest);
    if (!is_alive(job) && !asked) before = newest;
    earlier.sync(releases);
    earlier_section.hidden = !earlier.node.querySelector("li");
  }

  function draw_outcome({ checked, draft }, job) {
    const said = [];
    if (checked?.error) {
      said.push(el("div", { class: "notice bad" }, el("h2", {}, t("release.draft_wrong")), el("p", {}, checked.error.message), repairs(checked.error, store, id), el("a", { href: href(id, "protect") }, t("release.to_protect"))));
    }
    if (has_failed(job, draft)) said.push(failure(job, store, id));
    if (job?.state === "cancelled") said.push(el("p", { class: "notice" }, t("release.cancelled")));
    const key = said.map((each) => each.textContent).join("\n");
    if (outcome.dataset.key === key) return;
    outcome.dataset.key = key;
    fill(outcome, said);
    if (job?.state === "failed") clear(); // the banner would say the same
  }

  return { node, sync };
}

const failed_with = new Map(); // the settings of jobs that failed, by job

/** Whether a job failed with the settings that hold now: of others, its sentence says nothing any more. */
function has_failed(job, draft) {
  if (job?.state !== "failed") return false;
  if (!failed_with.has(job.id)) failed_with.set(job.id, JSON.stringify(draft));
  return failed_with.get(job.id) === JSON.stringify(draft);
}

/** Nothing was released: why, in the library's words, and the ways out. */
function failure({ error }, store, id) {
  const broken = /promise failed/i.test(error?.message ?? "");
  return el("div", { class: "notice bad" }, el("h2", {}, t(broken ? "release.withheld" : "release.failed")), el("p", {}, error?.message ?? t("release.no_reason")),
    repairs(error, store, id) ?? el("p", {}, t(broken ? "release.way_out_promise" : "release.way_out")),
    el("div", { class: "row" },
      error?.column && !error.option ? el("a", { class: "button small", href: href(id, "columns") }, t("release.to_columns")) : null,
      el("a", { class: "button small", href: href(id, "protect") }, t("release.to_protect")), el("a", { class: "button small", href: href(id, "compare") }, t("release.to_compare"))));
}

function release_form(catalogue, doc, start) {
  const name = `release ${doc.id}`;
  const bare = (suffix) => suffix?.replace(/^\./, "");
  const formats = catalogue.formats.filter(({ writes }) => writes).map((format) => ({ ...format, suffix: bare(format.suffix) }));
  const own = bare(doc.reading?.format ?? doc.look?.found?.format);
  const usual = formats.some(({ suffix }) => suffix === own) ? own : formats[0]?.suffix ?? "csv";
  const wish = recall(name, { format: usual, purpose: "", author: "" });
  const set = (field) => (event) => {
    wish[field] = event.target.value;
    keep(name, wish);
  };
  const ids = { format: uid("format"), purpose: uid("purpose"), author: uid("author") };
  const seen = el("input", { type: "checkbox" });
  const asks = el("label", { class: "check roles-seen", hidden: true }, seen, el("span", {}));
  const button = el("button", { type: "submit", class: "button primary" }, t("release.make"));
  const node = el("form", { class: "card release-form", on: { submit: (event) => {
    event.preventDefault();
    if (!button.disabled) start({ ...wish, confirmed: seen.checked });
  } } },
  el("h2", {}, t("release.form")),
  el("div", { class: "field" }, el("label", { for: ids.format }, t("release.format")),
    el("select", { id: ids.format, value: wish.format, on: { change: set("format") } }, formats.map(({ suffix, name: words }) => el("option", { value: suffix }, `${words} (.${suffix})`)))),
  el("div", { class: "field" }, el("label", { for: ids.purpose }, t("release.purpose")), el("input", { type: "text", id: ids.purpose, value: wish.purpose, maxlength: 2000, placeholder: t("release.purpose_example"), on: { input: set("purpose") } })),
  el("div", { class: "field" }, el("label", { for: ids.author }, t("release.author")), el("input", { type: "text", id: ids.author, value: wish.author, maxlength: 2000, autocomplete: "name", on: { input: set("author") } })),
  el("p", { class: "hint" }, t("release.words_hint")), asks, button);
  return { node, ask({ confirmed, look }) { // once for the roles that hold, before they are released
    if (asks.hidden === confirmed) return;
    asks.hidden = confirmed;
    seen.required = !confirmed;
    seen.checked = false;
    fill(asks.lastChild, t("release.roles_seen", { n: look?.columns.length ?? 0 }));
  }, busy(is_busy, wrong = null) {
    button.disabled = is_busy || Boolean(wrong);
    fill(button, t(is_busy ? "release.making" : "release.make"));
  } };
}
