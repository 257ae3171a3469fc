/** The conditions that make a sheet hard to read: light, shadow, position, curl and style of colouring. */

import { html } from "../../dom.js";
import { shown, slider } from "../../patchwork/virtual/seeing.js";
import { canTouch } from "../../views/page.js";
import "../../virtual/texts.js";
import "./texts.js";

const SETTLED_MS = 150;
/** Name, step, display factor and unit of each slider. @type {[string, number, number, string][]} */
const SLIDERS = [
  ["exposure", 0.02, 100, "%"],
  ["gradient", 0.02, 100, "%"],
  ["shadow", 0.02, 100, "%"],
  ["turn_deg", 0.5, 1, "°"],
  ["curl_mm", 0.1, 1, " mm"],
];

/** @typedef {import("../../views/page.js").Page} Page */

/** The sliders and the choice of style that make a sheet hard to read. */
export class Troubles {
  /**
   * @param {Page} page
   * @param {import("./brush.js").Brush} brush
   * @param {Record<string, [number, number]>} ranges  The range of each slider.
   * @param {string[]} styles
   */
  constructor(page, brush, ranges, styles) {
    this.page = page;
    this.brush = brush;
    this.touched = 0;
    /** The number of changes without an answer. */
    this.waits = 0;
    this.sliders = SLIDERS.map(([name, step, factor, unit]) => ({ name, ...slider(page, name, ranges[name], step, (value) => shown(value, factor, unit, page), () => this.later()) }));
    this.style = /** @type {HTMLSelectElement} */ (
      html("select.language", { id: "paint-style", onchange: () => this.later() }, ...styles.map((style) => html("option", { value: style }, page.say(`style.${style}`))))
    );
    this.card = html(
      "section.card.v-troubles",
      { "aria-labelledby": "v-troubles-title" },
      html("h2.section-title", { id: "v-troubles-title" }, page.say("virtual.fool")),
      html("p.k-style", {}, html("label", { for: "paint-style" }, page.say("paint.style")), this.style),
      html("div.v-sliders", {}, ...this.sliders.map(({ label }) => label)),
    );
  }

  draw() {
    const state = this.page.state();
    this.card.hidden = !state.virtual || !canTouch(state, this.page);
    // A slider just moved would jump back to a state from before its change.
    if (!state.virtual || this.waits || Date.now() - this.touched < 1500) return;
    const conditions = /** @type {any} */ (state.virtual.conditions);
    for (const { name, input, show } of this.sliders) {
      if (Number(input.value) !== conditions[name]) input.value = String(conditions[name]);
      show();
    }
    this.style.value = conditions.style;
  }

  later() {
    this.touched = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), SETTLED_MS);
  }

  async send() {
    this.waits += 1;
    const strengths = Object.fromEntries(this.sliders.map(({ name, input }) => [name, Number(input.value)]));
    await this.brush.conditions({ ...strengths, style: this.style.value });
    this.waits -= 1;
    this.touched = Date.now();
  }
}
