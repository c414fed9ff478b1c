// Elements made by calls: every text is a text node, so no value of data is ever markup.

const SVG = "http://www.w3.org/2000/svg";

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
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}
