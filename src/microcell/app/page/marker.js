// The shape of a method beside its name, as the map draws it.

import { svg } from "./dom.js";

export function marker({ look, path }) {
  return svg("svg", { class: `marker ${look}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    svg("path", { class: "shape", d: path }));
}
