// The five steps of a document: which can be reached, which are done, and why not.

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
export function barrier(step, doc) {
  if (step === "file") return null;
  if (!doc.look) return "shell.barrier.not_read";
  if (!doc.look.inspection) return doc.problem ? "shell.barrier.not_read" : "shell.barrier.not_inspected";
  if (step === "columns") return null;
  if (!(doc.draft?.quasi_identifiers ?? []).length) return "shell.barrier.no_quasi";
  if (step === "protect" || !doc.checked?.error) return null;
  return "shell.barrier.draft";
}

/** Whether somebody need not come back to a step. */
export function done(step, doc) {
  const drafted = Boolean(doc.draft && doc.checked && !doc.checked.error);
  return {
    file: Boolean(doc.look?.inspection),
    columns: drafted && barrier("protect", doc) === null && (doc.can_undo || seen_steps().includes(`${doc.id}/columns`)),
    protect: drafted && (doc.releases.length > 0 || Boolean(doc.comparison)),
    compare: doc.comparison?.state === "done" && !doc.comparison.outdated,
    release: doc.releases.some((release) => !release.removed),
  }[step];
}

export const href = (id, step) => `#/document/${encodeURIComponent(id)}/${step}`;
