// Roles of columns, read from a draft's entries and written to them.

export const ROLES = ["quasi", "confidential", "identifier", "left", "kept"];
export const KEYS = { q: "quasi", c: "confidential", i: "identifier", o: "left", r: "kept" };
const LISTS = { quasi: "quasi_identifiers", confidential: "confidential", identifier: "identifiers" };
const OF_MASKED = ["hierarchies", "dates", "representatives", "clip", "digits", "importance"]; // by column
export const AS_IT_IS = ["confidential", "kept"]; // roles of columns that are released unchanged
const TREES = ["prefix", "hierarchy"];

/** The role of each column: a Map from name to role. */
export function roles_of(entries, columns) {
  const found = new Map();
  for (const role of ["quasi", "confidential", "identifier"]) {
    for (const name of entries?.[LISTS[role]] ?? []) found.set(name, role);
  }
  for (const name of kept_by_name(entries)) if (!found.has(name)) found.set(name, "kept");
  const rest = entries?.others === "keep" ? "kept" : "left";
  return new Map(columns.map((name) => [name, found.get(name) ?? rest]));
}

function kept_by_name(entries) {
  const others = entries?.others;
  return Array.isArray(others) ? others.filter((name) => name !== "drop") : [];
}

/** Give columns a role. Lists stay in the table's order; what only masked columns have goes with the mask. */
export function set_role(entries, names, role, inspection) {
  const columns = inspection.columns.map((column) => column.name);
  const now = roles_of(entries, columns);
  for (const name of names) now.set(name, role);
  for (const [of_it, list] of Object.entries(LISTS)) entries[list] = columns.filter((name) => now.get(name) === of_it);
  const kept = columns.filter((name) => now.get(name) === "kept");
  entries.others = kept.length ? [...kept, "drop"] : "drop";
  for (const name of names) {
    const proposal = inspection.columns.find((column) => column.name === name);
    if (role === "quasi") as_proposed(entries, proposal);
    else strip(entries, name, role);
    if (!AS_IT_IS.includes(role)) allow_unique(entries, name, false);
  }
}

/** What the inspection found out for a column that is masked: how its dates are written, what marks gaps. */
function as_proposed(entries, proposal) {
  const { name, kind, declared, format, marks, missing } = proposal;
  const own = (option, value) => { entries[option] = { ...entries[option], [name]: value }; };
  if (declared && kind && entries.kinds?.[name] === undefined) own("kinds", kind);
  if (format && entries.dates?.[name] === undefined && (entries.kinds?.[name] ?? "date") === "date") own("dates", format);
  const by_column = entries.missing_marks == null || is_mapping(entries.missing_marks);
  if (marks?.length && by_column && entries.missing_marks?.[name] === undefined) own("missing_marks", marks);
  if ((missing || marks?.length) && (entries.missing ?? "error") === "error") entries.missing = "category";
}

const is_mapping = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function strip(entries, name, role) {
  for (const option of [...OF_MASKED, "missing_marks"]) {
    if (is_mapping(entries[option])) delete entries[option][name];
  }
  if (is_mapping(entries.missing_marks) && !Object.keys(entries.missing_marks).length) delete entries.missing_marks;
  const kind = entries.kinds?.[name];
  if (kind !== undefined && (role !== "confidential" || TREES.includes(kind))) delete entries.kinds[name];
}

/** The kind that a draft declares, null if the data say it; a list of values is an order. */
export function kind_of(entries, name) {
  const kind = entries?.kinds?.[name];
  if (Array.isArray(kind)) return "ordinal";
  return kind ?? null;
}

/** Declare a kind, or let the data say it. */
export function set_kind(entries, name, kind) {
  const { [name]: old, ...rest } = entries.kinds ?? {};
  entries.kinds = kind === null ? rest : { ...rest, [name]: kind };
  if (kind !== "hierarchy" && is_mapping(entries.hierarchies)) delete entries.hierarchies[name];
  if (kind !== null && kind !== "date" && is_mapping(entries.dates)) delete entries.dates[name];
}

/** State, or no longer, that a column may be released although it may name people. */
export function allow_unique(entries, name, yes) {
  const names = (entries.allow_unique ?? []).filter((each) => each !== name);
  if (yes) names.push(name);
  if (names.length) entries.allow_unique = names;
  else delete entries.allow_unique;
}

/** Kinds that a role allows. */
export function kinds_for(role, declared) {
  const kinds = role === "quasi" ? ["numeric", "nominal", "ordinal", "date", "prefix"] : ["numeric", "nominal", "ordinal", "date"];
  if (declared && !kinds.includes(declared)) kinds.push(declared); // a hierarchy that a recipe brought
  return kinds;
}
