// Elements made by calls: every text is a text node, so no value of data is ever markup.

const SVG = "http://www.w3.org/2000/svg";

const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2067\u206a-\u206f\ufeff]/g;
const spelt = (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text in which what could turn a line round is spelt out; only `isolated` puts marks in. */
export const printable = (text) => text.replace(STEERING, spelt);

/** A name inside a sentence, which it cannot turn round. */
export const isolated = (name) => `\u2068${printable(name).replace(/[\u2068\u2069]/g, spelt)}\u2069`;

/** An element: `el("a", {class: "button", href: "#/", on: {click}}, "New file")`.
 *
 * Attributes that are null, undefined or false are left out, true is empty; `value`,
 * `checked`, `disabled`, `selected`, `open` and `indeterminate` are set as properties.
 */
export function el(tag, props = {}, ...children) {
  return furnish(document.createElement(tag), props, children);
}

/** An element of a drawing: `svg("rect", {x: 0, width: 3})`. */
export function svg(tag, props = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), props, children);
}

/** Put other children in place of those that are there. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

const keys = new WeakMap();

/** Fill a node anew only if what it shows has changed: a button that somebody presses must stay. Returns whether it has. */
export function refill(node, shown, make) {
  const key = JSON.stringify(shown);
  if (keys.get(node) === key) return false;
  keys.set(node, key);
  fill(node, make());
  return true;
}

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "open", "indeterminate", "hidden"]);
let last = 0;

/** A name for an element that a label or a hint refers to. */
export function uid(stem = "id") {
  last += 1;
  return `${stem}-${last}`;
}

function furnish(node, { attrs = {}, on = {}, ...rest }, children) {
  append(node, children); // before `value`: a select needs its options to have one
  for (const [name, value] of Object.entries({ ...rest, ...attrs })) {
    if (name === "style") throw new Error("set styles by class or by node.style");
    if (PROPERTIES.has(name) && name in node) {
      if (value !== null && value !== undefined) node[name] = value;
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const [name, handler] of Object.entries(on)) node.addEventListener(name, handler);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(printable(String(child))));
  }
  return node;
}
