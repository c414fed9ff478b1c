// A colour and a shape for each method, so that a map can be read in grey too.

const SHAPES = {
  circle: "M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6Z",
  square: "M-5.3-5.3H5.3V5.3H-5.3Z",
  diamond: "M0-7.2 7.2 0 0 7.2-7.2 0Z",
  up: "M0-7 6.6 5H-6.6Z",
  down: "M0 7 6.6-5H-6.6Z",
  plus: "M-2.2-6.4H2.2V-2.2H6.4V2.2H2.2V6.4H-2.2V2.2H-6.4V-2.2H-2.2Z",
  cross: "M-6-3.2-3.2-6 0-2.8 3.2-6 6-3.2 2.8 0 6 3.2 3.2 6 0 2.8-3.2 6-6 3.2-2.8 0Z",
  star: "M0-7.6 2-2.4 7.4-2.3 3.1 1.1 4.6 6.4 0 3.3-4.6 6.4-3.1 1.1-7.4-2.3-2-2.4Z",
};
const NAMES = Object.keys(SHAPES);
const COLOURS = 6; // .look-0 to .look-5 in compare.css
const TURNS = 2; // of the colours, each with other shapes

/** The looks of methods by name, in their order; grey dots when colours run out. */
export function looks_of(methods) {
  return new Map(
    methods.map((method, place) => {
      const [turn, colour] = [Math.floor(place / COLOURS), place % COLOURS];
      if (turn >= TURNS) return [method, { look: "look-grey", path: SHAPES.circle }];
      const shape = NAMES[(colour + 3 * turn) % NAMES.length];
      return [method, { look: `look-${colour}`, path: SHAPES[shape] }];
    }),
  );
}
