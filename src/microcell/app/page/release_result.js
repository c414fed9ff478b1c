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

function verdict(release) {
  const promised = release.findings.filter(({ holds }) => holds !== null);
  const sealed = !promised.length;
  return el("section", { class: "card verdict-card" },
    el("p", { class: "eyebrow" }, `${release.name} · ${time(release.made)}`),
    el("h2", { class: "verdict-words", tabindex: "-1" }, el("span", { class: "verdict-mark", "aria-hidden": "true" }, "✓"), " ",
      t(sealed ? "release.verdict.made" : "release.verdict.kept", { n: promised.length })),
    el("dl", { class: "figures" }, figure(number(release.n_records), t("release.figure.records")), figure(number(release.k), t("release.figure.k")),
      typeof release.loss === "number" && figure(lost(release.loss), t("release.figure.loss")), figure(release.method, t("release.figure.method"))),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("release.findings") }, el("table", { class: "findings" }, el("caption", { class: "visually-hidden" }, t("release.findings")),
      el("thead", {}, el("tr", {}, ["promise", "promised", "found", "verdict", "basis"].map((head) => el("th", { scope: "col", class: ["promised", "found"].includes(head) ? "" : "words" }, t(`release.finding.${head}`))))),
      el("tbody", {}, release.findings.map(finding)))),
    release.summary?.length > 0 && el("details", {}, el("summary", {}, t("release.summary")), el("pre", {}, release.summary.join("\n"))));
}

const figure = (value, words) => el("div", {}, el("dt", {}, words), el("dd", {}, value));

function finding({ promise, promised, found, holds, basis, counted_on, records_failing }) {
  const [mark, words] = holds === null ? ["·", t("release.finding.counted")] : holds ? ["✓", t("release.finding.kept")] : ["✗", t("release.finding.broken", { n: records_failing })];
  return el("tr", {}, el("th", { scope: "row" }, promise), el("td", {}, promised === null ? "–" : short(promised, 6)), el("td", {}, found === null ? "–" : short(found, 6)),
    el("td", { class: `words ${holds === null ? "" : holds ? "kept" : "broken"}` }, el("span", { "aria-hidden": "true" }, `${mark} `), words),
    el("td", { class: "words muted" }, counted_on && basis?.startsWith("counted on the released") ? t("release.finding.counted_on", { what: counted_on }) : basis ?? ""));
}
