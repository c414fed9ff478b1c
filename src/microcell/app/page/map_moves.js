// From one point of the map to another: by the pointer, and by the arrow keys.

/** The label of the point nearest to a place, within reach; or null. */
export function near_point(places, left, top, reach) {
  let [best, least] = [null, reach];
  for (const place of places) {
    const away = Math.hypot(place.left - left, place.top - top);
    if (away < least) [best, least] = [place.label, away];
  }
  return best;
}

/** The label that a key leads to: arrows go along an axis, Home and End to its ends. */
export function next_point(places, label, key) {
  const along = ["ArrowUp", "ArrowDown"].includes(key)
    ? (a, b) => b.top - a.top || a.left - b.left
    : (a, b) => a.left - b.left || b.top - a.top;
  const order = [...places].sort(along).map((place) => place.label);
  const at = order.indexOf(label);
  const to = {
    ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: order.length - 1,
  }[key];
  return order[to] ?? null;
}
