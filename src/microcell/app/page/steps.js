// The five steps of a case: which can be reached, which are done, and why not.

export const STEPS = ["file", "columns", "protect", "compare", "release"];

const SEEN = "microcell.seen";

/** Note that somebody looked at a step: what was only proposed is not done. */
export function visit(id, step) {
  const seen = new Set(seen_steps());
  seen.add(`${id}/${step}`);
  sessionStorage.setItem(SEEN, JSON.stringify([...seen]));
}

const seen_steps = () => JSON.parse(sessionStorage.getItem(SEEN) ?? "[]");

/** Why a step cannot be reached yet, as the key of a text; null if it can. */
export function barrier(step, case_) {
  if (step === "file") return null;
  if (!case_.look) return "shell.barrier.not_read";
  if (!case_.look.inspection) return case_.problem ? "shell.barrier.not_read" : "shell.barrier.not_inspected";
  if (step === "columns") return null;
  if (!(case_.draft?.quasi_identifiers ?? []).length) return "shell.barrier.no_quasi";
  if (step === "protect" || !case_.checked?.error) return null;
  return "shell.barrier.draft";
}

/** Whether somebody need not come back to a step. */
export function done(step, case_) {
  const drafted = Boolean(case_.draft && case_.checked && !case_.checked.error);
  return {
    file: Boolean(case_.look?.inspection),
    columns: drafted && barrier("protect", case_) === null && (case_.can_undo || seen_steps().includes(`${case_.id}/columns`)),
    protect: drafted && (case_.releases.length > 0 || Boolean(case_.comparison)),
    compare: case_.comparison?.state === "done" && !case_.comparison.outdated,
    release: case_.releases.some((release) => !release.removed),
  }[step];
}

export const href = (id, step) => `#/case/${encodeURIComponent(id)}/${step}`;
