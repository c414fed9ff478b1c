// The step File: before there is one, how to bring it; then, how it was read.

import * as reading from "./reading.js";
import * as start from "./start.js";

let shown = null;

export function show(main, case_, tools) {
  shown = case_ ? reading : start;
  return shown.show(main, case_, tools);
}

export const update = (case_) => shown?.update(case_);

export function leave() {
  shown?.leave?.();
  shown = null;
}
