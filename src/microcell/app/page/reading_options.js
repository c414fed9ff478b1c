// Format, delimiter, encoding and sheet: found out, or said where that was wrong.

import { el, fill, refill, uid } from "./dom.js";
import { has, t } from "./texts.js";

const OPTIONS = ["format", "delimiter", "encoding", "sheet"];
export const DELIMITERS = [",", ";", "\t", "|", " "];
const TRIED_FIRST = { encoding: ["cp1252", "cp1250", "cp850"] }; // one click where the file does not tell

export class ReadingOptions {
  constructor(change) {
    Object.assign(this, { catalogue: { formats: [], encodings: [] }, change, reading: {}, fields: new Map() });
    this.title = el("summary", {});
    this.details = el("details", {}, this.title, el("p", { class: "muted" }, t("file.options.text")));
    const fields = OPTIONS.map((option) => {
      const field = new Field(option, (value) => this.say(option, value));
      this.fields.set(option, field);
      return field.node;
    });
    this.details.append(el("div", { class: "fields" }, fields));
    this.node = el("section", { class: "card reading" }, this.details);
  }

  has(option) {
    return this.fields.has(option);
  }

  say(option, value) {
    this.reading = { ...this.reading, [option]: value };
    this.change(this.reading);
  }

  /** Put a problem beside the field that it is about, and open the fields. */
  tell(problem) {
    for (const [option, field] of this.fields) {
      const wrong = problem?.option === option;
      const others = wrong ? (TRIED_FIRST[option] ?? []).filter((value) => value !== this.reading[option]) : [];
      field.tell(wrong ? problem.message : "", others.map((value) => [value, this.name_of(option, value)]));
    }
    if (this.has(problem?.option)) {
      this.fields.get(problem.option).node.hidden = false;
      this.details.open = true;
    }
  }

  update(doc, problem) {
    this.reading = doc.reading;
    const found = doc.look?.found ?? {};
    const format = doc.reading.format ?? found.format ?? null;
    const sheets = doc.look?.sheets ?? [];
    const formats = [...new Map(this.catalogue.formats.map((one) => [one.suffix.replace(/^\./, ""), `${one.name} (${one.suffix})`]))];
    this.field("format", found, formats);
    this.field("delimiter", found, DELIMITERS.map((mark) => [mark, delimiter_name(mark)]));
    this.field("encoding", found, this.catalogue.encodings.map((name) => [name, encoding_name(name)]));
    this.field("sheet", found, sheets.map((name) => [name, name]));
    const of_text = found.delimiter != null || doc.reading.delimiter || doc.reading.encoding || found.encoding != null;
    this.title.textContent = t(doc.look?.columns.length ? "file.options.title" : "file.options.title_unread");
    const unknown = !format && problem?.option !== "sheet";
    const shown = { format: true, delimiter: of_text || unknown, encoding: of_text || unknown,
      sheet: sheets.length > 0 || found.sheet != null || Boolean(doc.reading.sheet) };
    for (const [option, field] of this.fields) field.node.hidden = !shown[option];
    this.tell(problem);
  }

  field(option, found, choices) {
    const value = found[option] ?? null;
    this.fields.get(option).offer(choices, this.reading[option] ?? null, value === null ? null : this.name_of(option, value));
  }

  name_of(option, value) {
    if (option === "encoding") return encoding_name(value);
    return option === "delimiter" ? delimiter_name(value) : option === "format" ? this.format_name(value) : value;
  }

  format_name(format) {
    const known = this.catalogue.formats.find((one) => one.suffix.replace(/^\./, "") === format || one.name === format);
    return known?.name ?? format ?? "";
  }
}

export function delimiter_name(mark) {
  const key = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space" }[mark];
  return key && has(`file.options.${key}`) ? t(`file.options.${key}`) : mark;
}

function encoding_name(name) {
  const key = `file.options.encodings.${name}`;
  return has(key) ? t("file.options.encoding_of", { name, where: t(key) }) : name;
}

/** One option: a select with "found out" first, or words where nothing is known to choose from. */
class Field {
  constructor(option, change) {
    Object.assign(this, { option, change, id: uid(option) });
    this.place = el("div", {});
    this.problem = el("p", { class: "problem", id: `${this.id}-problem` });
    this.repairs = el("div", { class: "repairs" });
    this.node = el("div", { class: "field" }, el("label", { for: this.id }, t(`file.options.${option}`)), this.place, this.problem, this.repairs,
      el("p", { class: "hint" }, t(`file.options.${option}_help`)));
    this.tell("");
  }

  offer(choices, said, found) {
    const key = JSON.stringify([choices, said, found]);
    if (key === this.key) return; // what somebody has open stays open
    this.key = key;
    const events = { change: (event) => this.change(event.target.value || null) };
    if (!choices.length) {
      this.control = el("input", { id: this.id, type: "text", value: said ?? "", on: events });
    } else {
      const all = said === null || choices.some(([value]) => value === said) ? choices : [...choices, [said, said]];
      const first = found && said === null ? t("file.options.found", { value: found }) : t("file.options.find_out");
      this.control = el("select", { id: this.id, value: said ?? "", on: events },
        el("option", { value: "" }, first), all.map(([value, name]) => el("option", { value }, name)));
    }
    fill(this.place, this.control);
    this.mark();
  }

  /** What is wrong, and what could be said instead, at one click. */
  tell(message, others = []) {
    refill(this.repairs, others, () => others.map(([value, name]) =>
      el("button", { class: "button small", type: "button", on: { click: () => this.change(value) } }, t("file.options.read_as", { name }))));
    this.problem.textContent = message;
    this.problem.hidden = !message;
    this.node.classList.toggle("wrong", Boolean(message));
    this.mark();
  }

  mark() {
    if (!this.control) return;
    const wrong = Boolean(this.problem.textContent);
    if (wrong) this.control.setAttribute("aria-describedby", this.problem.id);
    else this.control.removeAttribute("aria-describedby");
    this.control.setAttribute("aria-invalid", String(wrong));
  }
}
