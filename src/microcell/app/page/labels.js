// Names of points, placed so that they cover neither points nor each other.

const LETTER = 6.4; // px, on average, of the map's small text
const LINE = 14;
const PLACES = [9, 18, 30].flatMap((away) => [
  [1, 0], [-1, 0], [0.8, -0.8], [-0.8, -0.8], [0.8, 0.8], [-0.8, 0.8], [0, -1.2], [0, 1.2],
].map(([dx, dy]) => [dx * away, dy * away]));

/**
 * Where to write names; those that find no room are left out.
 *
 * `spots` are {x, y, text}, the most important first; `points` are [x, y] of all
 * points; `room` is {left, top, right, bottom}.
 */
export function place_labels(spots, points, room) {
  const taken = points.map(([x, y]) => box(x - 6, y - 6, 12, 12));
  const placed = [];
  for (const spot of spots) {
    const width = spot.text.length * LETTER;
    for (const [dx, dy] of PLACES) {
      const anchor = dx > 2 ? "start" : dx < -2 ? "end" : "middle";
      const left = spot.x + dx - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
      const own = box(left, spot.y + dy - LINE / 2, width, LINE);
      if (!inside(own, room) || taken.some((other) => overlap(own, other))) continue;
      taken.push(own);
      placed.push({ text: spot.text, x: spot.x + dx, y: spot.y + dy, anchor });
      break;
    }
  }
  return placed;
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
