/** The step for the six pencils, and for the six boxes on blank paper in which each player leaves a sample. */

import { html } from "../../dom.js";
import { rectOf } from "../boxes.js";
import { rectItem, spread } from "../items.js";
import { nameOf } from "./values.js";

/** @typedef {import("../work.js").Rect} Rect */

/** The step in which the pencils and the boxes for their samples are described. */
export class Pencils {
  name = "pencils";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
  }

  get sheet() {
    return this.app.work.sheet;
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    const boxes = this.sheet.swatches;
    if (!boxes) return [];
    return boxes.at.map((sample, index) => rectItem({ key: `sample${index}`, name: app.say("sample", { colour: nameOf(app.work, sample.colour) }), look: ".mark-sample", text: nameOf(app.work, sample.colour).slice(0, 3) }, [...sample.at, ...boxes.box], ([x, y, width, height]) => {
      sample.at = [x, y];
      boxes.box = [width, height];
      app.redraw();
    }));
  }

  panel() {
    const { app } = this;
    const drawing = app.canvas.drawing !== null;
    const none = this.sheet.swatches === undefined;
    return [
      html("ol.define-pencils", {}, ...this.sheet.colour.map((colour, index) => this.line(colour, index))),
      html("div.define-buttons", {},
        app.button("draw-samples", () => this.draw(), { pressed: drawing }),
        app.button("no-samples", () => { delete this.sheet.swatches; app.canvas.ask(null); app.work.changed(); }, { pressed: none })),
      html("p.define-note", {}, app.say(none ? "samples-none" : "samples-how")),
    ];
  }

  /** @param {import("../work.js").Colour} colour @param {number} index */
  line(colour, index) {
    const { app } = this;
    const { pencils } = app.work.view;
    const taken = new Set(this.sheet.colour.map(({ key }) => key));
    const known = pencils.some(({ key }) => key === colour.key) ? pencils : [{ key: colour.key, screen: colour.screen, name: colour.key }, ...pencils];
    const choice = html("select", { "data-key": `colour-${index}`, "aria-label": app.say("pencil", { number: index + 1 }), onchange: (/** @type {any} */ event) => this.change(index, event.target.value) },
      ...known.filter(({ key }) => key === colour.key || !taken.has(key)).map(({ key, name }) => html("option", { value: key, selected: key === colour.key }, name)));
    const screen = html("input", { type: "color", value: colour.screen, "data-key": `screen-${index}`, "aria-label": app.say("screen", { colour: nameOf(app.work, colour.key) }), onchange: (/** @type {any} */ event) => { colour.screen = event.target.value; app.work.changed(); } });
    return html("li", {}, screen, choice);
  }

  /** Replace a pencil, also in the marks and samples that name it. @param {number} index @param {string} key */
  change(index, key) {
    const old = this.sheet.colour[index].key;
    const pencil = this.app.work.view.pencils.find((one) => one.key === key);
    if (!pencil) return;
    this.sheet.colour[index] = { key, screen: pencil.screen, name: { en: key, [this.app.page.language.code]: pencil.name }, code: { en: key.slice(0, 2) } };
    for (const row of this.sheet.quilt.row) {
      row.bonus = row.bonus.map((marks) => marks && marks.split("+").map((mark) => (mark === `pencil:${old}` ? `pencil:${key}` : mark)).join("+"));
    }
    for (const sample of this.sheet.swatches?.at ?? []) if (sample.colour === old) sample.colour = key;
    this.app.work.changed();
  }

  /** Let the user draw the first box and the last; the others are placed between them, in one line or two. */
  draw() {
    const { app } = this;
    app.draw({ kind: "rect", done: (corners) => {
      const first = rectOf(corners);
      app.draw({ kind: "rect", done: (others) => this.put(first, rectOf(others)) }, app.say("draw-last-sample"));
    } }, app.say("draw-first-sample"));
  }

  /** @param {Rect} first @param {Rect} drawn */
  put(first, drawn) {
    const last = /** @type {Rect} */ ([drawn[0] + (drawn[2] - first[2]) / 2, drawn[1] + (drawn[3] - first[3]) / 2, first[2], first[3]]);
    const [wide, high] = [Math.abs(last[0] - first[0]), Math.abs(last[1] - first[1])];
    const inTwo = wide > 1.5 * first[2] && high > 0.9 * first[3] && wide < 4.5 * first[2];
    const rects = inTwo ? [...spread(first, [last[0], first[1], first[2], first[3]], 3), ...spread([first[0], last[1], first[2], first[3]], last, 3)] : spread(first, last, 6);
    this.sheet.swatches = { box: [first[2], first[3]], at: this.sheet.colour.map(({ key }, index) => ({ colour: key, at: [rects[index][0], rects[index][1]] })) };
    this.app.canvas.ask(null);
    this.app.work.changed();
  }
}
