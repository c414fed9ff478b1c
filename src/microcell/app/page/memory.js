// What somebody chose to look at, kept over a reload of this tab; nothing of the data.

/** What was kept under a name, or what there is without it. */
export function recall(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(`microcell ${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    sessionStorage.setItem(`microcell ${name}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}
