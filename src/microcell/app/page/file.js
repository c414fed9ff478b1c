// The step File: before there is one, how to bring it; then, how it was read.

import * as reading from "./reading.js";
import * as start from "./start.js";

let shown = null;

export function show(main, doc, tools) {
  shown = doc ? reading : start;
  return shown.show(main, doc, tools);
}

export const update = (doc) => shown?.update(doc);

export function leave() {
  shown?.leave?.();
  shown = null;
}
