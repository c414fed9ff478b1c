// One axis of the map: from values to places, and the ticks beside it.

const DECADES = 2; // from which an axis is logarithmic
const STEPS = [1, 2, 2.5, 5, 10];

/** The axis of some values: `place(value)` is from 0 to 1. */
export function axis_of(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const is_log = low > 0 && Math.log10(high / low) >= DECADES;
  return is_log ? log_axis(low, high) : linear_axis(low, high);
}

function linear_axis(low, high) {
  const room = (high - low || Math.abs(high) || 1) * 0.08;
  const from = low >= 0 ? Math.max(0, low - room) : low - room;
  const to = high + room;
  const step = nice_step((to - from) / 5);
  const ticks = [];
  for (let i = Math.ceil(from / step); i * step <= to + step * 1e-9; i += 1) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return { ticks, place: (value) => (value - from) / (to - from) };
}

function log_axis(low, high) {
  const [from, to] = [Math.log10(low) - 0.1, Math.log10(high) + 0.1];
  const wanted = to - from > 3 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(from); power <= to; power += 1) {
    for (const digit of wanted) {
      const tick = Number((digit * 10 ** power).toPrecision(3));
      if (Math.log10(tick) >= from && Math.log10(tick) <= to) ticks.push(tick);
    }
  }
  return { ticks, place: (value) => (Math.log10(value) - from) / (to - from) };
}

function nice_step(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * STEPS.find((step) => step * power >= rough * 0.999);
}

/** A tick as text, without a long tail of digits. */
export function tick_text(value) {
  return String(Number(value.toPrecision(6))).replace("e-", "e−").replace(/^-/, "−");
}
