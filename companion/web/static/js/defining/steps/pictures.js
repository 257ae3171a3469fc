/** The step for the pictures in the cells: found automatically, drawn, or copied from another cell of the row. */

import { html } from "../../dom.js";
import { ask } from "../../setup/asking.js";
import { carried } from "../grid.js";
import { outlineItem } from "../items.js";
import { cellKey, cellOf } from "./quilt.js";

/** The step in which the pictures in the cells are outlined. */
export class Pictures {
  name = "pictures";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
    this.found = "";
  }

  get rows() {
    return this.app.work.sheet.quilt.row;
  }

  enter() {
    this.found = "";
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    return this.rows.flatMap((row, at) => row.cell.flatMap(([x, y, width, height], index) => {
      const key = cellKey(at, index);
      const name = app.say("picture-of", { row: at + 1, cell: index + 1 });
      const outline = row.picture_outline[index];
      /** @type {import("../canvas.js").Item} */
      const cell = { key: `cell-${key}`, name, look: `.mark-faint${outline ? "" : ".is-missing"}`, outline: [[x, y], [x + width, y], [x + width, y + height], [x, y + height]] };
      if (!outline) return [cell];
      return [cell, outlineItem({ key, name, look: ".mark-picture" }, outline, (moved) => {
        row.picture_outline[index] = moved;
        app.redraw();
      })];
    }));
  }

  /** Selecting a cell selects its picture. @param {string} key */
  choose(key) {
    const cell = cellOf(key);
    if (cell && this.rows[cell[0]].picture_outline[cell[1]]) this.app.selected = cellKey(...cell);
  }

  panel() {
    const { app } = this;
    const chosen = cellOf(app.selected);
    const drawing = app.canvas.drawing !== null;
    return [
      html("div.define-buttons", {}, app.button("find-pictures", () => this.find())),
      this.found && html("p.define-note", { role: "status" }, this.found),
      chosen && html("div.define-chosen", {},
        html("h3", {}, app.say("picture-of", { row: chosen[0] + 1, cell: chosen[1] + 1 })),
        html("div.define-buttons", {},
          app.button("draw-outline", () => this.draw(chosen), { pressed: drawing }),
          drawing && app.button("close-outline", () => app.canvas.close()),
          this.rows[chosen[0]].picture_outline[chosen[1]] && app.button("lend-row", () => this.lend(chosen)),
          this.rows[chosen[0]].picture_outline[chosen[1]] && app.button("forget-outline", () => this.set(chosen, null)))),
      !chosen && html("p.define-note", {}, app.say("tap-cell")),
    ];
  }

  async find() {
    const { app } = this;
    const cells = this.rows.flatMap((row) => row.cell);
    const asked = JSON.stringify(cells);
    const before = this.rows.map((row) => row.picture_outline.map((outline) => JSON.stringify(outline)));
    const answer = await ask("/api/define/pictures", app.page, { cells });
    if (!answer.ok) {
      app.work.refused = answer.error ?? "";
      return app.refresh();
    }
    // The cells have changed, so the answer is out of date.
    if (JSON.stringify(this.rows.flatMap((row) => row.cell)) !== asked) return;
    /** @type {(import("../work.js").Point[] | null)[]} */
    const outlines = answer.outlines;
    let count = 0;
    for (const [at, row] of this.rows.entries()) {
      // Outlines that the user has changed during the request stay.
      const isOwn = (/** @type {number} */ index) => JSON.stringify(row.picture_outline[index]) !== before[at][index];
      row.picture_outline = row.cell.map((_, index) => (isOwn(index) ? row.picture_outline[index] : outlines[count + index] ?? row.picture_outline[index]));
      count += row.cell.length;
    }
    this.found = app.say("found-pictures", { count: outlines.filter(Boolean).length, all: cells.length });
    app.work.changed();
  }

  /** @param {[number, number]} cell */
  draw(cell) {
    this.app.draw({ kind: "outline", done: (points) => {
      this.app.canvas.ask(null);
      this.set(cell, points);
    } }, this.app.say("draw-outline-hint"));
  }

  /** @param {[number, number]} cell @param {import("../work.js").Point[] | null} outline */
  set([row, index], outline) {
    this.rows[row].picture_outline[index] = outline;
    this.app.selected = outline ? cellKey(row, index) : `cell-${cellKey(row, index)}`;
    this.app.work.changed();
  }

  /** Copy a cell's picture to the other cells of its row. @param {[number, number]} cell */
  lend([at, index]) {
    const row = this.rows[at];
    row.picture_outline = row.cell.map((cell) => carried(row.picture_outline[index], row.cell[index], cell));
    this.app.work.changed();
  }
}
