// A release that was made: the verdict, its files, its report, and the same job elsewhere.

import { el } from "./dom.js";
import { lost } from "./figures.js";
import { download_cards } from "./release_files.js";
import { same_job } from "./same_job.js";
import { number, short, t, time } from "./texts.js";

export function release_result(release) {
  const report = `/api/releases/${encodeURIComponent(release.id)}/report`;
  return el("div", { class: "stack release-result" },
    verdict(release),
    el("section", { class: "card" }, el("h2", {}, t("release.download")), download_cards(release)),
    release.files?.report && el("section", { class: "card" },
      el("div", { class: "spread" }, el("h2", {}, t("release.report")), el("a", { href: report, target: "_blank", rel: "noopener" }, t("release.open_report"))),
      el("p", { class: "intro" }, t("release.report_intro")),
      el("iframe", { class: "report-frame", sandbox: "", src: report, title: t("release.report_title", { name: release.name }), loading: "lazy" })),
    release.command && same_job(release));
}

/** What is to be read before anything is downloaded: to decide first, then warnings and notices. */
function heeded({ heed = [] }) {
  const kinds = ["to decide", "warning", "notice"];
  return kinds.map((kind) => [kind, heed.filter((each) => each.kind === kind)]).filter(([, said]) => said.length).map(([kind, said]) =>
    el("div", { class: `notice ${{ "to decide": "bad", warning: "warn" }[kind] ?? ""}` }, el("h3", {}, t(`release.heed.${kind.replace(" ", "_")}`)),
      el("ul", {}, said.map(({ text }) => el("li", {}, el("bdi", {}, text))))));
}

export const to_decide = ({ heed = [] }) => heed.filter(({ kind }) => kind === "to decide").length;

function verdict(release) {
  const open = to_decide(release);
  const promised = new Set(release.findings.filter(({ holds, counted_on }) => holds !== null && counted_on === "file").map(({ promise }) => promise));
  const look_alike = [...promised].some((promise) => promise.startsWith("k-anonymity"));
  const words = open ? "release.verdict.decide" : promised.size ? "release.verdict.kept" : "release.verdict.made";
  return el("section", { class: `card verdict-card ${open ? "open" : ""}` },
    el("p", { class: "eyebrow" }, `${release.name} · ${time(release.made)}`),
    el("h2", { class: "verdict-words", tabindex: "-1" }, el("span", { class: "verdict-mark", "aria-hidden": "true" }, open ? "!" : "✓"), " ", t(words, { n: open || promised.size })),
    heeded(release),
    el("dl", { class: "figures" }, figure(number(release.n_records), t("release.figure.records")), look_alike && figure(number(release.k), t("release.figure.k")),
      typeof release.loss === "number" && figure(lost(release.loss), t("release.figure.loss")), figure(release.method, t("release.figure.method"))),
    findings_table(release.findings),
    release.summary?.length > 0 && el("details", {}, el("summary", {}, t("release.summary")), el("pre", { tabindex: "0", role: "region", "aria-label": t("release.summary") }, release.summary.join("\n"))));
}

const figure = (value, words) => el("div", {}, el("dt", {}, words), el("dd", {}, value));

const HEADS = ["promise", "promised", "in_table", "in_file", "verdict"];

/** A row for each promise: what was found in the table, and again in the written file. */
function findings_table(findings) {
  const rows = new Map();
  for (const finding of findings) {
    const key = JSON.stringify([finding.promise, finding.promised]);
    rows.set(key, { ...rows.get(key), [finding.counted_on === "file" ? "file" : "table"]: finding });
  }
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("release.findings") },
    el("table", { class: "findings" }, el("caption", { class: "visually-hidden" }, t("release.findings")),
      el("thead", {}, el("tr", {}, HEADS.map((head) => el("th", { scope: "col", class: ["promise", "verdict"].includes(head) ? "words" : "" }, t(`release.finding.${head}`))))),
      el("tbody", {}, [...rows.values()].map(finding_row))));
}

function finding_row({ table, file }) {
  const { promise, promised, basis, argument } = file ?? table;
  const both = [table, file].filter(Boolean);
  const broken = both.find(({ holds }) => holds === false);
  const counted_only = both.every(({ holds }) => holds === null);
  const [mark, kind, words] = broken ? ["✗", "broken", t("release.finding.broken", { n: broken.records_failing })]
    : counted_only ? ["·", "", t("release.finding.counted")] : ["✓", "kept", t("release.finding.kept")];
  const by_count = !basis || basis === "counted on the released table";
  return el("tr", {}, el("th", { scope: "row" }, promise, !by_count && el("small", { class: "hint" }, ` ${[basis, argument].filter(Boolean).join(": ")}`)),
    el("td", {}, figure_of(promised)), el("td", {}, figure_of(table?.found)), el("td", {}, figure_of(file?.found)),
    el("td", { class: `words ${kind}` }, el("span", { "aria-hidden": "true" }, `${mark} `), words));
}

const figure_of = (value) => (typeof value === "number" ? short(value, 6) : "–");
