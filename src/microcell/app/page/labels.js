// Names of points, placed so that they cover neither points nor each other.

const LETTER = 6.4; // px, on average, of the map's small text
const LINE = 14;
const PLACES = [10, 18, 30].flatMap((away) => [
  [1, 0], [0.8, -0.9], [-1, 0], [-0.8, 0.9], [0.8, 0.9], [-0.8, -0.9], [0, -1.4], [0, 1.4],
].map(([dx, dy]) => [dx * away, dy * away]));

/**
 * Where to write names; those that find no room are left out.
 *
 * `spots` are {x, y, text, away}, the most important first, `away` how far at least; `points` are [x, y] of all
 * points, `corners` those of a line of steps; `room` is {left, top, right, bottom}, and
 * `unit` how large letters are.
 */
export function place_labels(spots, points, corners, room, unit) {
  const half = 6 * unit;
  const taken = points.map(([x, y]) => box(x - half, y - half, 2 * half, 2 * half));
  taken.push(...corners.slice(1).map((corner, i) => along(corners[i], corner)));
  const placed = [];
  for (const spot of spots) {
    const width = spot.text.length * LETTER * unit;
    for (const [across, down] of PLACES) {
      if (Math.hypot(across, down) < spot.away) continue;
      const [dx, dy] = [across * unit, down * unit];
      const anchor = across > 2 ? "start" : across < -2 ? "end" : "middle";
      const left = spot.x + dx - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
      const own = box(left, spot.y + dy - (LINE * unit) / 2, width, LINE * unit);
      if (!inside(own, room) || taken.some((other) => overlap(own, other))) continue;
      taken.push(own);
      placed.push({ text: spot.text, x: spot.x + dx, y: spot.y + dy, anchor });
      break;
    }
  }
  return placed;
}

/** The room of a line across or down. */
function along([x0, y0], [x1, y1]) {
  return box(Math.min(x0, x1) - 1, Math.min(y0, y1) - 1, Math.abs(x1 - x0) + 2, Math.abs(y1 - y0) + 2);
}

function box(left, top, width, height) {
  return { left, top, right: left + width, bottom: top + height };
}

function inside(own, room) {
  return own.left >= room.left && own.right <= room.right && own.top >= room.top && own.bottom <= room.bottom;
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
