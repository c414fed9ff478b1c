// Methods in plain words: which to recommend, and which this table allows.

import { has, t } from "./texts.js";

/** Those that are shown as cards, the usual one first. */
export function recommended(methods) {
  return methods.filter((method) => method.recommended).sort((a, b) => b.usual - a.usual);
}

/** What a method does: our words, or the library's summary. */
export function method_summary(method) {
  const key = `protect.methods.${method.name}.text`;
  return has(key) ? t(key) : method.summary;
}

export function method_title(method) {
  const key = `protect.methods.${method.name}.title`;
  return has(key) ? t(key) : method.name;
}

/** What a method does not promise, or nothing. */
export function method_caution(method) {
  if (method.differentially_private) return t("protect.caution.differentially_private");
  const key = `protect.methods.${method.name}.caution`;
  return has(key) ? t(key) : "";
}

/** Why a method cannot be compared with this draft, or nothing. */
export function why_not_compared(method, draft) {
  if (method.differentially_private) return t("compare.why_not.differentially_private");
  const confidential = draft.confidential ?? [];
  if (!method.needs_target || confidential.length === 1 || draft.target) return "";
  return t(confidential.length ? "compare.why_not.several" : "compare.why_not.none");
}
