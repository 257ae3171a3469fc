/** The step for the spools: their points, and the thread and flanges of each. */

import { html } from "../../dom.js";
import { rectOf } from "../boxes.js";
import { rectItem, spread } from "../items.js";
import { wholeOf } from "./values.js";

/** @typedef {import("../work.js").Rect} Rect */

/** The step in which the spools are marked. */
export class Spools {
  name = "spools";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
  }

  get spools() {
    return this.app.work.sheet.spools;
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    return this.spools.spool.flatMap((spool, index) => {
      const number = index + 1;
      const flanges = (spool.body ?? []).map((rect, place) => rectItem({ key: `flange${index}-${place}`, name: app.say("flange", { number }), look: ".mark-flange" }, rect, (moved) => {
        spool.body[place] = moved;
        app.redraw();
      }));
      if (!spool.thread) return flanges;
      return [...flanges, rectItem({ key: `thread${index}`, name: app.say("thread", { number }), look: ".mark-thread", text: app.page.language.digits(this.spools.points[index] ?? 0) }, spool.thread, (moved) => {
        spool.thread = moved;
        app.redraw();
      })];
    });
  }

  panel() {
    const { app, spools } = this;
    const whole = { type: "number", min: 0, max: 100 };
    const set = (/** @type {"open" | "all_colours_bonus"} */ key) => (/** @type {string} */ text) => {
      spools[key] = Math.max(0, wholeOf(text) ?? spools[key]);
      app.work.changed();
    };
    const drawing = app.canvas.drawing !== null;
    const can = spools.points.length > 0;
    const flanges = spools.spool.some(({ body }) => body?.length);
    return [
      app.field("spool-points", "spool-points", spools.points.join(" "), (text) => this.count(text), { placeholder: "1 2 3 4 6 8 11" }),
      html("div.define-pair", {}, app.field("spools-open", "spools-open", spools.open, set("open"), whole), app.field("spools-bonus", "spools-bonus", spools.all_colours_bonus, set("all_colours_bonus"), whole)),
      html("div.define-buttons", {},
        app.button("draw-threads", () => this.row("thread"), { disabled: !can, pressed: drawing && this.drawing === "thread" }),
        app.button("draw-flanges", () => this.row("body"), { disabled: !can, pressed: drawing && this.drawing === "body" }),
        flanges && app.button("forget-flanges", () => this.forget())),
      html("p.define-note", {}, app.say("flanges-two")),
    ];
  }

  /** Set the points; there are as many spools as numbers. @param {string} text */
  count(text) {
    const points = /** @type {number[]} */ (text.split(/[\s,;]+/).filter(Boolean).map(wholeOf).filter((value) => value !== null && value >= 0));
    this.spools.points = points;
    this.spools.spool = points.map((_, index) => this.spools.spool[index] ?? { body: [], thread: null });
    this.app.work.changed();
  }

  /** Let the user draw the first and the last of a row; those between are interpolated. @param {"thread" | "body"} what */
  row(what) {
    const { app } = this;
    this.drawing = what;
    app.draw({ kind: "rect", done: (corners) => {
      const first = rectOf(corners);
      if (this.spools.points.length === 1) return this.put(what, [first]);
      app.draw({ kind: "rect", done: (others) => {
        const [x, y, width, height] = rectOf(others);
        const last = /** @type {Rect} */ ([x + (width - first[2]) / 2, y + (height - first[3]) / 2, first[2], first[3]]);
        this.put(what, spread(first, last, this.spools.points.length));
      } }, app.say("draw-last"));
    } }, app.say(what === "thread" ? "draw-first-thread" : "draw-first-flange"));
  }

  /** @param {"thread" | "body"} what @param {Rect[]} rects */
  put(what, rects) {
    rects.forEach((rect, index) => {
      const spool = (this.spools.spool[index] ??= { body: [], thread: null });
      if (what === "thread") spool.thread = rect;
      else spool.body = [...(spool.body ?? []), rect];
    });
    this.app.canvas.ask(null);
    this.app.work.changed();
  }

  forget() {
    for (const spool of this.spools.spool) spool.body = [];
    this.app.selected = null;
    this.app.work.changed();
  }
}
