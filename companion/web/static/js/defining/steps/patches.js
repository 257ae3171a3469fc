/** The step for the patches above the quilt: position, points and column of each. */

import { html } from "../../dom.js";
import { rectOf } from "../boxes.js";
import { rectItem } from "../items.js";
import { wholeOf } from "./values.js";

/** The step in which the patches above the quilt are marked. */
export class Patches {
  name = "patches";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
  }

  get patches() {
    return this.app.work.sheet.patch;
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    return this.patches.map((patch, index) => rectItem({ key: `patch${index}`, name: app.say("patch", { number: index + 1 }), look: ".mark-patch", text: patch.points === null ? app.page.language.unknown : app.page.language.digits(patch.points) }, patch.region, (rect) => {
      patch.region = rect;
      app.redraw();
    }));
  }

  panel() {
    const { app } = this;
    const columns = [...new Set(app.work.sheet.quilt.row.flatMap((row) => row.columns))].sort((one, other) => one - other);
    return [
      html("ol.define-things", {}, ...this.patches.map((patch, index) => this.line(patch, index, columns))),
      html("div.define-buttons", {}, app.button("add-patch", () => this.add(), { pressed: app.canvas.drawing !== null })),
    ];
  }

  /** @param {import("../work.js").Patch} patch @param {number} index @param {number[]} columns */
  line(patch, index, columns) {
    const { app } = this;
    const column = html("select", { "data-key": `column-${index}`, onchange: (/** @type {any} */ event) => { patch.column = Number(event.target.value) || null; app.work.changed(); } },
      html("option", { value: "" }, app.page.language.unknown), ...columns.map((number) => html("option", { value: number, selected: number === patch.column }, app.page.language.digits(number))));
    return html(`li${app.selected === `patch${index}` ? ".is-chosen" : ""}`, {},
      html("h3", {}, app.say("patch", { number: index + 1 })),
      html("div.define-pair", {},
        app.field("points", `patch-points-${index}`, patch.points, (text) => { patch.points = wholeOf(text); app.work.changed(); }, { type: "number", min: 1, max: 100 }),
        html("label.define-field", {}, html("span", {}, app.say("column")), column)),
      html("button.plain", { type: "button", "data-key": `drop-${index}`, onclick: () => { this.patches.splice(index, 1); app.selected = null; app.work.changed(); } }, app.say("remove")));
  }

  add() {
    const { app } = this;
    app.draw({ kind: "rect", done: (corners) => {
      const taken = new Set(this.patches.map(({ id }) => id));
      let number = this.patches.length + 1;
      while (taken.has(`p${number}`)) number += 1;
      const region = rectOf(corners);
      this.patches.push({ id: `p${number}`, column: columnUnder(app.work.sheet.quilt.row, region), points: null, region });
      app.canvas.ask(null);
      app.selected = `patch${this.patches.length - 1}`;
      app.work.changed();
    } }, app.say("draw-patch"));
  }
}

/** Return the column whose cell in the first row is straight below a region, or null. @param {import("../work.js").Row[]} rows @param {import("../work.js").Rect} region */
function columnUnder(rows, [x, , width]) {
  const middle = x + width / 2;
  const first = rows[0];
  const at = first ? first.cell.findIndex(([left, , wide]) => left <= middle && middle <= left + wide) : -1;
  return at < 0 ? null : first.columns[at];
}
