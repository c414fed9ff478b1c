// The step Columns: what each column is, and what the columns tell together.

import { announce, report } from "./banners.js";
import { ColumnCard } from "./column_card.js";
import { ColumnList } from "./column_list.js";
import { el, fill, refill } from "./dom.js";
import { ROLES, allow_unique, roles_of, set_kind, set_role } from "./roles.js";
import { draw_findings, draw_singling } from "./singling.js";
import { href } from "./steps.js";
import { survey_card } from "./survey.js";
import { t } from "./texts.js";

let view = null;

export function show(main, doc, { store }) {
  view = new ColumnsView(main, store);
  view.update(doc);
}

export const update = (doc) => view?.update(doc);
export const leave = () => { view = null; };

class ColumnsView {
  constructor(main, store) {
    Object.assign(this, { main, store, inspection: null });
  }

  update(doc) {
    this.document = doc;
    const inspection = doc.look?.inspection ?? null;
    if (!inspection) return this.wait();
    if (inspection !== this.inspection && !same_columns(inspection, this.inspection)) this.build(inspection);
    const seen = [inspection, doc.draft, doc.checked];
    if (this.inspection && seen.every((part, place) => part === this.seen?.[place])) return; // a job went on, no more
    Object.assign(this, { inspection, seen });
    this.refresh();
  }

  wait() {
    Object.assign(this, { inspection: null, seen: null });
    const words = this.document.problem && !this.document.jobs.some((job) => job.state === "running")
      ? el("p", { class: "notice bad" }, this.document.problem.message) : el("p", { class: "busy" }, t("columns.waiting"));
    fill(this.main, el("h1", {}, t("columns.title")), words, el("p", {}, el("a", { href: href(this.document.id, "file") }, t("columns.to_file"))));
  }

  build(inspection) {
    const asks = {
      role: (names, role) => this.set_role(names, role),
      kind: (name, kind) => this.store.edit(this.document.id, (entries) => set_kind(entries, name, kind)),
      allow: (name, yes) => this.store.edit(this.document.id, (entries) => allow_unique(entries, name, yes)),
      selected: () => this.list.tell_selected(),
    };
    this.cards = inspection.columns.map((column) => new ColumnCard(column, asks));
    this.list = new ColumnList(this.cards, asks);
    this.singling = el("section", { class: "card" });
    this.findings = el("section", { class: "card" });
    this.survey = survey_card(inspection, this.store, this.document.id);
    this.warning = el("div", { role: "alert" });
    this.count = el("p", { class: "lead" });
    this.forward = el("div", { class: "next" });
    fill(this.main, el("h1", {}, t("columns.title")), this.count, legend(), this.warning,
      el("div", { class: "with-side" }, el("div", { class: "stack" }, this.list.node, this.forward),
        el("aside", { "aria-label": t("columns.aside") }, this.singling, this.survey.node, this.findings, this.propose_again())));
    draw_findings(this.findings, inspection);
  }

  propose_again() {
    return el("button", { class: "button quiet", type: "button", on: { click: async () => {
      try {
        await this.store.act(this.document.id, "proposal");
        announce(t("columns.proposed_again"));
      } catch (error) {
        report(error);
      }
    } } }, t("columns.propose"));
  }

  refresh() {
    const entries = this.document.draft;
    const roles = roles_of(entries, this.inspection.columns.map((column) => column.name));
    const problem = this.document.checked?.error ?? null;
    for (const card of this.cards) {
      const { name } = card.column;
      card.update(entries, roles.get(name), problem?.column === name ? problem.message : null);
    }
    this.list.refresh();
    const counts = Object.fromEntries(ROLES.map((role) => [role, 0]));
    for (const role of roles.values()) counts[role] += 1;
    this.count.textContent = t("columns.count", { n: roles.size, quasi: counts.quasi, confidential: counts.confidential,
      rest: counts.identifier + counts.left });
    draw_singling(this.singling, this.inspection, roles);
    this.survey.update(entries, problem);
    this.warn(counts, problem);
    this.draw_next(counts);
  }

  /** Where the draft is no recipe, in the library's words; a problem of one column stands at the column. */
  warn(counts, problem) {
    const none = counts.quasi === 0;
    const elsewhere = ["unit", "weights"].includes(problem?.option) || this.cards.some((card) => card.column.name === problem?.column);
    const words = [none ? el("h2", {}, t("columns.none")) : null, none ? el("p", {}, t("columns.none_help")) : null,
      problem && !elsewhere ? el("p", { class: "problem" }, problem.message) : null].filter(Boolean);
    const key = words.map((word) => word.textContent).join("\n");
    if (this.warned === key) return; // an alert is said once
    this.warned = key;
    fill(this.warning, words.length ? el("div", { class: none ? "notice bad" : "notice warn" }, words) : null);
  }

  draw_next(counts) {
    const ready = counts.quasi > 0;
    refill(this.forward, ready, () => [el("p", {}, t("columns.next_help")),
      ready ? el("a", { class: "button primary", href: href(this.document.id, "protect") }, t("columns.next"))
        : el("button", { class: "button primary", type: "button", disabled: true }, t("columns.next"))]);
  }

  set_role(names, role) {
    const { inspection } = this;
    this.store.edit(this.document.id, (entries) => set_role(entries, names, role, inspection));
    announce(t("columns.role_set", { n: names.length, name: names[0], role: t(`columns.role.${role}`) }));
  }
}

function legend() {
  const roles = ROLES.map((role) => el("div", { "data-role": role }, el("dt", {}, t(`columns.role.${role}`)), el("dd", {}, t(`columns.role.${role}_help`))));
  const wide = window.matchMedia("(min-width: 46rem)").matches;
  return el("details", { class: "roles-explained", open: wide }, el("summary", {}, t("columns.legend")), el("dl", { class: "role-legend" }, roles));
}

function same_columns(one, other) {
  return other !== null && one.columns.length === other.columns.length
    && JSON.stringify(one.columns) === JSON.stringify(other.columns);
}
