// Promises of a draft as rows, and back: a recipe holds one of a model as it is, several as a list.

const rows_of_model = (value) => (Array.isArray(value) ? value : [value]);

/** Rows {name, values} of promises; values by the names of their parameters. */
export function rows_of(promises, models) {
  return Object.entries(promises ?? {}).flatMap(([name, value]) => {
    const first = models.find((model) => model.name === name)?.parameters[0]?.name ?? "value";
    return rows_of_model(value).map((each) => ({ name, values: each !== null && typeof each === "object" ? each : { [first]: each } }));
  });
}

/** Promises of rows, as a recipe holds them. */
export function promises_of(rows) {
  const found = {};
  for (const { name, values } of rows) (found[name] ??= []).push(values);
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}
