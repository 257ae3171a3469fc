/** The step for the embroideries: figures whose parts are tapped one after the other. */

import { html } from "../../dom.js";
import { discItem } from "../items.js";

const EFFECTS = ["pencils:2", "pencils:1", "backgrounds"];
const DEFAULTS = { "pencils:2": 5, "pencils:1": 3, backgrounds: 2 };

/** The step in which the embroideries are marked. */
export class Stitches {
  name = "stitches";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
    /** The index of the figure whose parts are being tapped, or null. @type {number | null} */
    this.adding = null;
  }

  get figures() {
    return this.app.work.sheet.embroidery;
  }

  enter() {
    this.adding = null;
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const { app } = this;
    const radius = app.work.sheet.embroidery_style.radius;
    return this.figures.flatMap((figure, at) => figure.parts.map((centre, index) => discItem({ key: `figure${at}-${index}`, name: app.say("part", { name: figure.id, number: index + 1 }), look: `.mark-part.is-${at % 3}`, text: app.page.language.digits(at + 1) }, centre, radius, (moved) => {
      figure.parts[index] = moved;
      app.redraw();
    })));
  }

  panel() {
    const { app } = this;
    const style = app.work.sheet.embroidery_style;
    const radius = html("input", { type: "range", min: 1, max: 15, step: 0.1, value: style.radius, "data-key": "radius", oninput: (/** @type {any} */ event) => { style.radius = Number(event.target.value); app.redraw(); }, onchange: () => app.work.changed() });
    return [
      html("label.define-field", {}, html("span", {}, app.say("radius")), radius),
      html("ol.define-things", {}, ...this.figures.map((figure, at) => this.line(figure, at))),
      html("div.define-buttons", {}, ...EFFECTS.map((effect) => app.button(`add-${effect.replace(":", "-")}`, () => this.add(effect)))),
    ];
  }

  /** @param {import("../work.js").Figure} figure @param {number} at */
  line(figure, at) {
    const { app } = this;
    const effect = html("select", { "data-key": `effect-${at}`, "aria-label": app.say("effect"), onchange: (/** @type {any} */ event) => { figure.effect = event.target.value; app.work.changed(); } },
      ...[...new Set([...EFFECTS, figure.effect])].map((one) => html("option", { value: one, selected: one === figure.effect }, EFFECTS.includes(one) ? app.say(`effect-${one.replace(":", "-")}`) : one)));
    const adding = this.adding === at;
    const plain = (/** @type {string} */ text, /** @type {() => void} */ act, pressed = /** @type {boolean | undefined} */ (undefined)) => html("button.plain", { type: "button", "data-key": `${text}-${at}`, "aria-pressed": pressed, onclick: act }, app.say(text));
    return html(`li${adding ? ".is-chosen" : ""}`, {},
      html("h3", {}, app.say("figure", { number: at + 1, count: figure.parts.length })), effect,
      html("div.define-buttons", {},
        plain(adding ? "parts-done" : "tap-parts", () => (adding ? this.stop() : this.tap(at)), adding),
        figure.parts.length > 0 && plain("remove-part", () => { figure.parts.pop(); app.selected = null; app.work.changed(); }),
        plain("remove", () => { this.figures.splice(at, 1); app.selected = null; this.stop(); app.work.changed(); })));
  }

  /** @param {string} effect */
  add(effect) {
    const taken = new Set(this.figures.map(({ id }) => id));
    let number = this.figures.length + 1;
    while (taken.has(`e${number}`)) number += 1;
    this.figures.push({ id: `e${number}`, effect, parts: [] });
    this.app.work.changed();
    this.tap(this.figures.length - 1);
  }

  /** @param {number} at */
  tap(at) {
    this.adding = at;
    const figure = this.figures[at];
    const wanted = DEFAULTS[/** @type {keyof typeof DEFAULTS} */ (figure.effect)] ?? 0;
    this.app.draw({ kind: "point", done: ([point]) => {
      figure.parts.push(point);
      this.app.work.changed();
      // Stop at the usual number of parts; a figure with more is continued by hand.
      if (figure.parts.length === wanted) this.stop();
    } }, this.app.say("tap-parts-hint"));
  }

  stop() {
    this.adding = null;
    this.app.draw(null);
  }
}
