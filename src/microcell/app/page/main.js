// The page: which step the address names, and what happens when the server tells something.
//
// Each step is a module with `show(main, doc, tools)` and perhaps `update(doc)` and
// `leave()`; tools = {store, api, t, texts, el, svg, fill, uid, report, announce, confirm_dialog, go}.
// "#/history" shows history.js as `show(main, null, tools)`; it may read store.state.releases.

import * as api from "./api.js";
import { announce, clear, locked, offline, report } from "./banners.js";
import { confirm_dialog } from "./dialog.js";
import { el, fill, svg, uid } from "./dom.js";
import { draw_jobs, running } from "./jobs.js";
import { draw_shell, remember, step_back } from "./shell.js";
import { STEPS, href } from "./steps.js";
import { Store } from "./store.js";
import * as texts from "./texts.js";

const { t } = texts;
const store = new Store();
const go = (id, step) => { location.hash = href(id, step); };
const tools = { store, api, t, texts, el, svg, fill, uid, report, announce, confirm_dialog, go };
const main = document.getElementById("main");
const header = document.getElementById("header");
let route = { page: "start", id: null };
let shown = null; // the module of the step
let why_here = null; // an error that led to the start
let turn = 0; // of navigation: a slow answer must not draw over a later step

function read_route() {
  const [, kind, id, step] = location.hash.split("/");
  if (kind === "history") return { page: "history", id: null };
  if (kind === "document" && id) return { page: STEPS.includes(step) ? step : "file", id: decodeURIComponent(id) };
  return { page: "start", id: null };
}

const module_of = (page) => import(`./${page === "start" ? "file" : page}.js`);

async function navigate({ focus = true } = {}) {
  const mine = ++turn;
  const before = shown;
  shown = null;
  before?.leave?.();
  route = read_route();
  remember(route);
  clear();
  if (why_here) report(why_here);
  why_here = null;
  try {
    await store.flush();
    const doc = route.id ? (await store.load(route.id)) : null;
    const module = await module_of(route.page);
    if (mine !== turn) return;
    draw_shell(header, store, route);
    const page = el("div", { class: `page page-${route.page}` });
    fill(main, page);
    await module.show(page, doc, tools);
    if (mine !== turn) return;
    shown = module;
    title(doc);
    if (focus) arrive();
  } catch (error) {
    if (mine !== turn) return;
    if (error.status === 404) return closed(error);
    fill(main, el("h1", {}, t(`shell.step.${route.page}`))); // not the step that was left
    report(error);
  }
}

/** The file is no longer open, here or in another tab. */
function closed(error) {
  if (route.id) store.forget(route.id);
  why_here = error;
  location.hash = "#/";
}

function title(doc) {
  const step = t(`shell.step.${route.page}`);
  document.title = doc ? `${step} · ${doc.name} · microcell` : `${step} · microcell`;
}

/** The keyboard and the screen reader go on at the step's heading. */
function arrive() {
  window.scrollTo(0, 0);
  const heading = main.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  announce(heading.textContent);
}

let drawn = false;

/** Many changes may come at once: the page is drawn once for them. */
function redraw_soon() {
  if (drawn) return;
  drawn = true;
  queueMicrotask(() => {
    drawn = false;
    draw_shell(header, store, route);
    draw_jobs(document.getElementById("jobs"), store.state);
    const doc = route.id ? store.document(route.id) : null;
    if (shown && (doc || !route.id)) shown.update?.(doc);
  });
}

const told_of = new Map();

function job_ended(job) {
  const before = told_of.get(job.id);
  told_of.set(job.id, job.state);
  if (running(job) || before === job.state || before === undefined) return;
  const name = store.state?.documents.find((brief) => brief.id === job.document)?.name ?? "";
  announce(t(`shell.job.${job.state}`, { what: t(`shell.job.${job.kind}`), name }));
  if (job.state === "failed" && job.error && !["look", "recipe"].includes(job.kind)) report(job.error);
}

async function heard(event) {
  store.heard(event);
  try {
    if (event.type === "job") job_ended(event.job);
    if (event.type === "state") await store.refresh();
    const gone = route.id && event.type === "state" && !store.state.documents.some((brief) => brief.id === route.id);
    if (gone || (event.type === "document" && event.id === route.id)) await store.load(route.id);
  } catch (error) {
    if (error.status !== 404) report(error);
    else if (shown && route.id) closed(error);
  }
}

async function opened() {
  try {
    await store.refresh();
    offline(false);
    if (route.id) await store.load(route.id);
  } catch (error) {
    if (error.status === 404) closed(error);
    else unreachable(error);
  }
}

async function lost() {
  try {
    await store.refresh(); // a short break of the line is nothing to tell
  } catch (error) {
    unreachable(error);
  }
}

/** The state is refused only to who has no key. */
function unreachable(error) {
  if (error.status === 401 || error.status === 403) locked();
  else report(error);
}

function keys(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !route.id) return;
  const typing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, dialog, [contenteditable]");
  const key = event.key.toLowerCase();
  if (typing || (key !== "z" && key !== "y")) return;
  event.preventDefault();
  step_back(store, route.id, key === "y" || event.shiftKey ? "redo" : "undo");
}

async function start() {
  await texts.load_texts();
  const skip = document.getElementById("skip");
  skip.textContent = t("shell.skip");
  skip.addEventListener("click", (event) => { // the address names the step: it stays
    event.preventDefault();
    const target = main.querySelector("h1") ?? main;
    target.tabIndex = -1;
    target.focus();
  });
  store.subscribe((event) => (event.type === "problem" ? report(event.error) : redraw_soon()));
  window.addEventListener("hashchange", () => navigate());
  window.addEventListener("keydown", keys);
  for (const kind of ["dragover", "drop"]) { // a file that misses its place must not replace the page
    window.addEventListener(kind, (event) => event.preventDefault());
  }
  window.addEventListener("pagehide", () => { store.flush(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden) store.flush(); });
  try {
    await store.refresh();
  } catch (error) {
    unreachable(error);
    if (error.status) return;
  }
  await navigate({ focus: false });
  api.listen({ opened, told: heard, lost });
}

start();
