/** The step for the points of each cell and the marks on it, row by row; it works by keyboard alone. */

import { html } from "../../dom.js";
import { rectItem } from "../items.js";
import { cellKey, cellOf } from "./quilt.js";

const NONE = "-";

/** The step in which the points and marks of the cells are entered. */
export class Values {
  name = "values";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
    this.at = 0;
  }

  get rows() {
    return this.app.work.sheet.quilt.row;
  }

  enter() {
    this.at = Math.max(0, this.rows.findIndex((row) => row.cell.some((_, index) => row.points[index] === null || !row.bonus[index])));
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    return this.rows.flatMap((row, at) => row.cell.map((rect, index) => {
      const known = row.points[index] !== null && row.bonus[index];
      const text = row.points[index] === null ? app.page.language.unknown : app.page.language.digits(/** @type {number} */ (row.points[index]));
      const { shift, pull, handles, ...item } = rectItem({ key: cellKey(at, index), name: app.say("cell", { row: at + 1, cell: index + 1 }), look: `.mark-cell${known ? ".is-known" : ".is-missing"}${at === this.at ? ".is-row" : ""}`, text }, rect, () => {});
      return item;
    }));
  }

  /** @param {string} key */
  choose(key) {
    const cell = cellOf(key);
    if (!cell) return;
    this.at = cell[0];
    setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="points-${key}"]`))?.focus());
  }

  panel() {
    const { app } = this;
    const row = this.rows[this.at];
    if (!row) return [html("p.define-note", {}, app.say("no-cells"))];
    const tabs = this.rows.map((_, at) => html(`button.plain${at === this.at ? ".is-now" : ""}`, { type: "button", "data-key": `row-${at}`, "aria-pressed": at === this.at, onclick: () => { this.at = at; app.choose(null); } }, app.say("row", { number: at + 1 })));
    const all = app.field("points-at-once", "points-at-once", row.points.every((value) => value !== null) ? row.points.join(" ") : "", (text) => this.setAll(text), { inputmode: "text", placeholder: "0 1 3 6 10" });
    return [html("div.define-tabs", {}, ...tabs), all, html("ol.define-cells", {}, ...row.cell.map((_, index) => this.line(row, index)))];
  }

  /** @param {import("../work.js").Row} row @param {number} index */
  line(row, index) {
    const { app } = this;
    const key = cellKey(this.at, index);
    const marks = (row.bonus[index] ?? "").split("+");
    const points = html("input", { type: "number", min: -100, max: 100, "data-key": `points-${key}`, value: row.points[index] ?? "", "aria-label": app.say("points-of", { row: this.at + 1, cell: index + 1 }), onfocus: () => this.mark(key), onchange: (/** @type {any} */ event) => this.setPoints(row, index, event.target.value) });
    const selects = [...marks, ...(marks[0] && marks[0] !== NONE && marks.length < 3 ? [""] : [])].map((mark, place) => this.select(row, index, marks, mark, place));
    return html(`li${key === app.selected ? ".is-chosen" : ""}`, {}, html("span.define-cell", { "aria-hidden": "true" }, app.page.language.digits(index + 1)), points, html("span.define-marks-of", {}, ...selects));
  }

  /** @param {import("../work.js").Row} row @param {number} index @param {string[]} marks @param {string} mark @param {number} place */
  select(row, index, marks, mark, place) {
    const { say, work } = this.app;
    const key = `mark-${cellKey(this.at, index)}-${place}`;
    const option = (/** @type {string} */ value, /** @type {string} */ name) => html("option", { value, selected: value === mark }, name);
    const first = place === 0 ? [option("", say("mark-unknown")), option(NONE, say("mark-none"))] : [option("", say("mark-more"))];
    const pencils = work.sheet.colour.map((colour) => option(`pencil:${colour.key}`, say("mark-pencil", { colour: nameOf(work, colour.key) })));
    return html(`select${mark === "" && place ? ".is-more" : ""}`, { "data-key": key, "aria-label": say("mark-of", { row: this.at + 1, cell: index + 1, number: place + 1 }), onfocus: () => this.mark(cellKey(this.at, index)), onchange: (/** @type {any} */ event) => {
      const value = event.target.value;
      const all = [...marks];
      all[place] = value;
      row.bonus[index] = all.filter((one, at) => one && (one !== NONE || at === 0)).join("+") || null;
      if (all[0] === NONE) row.bonus[index] = NONE;
      work.changed();
    } }, ...first, ...work.view.marks.map((kind) => option(kind, say(`mark-${kind}`))), ...pencils);
  }

  /** Highlight on the picture the cell whose line has the focus. @param {string} key */
  mark(key) {
    this.app.selected = key;
    this.app.redraw();
  }

  /** @param {import("../work.js").Row} row @param {number} index @param {string} text */
  setPoints(row, index, text) {
    row.points[index] = wholeOf(text);
    this.app.work.changed();
  }

  /** @param {string} text */
  setAll(text) {
    const row = this.rows[this.at];
    const numbers = text.split(/[\s,;]+/).filter(Boolean).map(wholeOf);
    row.points = row.cell.map((_, index) => numbers[index] ?? row.points[index]);
    this.app.work.changed();
  }
}

/**
 * Return the name of a pencil in the reader's language, or its key if the pencil is unknown.
 *
 * @param {import("../work.js").Work} work
 * @param {string} key
 */
export function nameOf(work, key) {
  return work.view.pencils.find((pencil) => pencil.key === key)?.name ?? key;
}

/** Return a whole number of at most 100 in magnitude from typed text, or null. @param {string} text */
export function wholeOf(text) {
  const value = Number(text.replace("\u2212", "-"));
  return text.trim() !== "" && Number.isInteger(value) && Math.abs(value) <= 100 ? value : null;
}
