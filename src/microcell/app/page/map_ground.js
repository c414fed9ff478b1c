// What lies under the points of the map: grid, axes, the good corner, the frontier's steps.

import { tick_text } from "./axis.js";
import { svg } from "./dom.js";
import { t } from "./texts.js";

/** The frontier as steps, from corner to corner: what can be had of y for each x. */
export function corners_of(steps, better) {
  return steps.flatMap(({ left, top }, i) => {
    const last = steps[i - 1];
    if (!last) return [[left, top]];
    return [better === "low" ? [left, last.top] : [last.left, top], [left, top]];
  });
}

export function steps_path(corners) {
  return corners.length ? `M${corners.map((corner) => corner.join(" ")).join("L")}` : "";
}

export function grid(room, axes, at, unit) {
  return [
    axes.x.ticks.map((tick) => [
      svg("line", { class: "map-grid", x1: at.x(tick), x2: at.x(tick), y1: room.top, y2: room.bottom }),
      svg("text", { class: "map-tick", x: at.x(tick), y: room.bottom + 18 * unit, "text-anchor": "middle" }, tick_text(tick)),
    ]),
    axes.y.ticks.map((tick) => [
      svg("line", { class: "map-grid", x1: room.left, x2: room.right, y1: at.y(tick), y2: at.y(tick) }),
      svg("text", { class: "map-tick", x: room.left - 8 * unit, y: at.y(tick) + 4 * unit, "text-anchor": "end" }, tick_text(tick)),
    ]),
    svg("path", { class: "map-axis", d: `M${room.left} ${room.top}V${room.bottom}H${room.right}` }),
  ];
}

export function axis_titles(room, x, y, height, unit) {
  const middle = (room.top + room.bottom) / 2;
  return [
    svg("text", { class: "map-title", x: (room.left + room.right) / 2, y: height - 10 * unit, "text-anchor": "middle" }, axis_title(x)),
    svg("text", { class: "map-title", x: 14 * unit, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${14 * unit} ${middle})` }, axis_title(y)),
  ];
}

function axis_title(figure) {
  const unit = { share: ", %", seconds: ", s" }[figure.unit] ?? "";
  return `${figure.label}${unit} (${t(`compare.${figure.better}_is_better`)})`;
}

/** The corner where both figures are good. */
export function corner(room, x, y, unit) {
  const [cx, to_right] = x.better === "low" ? [room.left, 1] : [room.right, -1];
  const [cy, down] = y.better === "low" ? [room.bottom, -1] : [room.top, 1];
  const r = Math.min(room.right - room.left, room.bottom - room.top) * 0.42;
  const sweep = to_right * down > 0 ? 1 : 0;
  return [
    svg("path", { class: "map-corner", d: `M${cx} ${cy}H${cx + to_right * r}A${r} ${r} 0 0 ${sweep} ${cx} ${cy + down * r}Z` }),
    svg("text", { class: "map-good", x: cx + to_right * 12 * unit, y: cy + (down * 16 + 4) * unit, "text-anchor": to_right > 0 ? "start" : "end" }, t("compare.good_corner")),
  ];
}
