/** The step for the quilt's cells: a grid drawn over all of them, of which single cells are moved or removed. */

import { html } from "../../dom.js";
import { carried, gridOf, laidOut } from "../grid.js";
import { rectItem } from "../items.js";

/** The step in which the cells of the quilt are marked. */
export class Quilt {
  name = "quilt";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
    this.wanted = { rows: 5, columns: 7, gapX: 1, gapY: 1 };
  }

  get rows() {
    return this.app.work.sheet.quilt.row;
  }

  enter() {
    const grid = gridOf(this.rows);
    if (grid) this.wanted = { rows: grid.rows, columns: grid.columns, gapX: grid.gapX, gapY: grid.gapY };
    this.app.selected = grid ? "grid" : null;
    if (!grid) this.begin();
  }

  begin() {
    this.app.canvas.ask({ kind: "rect", done: (corners) => this.lay(corners) }, this.app.say("draw-grid"));
  }

  /** @param {import("../work.js").Point[]} corners */
  lay(corners) {
    this.app.canvas.ask(null);
    this.app.selected = "grid";
    this.app.work.sheet.quilt.row = laidOut({ ...this.wanted, corners }, this.rows);
    this.app.work.changed();
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    const cells = this.rows.flatMap((row, at) => row.cell.map((rect, index) =>
      rectItem({ key: cellKey(at, index), name: app.say("cell", { row: at + 1, cell: index + 1 }), look: ".mark-cell" }, rect, (moved) => {
        row.picture_outline[index] = carried(row.picture_outline[index], row.cell[index], moved);
        row.cell[index] = moved;
        app.redraw();
      })));
    const grid = gridOf(this.rows);
    if (!grid) return [];
    /** @type {import("../canvas.js").Item} */
    const whole = {
      key: "grid", name: app.say("grid"), look: ".mark-grid", form: "none", outline: grid.corners, handles: grid.corners,
      pull: (at, point) => {
        const corners = grid.corners.map((old, index) => (index === at ? point : old));
        // The two neighbouring corners follow the dragged one, so that the grid stays a rectangle.
        const rect = corners.map(([x, y], index) => /** @type {import("../work.js").Point} */ ([index === neighbour(at, 0) ? point[0] : x, index === neighbour(at, 1) ? point[1] : y]));
        app.work.sheet.quilt.row = laidOut({ ...this.wanted, corners: rect }, this.rows);
        app.redraw();
      },
    };
    return [...cells, whole];
  }

  panel() {
    const { app } = this;
    const number = (/** @type {"rows" | "columns" | "gapX" | "gapY"} */ key, /** @type {number} */ min, /** @type {number} */ max, /** @type {number} */ step) =>
      app.field(`grid-${key.toLowerCase()}`, key, this.wanted[key], (value) => this.change(key, Math.max(min, Math.min(max, Number(value) || min))), { type: "number", min, max, step, inputmode: "decimal" });
    const chosen = cellOf(app.selected);
    return [
      html("div.define-pair", {}, number("rows", 3, 6, 1), number("columns", 2, 20, 1)),
      html("div.define-pair", {}, number("gapX", 0, 20, 0.1), number("gapY", 0, 20, 0.1)),
      html("div.define-buttons", {},
        app.button("draw-grid-anew", () => this.begin(), { pressed: app.canvas.drawing !== null }),
        chosen && app.button("whole-grid", () => app.choose("grid"))),
      chosen && html("div.define-chosen", {},
        html("h3", {}, app.say("cell", { row: chosen[0] + 1, cell: chosen[1] + 1 })),
        html("div.define-buttons", {}, app.button("remove-cell", () => this.remove(chosen)))),
      this.rows.length > 0 && html("p.define-note", {}, app.say("rows-uneven")),
      this.lacks() && app.button("all-cells", () => this.complete()),
    ];
  }

  /** @param {"rows" | "columns" | "gapX" | "gapY"} key @param {number} value */
  change(key, value) {
    const grid = gridOf(this.rows);
    this.wanted = { ...this.wanted, [key]: value };
    if (grid) this.app.work.sheet.quilt.row = laidOut({ ...this.wanted, corners: grid.corners }, this.rows);
    this.app.work.changed();
  }

  /** @param {[number, number]} cell */
  remove([at, index]) {
    const row = this.rows[at];
    if (row.cell.length < 2) return;
    for (const values of [row.cell, row.columns, row.points, row.bonus, row.picture_outline]) values.splice(index, 1);
    this.app.selected = null;
    this.app.work.changed();
  }

  /** Whether a row has no cell in some column. */
  lacks() {
    return this.rows.some(({ columns }) => columns.length < this.wanted.columns);
  }

  complete() {
    const grid = gridOf(this.rows);
    if (!grid) return;
    const kept = this.rows;
    const whole = laidOut({ ...this.wanted, corners: grid.corners }, []);
    this.app.work.sheet.quilt.row = whole.map((row, at) => {
      const old = kept[at];
      const index = row.columns.map((column) => old.columns.indexOf(column));
      return {
        ...old, columns: row.columns,
        cell: index.map((from, to) => (from < 0 ? row.cell[to] : old.cell[from])),
        points: index.map((from) => old.points[from] ?? null),
        bonus: index.map((from) => old.bonus[from] ?? null),
        picture_outline: index.map((from) => old.picture_outline[from] ?? null),
      };
    });
    this.app.work.changed();
  }
}

/** Return the other corner with the same x (axis 0) or y (axis 1) as a corner. @param {number} at @param {number} axis */
function neighbour(at, axis) {
  return axis === 0 ? [3, 2, 1, 0][at] : [1, 0, 3, 2][at];
}

/** Return the key of the item for a cell. Row and index count from 0. @param {number} row @param {number} index */
export function cellKey(row, index) {
  return `r${row + 1}c${index + 1}`;
}

/** Return the row and the index of the cell in it, from 0, or null for another key. @param {string | null} key @returns {[number, number] | null} */
export function cellOf(key) {
  const found = /r(\d+)c(\d+)$/.exec(key ?? "");
  return found && [Number(found[1]) - 1, Number(found[2]) - 1];
}

