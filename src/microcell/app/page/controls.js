// Controls of a form: each is {node, sync(value)} and calls `tell(value, typing)`.
//
// A control that somebody is typing in is left alone: what comes back from the server
// is what was typed a moment ago.

import { el, fill } from "./dom.js";

const held = (node) => node === document.activeElement;

/** A number; empty is null, and what is no number is not told. */
export function number_control(tell, { min = null, max = null, step = "any", placeholder = null } = {}) {
  const node = el("input", { type: "number", min, max, step, placeholder, inputmode: step === 1 ? "numeric" : "decimal" });
  node.addEventListener("input", () => {
    if (node.validity.badInput) return;
    tell(node.value === "" ? null : Number(node.value), true);
  });
  return { node, sync: (value) => { if (!held(node)) node.value = value ?? ""; } };
}

/** A line of text; empty is null. */
export function text_control(tell, { placeholder = null, list = null } = {}) {
  const node = el("input", { type: "text", placeholder, list, spellcheck: "false", autocomplete: "off" });
  node.addEventListener("input", () => tell(node.value.trim() || null, true));
  return { node, sync: (value) => { if (!held(node)) node.value = value ?? ""; } };
}

/** A number, a word, or data as JSON: parameters of methods take any of them. */
export function value_control(tell, placeholder = "") {
  const node = el("input", { type: "text", placeholder, spellcheck: "false", autocomplete: "off" });
  node.addEventListener("input", () => tell(parsed(node.value.trim()), true));
  const written = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return { node, sync: (value) => { if (!held(node)) node.value = value === null || value === undefined ? "" : written(value); } };
}

function parsed(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One of several; `choices` are [value, words], and the value null stands for none. */
export function select_control(tell, choices) {
  const key = (value) => JSON.stringify(value ?? null);
  const draw = (all) => all.map(([value, words]) => el("option", { value: key(value) }, words));
  const node = el("select", {}, draw(choices));
  node.addEventListener("change", () => tell(JSON.parse(node.value)));
  return {
    node,
    sync(value) {
      const there = choices.some(([choice]) => key(choice) === key(value));
      if (!there) fill(node, draw([...choices, [value, String(value)]])); // as a recipe may have it
      node.value = key(value);
    },
  };
}

/** Any of several names, as boxes to tick. */
export function names_control(tell, names) {
  const boxes = names.map((name) => el("input", { type: "checkbox", value: name, on: {
    change: () => tell(boxes.filter((box) => box.checked).map((box) => box.value)),
  } }));
  const node = el("div", { class: "name-boxes", role: "group" },
    boxes.map((box) => el("label", { class: "check" }, box, el("span", {}, box.value))));
  return { node, sync: (value) => boxes.forEach((box) => { box.checked = (value ?? []).includes(box.value); }) };
}

/** Words separated by commas, as a list. */
export function list_control(tell, placeholder) {
  const { node } = text_control((text, typing) => {
    tell(text ? text.split(",").map((word) => word.trim()).filter(Boolean) : null, typing);
  }, { placeholder });
  return { node, sync: (value) => { if (!held(node)) node.value = (value ?? []).join(", "); } };
}

/** Marks of missing values: the same for all columns, or a line for each column that has its own. */
export function marks_control(tell, placeholder, name_of) {
  const node = el("div", { class: "marks", role: "group" });
  let [drawn, marks, lines] = [null, null, []];
  const columns = () => (marks && !Array.isArray(marks) ? Object.keys(marks) : []);
  const line = (column) => {
    const { node: field, sync } = list_control((words, typing) => {
      marks = column === null ? words : { ...marks, [column]: words ?? [] }; // the next line may be typed in before this one is sent
      tell(marks, typing);
    }, placeholder);
    if (column === null) return { sync: () => sync(marks), shown: field };
    return { sync: () => sync(marks[column]), shown: el("label", { class: "marks-of" }, el("bdi", {}, name_of(column)), field) };
  };
  return {
    node,
    sync(value) {
      marks = value;
      const now = JSON.stringify(columns());
      if (now !== drawn) {
        drawn = now;
        lines = (columns().length ? columns() : [null]).map(line);
        fill(node, lines.map(({ shown }) => shown));
      }
      for (const one of lines) one.sync();
    },
  };
}
