// The frame of each step: open files, step bar, undo and redo, history, quit.

import * as api from "./api.js";
import { announce, ended, report } from "./banners.js";
import { confirm_dialog } from "./dialog.js";
import { el, refill } from "./dom.js";
import { STEPS, barrier, done, href, visit } from "./steps.js";
import { t } from "./texts.js";

/** Draw the header for what is shown now. */
export function draw_shell(header, store, route) {
  const doc = route.id ? store.document(route.id) : null;
  const held = focus_of(header);
  const steps = doc && STEPS.map((step) => [barrier(step, doc), done(step, doc)]);
  const names = (store.state?.documents ?? []).map(({ id, name }) => [id, name, last_step(id)]);
  const shown = [route, names, steps, doc?.can_undo, doc?.can_redo];
  if (!refill(header, shown, () => parts(store, route, doc))) return;
  for (const here of header.querySelectorAll("li > [aria-current]")) show_along(here);
  if (held && !header.contains(document.activeElement)) header.querySelector(`[data-focus="${CSS.escape(held)}"]`)?.focus();
}

function parts(store, route, doc) {
  return [
    el("div", { class: "shell-top" },
      el("a", { class: "brand", href: "#/", "data-focus": "brand" }, el("span", { class: "brand-mark", "aria-hidden": "true" }), "microcell"),
      open_files(store, route),
      el("div", { class: "shell-links" },
        el("a", { class: "button quiet small", href: "#/history", "aria-current": route.page === "history" ? "page" : null,
          "data-focus": "history" }, t("shell.history")),
        el("button", { class: "button quiet small", type: "button", "data-focus": "quit", on: { click: quit } }, t("shell.quit")))),
    doc ? step_bar(store, doc, route) : null,
  ];
}

/** Bring the current tab or step into view where there is no room for all. */
function show_along(here) {
  const line = here.closest("ul, nav");
  const item = here.parentElement;
  if (line.scrollWidth > line.clientWidth) line.scrollLeft = item.offsetLeft - line.offsetLeft;
}

/** Redrawing must not take the focus away from who stands on a link. */
function focus_of(header) {
  const active = document.activeElement;
  return header.contains(active) ? active.dataset.focus : null;
}

function open_files(store, route) {
  const documents = store.state?.documents ?? [];
  const tabs = documents.map((brief) => {
    const here = brief.id === route.id;
    const link = el("a", { href: href(brief.id, here ? route.page : last_step(brief.id)), "aria-current": here ? "page" : null,
      title: brief.name, "data-focus": `tab-${brief.id}` }, el("bdi", {}, brief.name));
    const close = el("button", { class: "tab-close", type: "button", "aria-label": t("shell.close", { name: brief.name }),
      title: t("shell.close", { name: brief.name }), "data-focus": `close-${brief.id}`, on: { click: () => close_document(store, brief, route) } }, "×");
    return el("li", { class: here ? "tab here" : "tab" }, link, close);
  });
  const fresh = el("li", { class: route.page === "start" ? "tab here" : "tab" },
    el("a", { href: "#/", "aria-current": route.page === "start" ? "page" : null, "data-focus": "new" }, t("shell.new")));
  return el("nav", { class: "files", "aria-label": t("shell.files") }, el("ul", {}, tabs, fresh));
}

const visited = new Map(); // document -> the step that was shown last

export function remember(route) {
  if (!route.id) return;
  visited.set(route.id, route.page);
  visit(route.id, route.page);
}

const last_step = (id) => visited.get(id) ?? "file";

async function close_document(store, brief, route) {
  const running = (store.state?.jobs ?? []).some((job) => job.document === brief.id && ["waiting", "running"].includes(job.state));
  const yes = await confirm_dialog({
    title: t("shell.close", { name: brief.name }),
    text: t(running ? "shell.close_running" : "shell.close_text"),
    yes: t("shell.close_yes"), danger: true,
  });
  if (!yes) return;
  try {
    if (route.id === brief.id) location.hash = "#/"; // before other tabs are told
    await api.remove(`documents/${brief.id}`);
    store.forget(brief.id);
    await store.refresh();
    announce(t("shell.closed", { name: brief.name }));
  } catch (error) {
    report(error);
  }
}

function step_bar(store, doc, route) {
  const items = STEPS.map((step, index) => {
    const reason = barrier(step, doc);
    const here = step === route.page;
    const finished = !here && reason === null && done(step, doc);
    const inside = [
      el("span", { class: "step-mark", "aria-hidden": "true" }, finished ? "✓" : index + 1),
      el("span", {}, t(`shell.step.${step}`)),
      finished ? el("span", { class: "visually-hidden" }, t("shell.done")) : null,
    ];
    const closed = reason !== null && !here;
    const link = closed
      ? el("a", { role: "link", "aria-disabled": "true", tabindex: "0", title: t(reason), "aria-description": t(reason),
        "data-focus": `step-${step}`, on: { click: () => announce(t(reason)) } }, inside)
      : el("a", { href: href(doc.id, step), "aria-current": here ? "step" : null, "data-focus": `step-${step}` }, inside);
    return el("li", { class: finished ? "finished" : null }, link);
  });
  return el("div", { class: "shell-steps" },
    el("nav", { "aria-label": t("shell.steps") }, el("ol", { class: "steps" }, items)),
    el("div", { class: "undo" }, undo_button(store, doc, "undo"), undo_button(store, doc, "redo")));
}

function undo_button(store, doc, what) {
  const able = what === "undo" ? doc.can_undo : doc.can_redo;
  return el("button", { class: "button quiet small", type: "button", "aria-disabled": able ? null : "true", title: t(`shell.${what}_title`),
    "data-focus": what, on: { click: () => step_back(store, doc.id, what) } },
  el("span", { "aria-hidden": "true" }, what === "undo" ? "↶" : "↷"), el("span", { class: "undo-word" }, t(`shell.${what}`)));
}

/** Undo or redo, if there is something. */
export async function step_back(store, id, what) {
  try {
    await store.flush();
    const doc = store.document(id);
    if (!doc || !(what === "undo" ? doc.can_undo : doc.can_redo)) return;
    await store.act(id, what);
    announce(t(`shell.${what}_done`));
  } catch (error) {
    report(error);
  }
}

async function quit() {
  const yes = await confirm_dialog({ title: t("shell.quit_title"), text: t("shell.quit_text"), yes: t("shell.quit_yes"), danger: true });
  if (!yes) return;
  try {
    await api.post("quit");
    ended();
  } catch (error) {
    report(error);
  }
}
