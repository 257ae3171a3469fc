/** The camera's picture, and the conditions that make it hard to read: light, bumps, inaccurate placement. */

import { html } from "../../dom.js";
import { canTouch, nameOf } from "../../views/page.js";
import { CameraView } from "../../virtual/camera.js";
import "../../virtual/texts.js";

const NUDGE_MM = 5;
const SETTLED_MS = 120;
/** The key of the text that formats a value with its unit. @type {Record<string, string>} */
const UNITS = { "%": "unit.percent", " mm": "unit.mm", "°": "unit.degrees" };
/** Name, step, display factor and unit of each slider. @type {[keyof import("./pieces.js").Conditions, number, number, string][]} */
const SLIDERS = [
  ["exposure", 0.05, 100, "%"],
  ["gradient", 0.02, 100, "%"],
  ["hard_shadow", 0.02, 100, "%"],
  ["offset_mm", 0.1, 1, " mm"],
  ["rotation_deg", 0.1, 1, "°"],
];

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("./hand.js").Hand} Hand
 * @typedef {import("./pieces.js").Conditions} Conditions
 */

/** The card with the camera's picture and the conditions of the virtual table. */
export class Seeing {
  /**
   * @param {Page} page
   * @param {Hand} hand
   * @param {Record<string, [number, number]>} ranges  The range of each slider.
   */
  constructor(page, hand, ranges) {
    this.page = page;
    this.hand = hand;
    this.view = new CameraView(page, page.say("virtual.camera-alt"), box(page.say("virtual.reading"), true, () => {}));
    this.card = this.view.card;
    this.arms = box(page.say("virtual.arms"), true, () => this.send());
    this.snaps = box(page.say("virtual.snap"), true, (on) => (hand.snaps = on));
    this.sliders = SLIDERS.map(([name, step, factor, unit]) => ({ name, ...slider(page, name, ranges[name], step, (value) => shown(value, factor, unit, page), () => this.later()) }));
    this.bumps = html("div.v-bumps", { role: "group", "aria-label": page.say("virtual.bump") });
    this.troubles = this.makeTroubles();
    this.touched = 0;
    /** The number of changes without an answer. */
    this.waits = 0;
    /** The last request; changes are sent one after the other, so that the last one wins. @type {Promise<unknown>} */
    this.sent = Promise.resolve();
  }

  makeTroubles() {
    return html(
      "section.card.v-troubles",
      { "aria-labelledby": "v-troubles-title" },
      html("h2.section-title", { id: "v-troubles-title" }, this.page.say("virtual.fool")),
      html("div.v-sliders", {}, ...this.sliders.map(({ label }) => label)),
      html("div.v-checks", {}, this.snaps.label, this.arms.label),
      this.bumps,
    );
  }

  start() {
    this.view.start();
  }

  draw() {
    const state = this.page.state();
    this.card.hidden = this.troubles.hidden = !state.virtual || !canTouch(state, this.page);
    const names = JSON.stringify([1, 2].map((seat) => nameOf(state, seat)));
    if (this.bumps.dataset.names !== names) this.offerBumps(names);
    // A slider just moved would jump back to a state from before its change.
    if (state.virtual && !this.waits && Date.now() - this.touched > 1500) this.follow(state.virtual.conditions);
  }

  /** @param {string} names */
  offerBumps(names) {
    const { say, state } = this.page;
    this.bumps.dataset.names = names;
    const bump = (/** @type {string} */ what, /** @type {string} */ text) => html("button.plain", { type: "button", onclick: () => this.hand.moves.nudge(what, NUDGE_MM) }, text);
    const boards = [1, 2].map((seat) => bump(`board-${seat}`, say("virtual.bump-board", { name: nameOf(state(), seat) })));
    this.bumps.replaceChildren(bump("camera", say("virtual.bump-camera")), ...boards);
  }

  /** @param {Conditions} conditions */
  follow(conditions) {
    for (const { name, input, show } of this.sliders) {
      if (Number(input.value) !== conditions[name]) input.value = String(conditions[name]);
      show();
    }
    this.arms.input.checked = conditions.arms;
  }

  later() {
    this.touched = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), SETTLED_MS);
  }

  send() {
    this.touched = Date.now();
    const strengths = Object.fromEntries(this.sliders.map(({ name, input }) => [name, Number(input.value)]));
    const wanted = /** @type {Conditions} */ ({ ...strengths, arms: this.arms.input.checked });
    this.waits += 1;
    this.sent = this.sent.then(() => this.hand.moves.conditions(wanted)).then(() => {
      this.waits -= 1;
      this.touched = Date.now();
    });
  }
}

/**
 * Return a checkbox and its label.
 *
 * @param {string} text
 * @param {boolean} checked
 * @param {(on: boolean) => void} does
 */
export function box(text, checked, does) {
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked, onchange: () => does(input.checked) }));
  return { input, label: html("label.v-check", {}, input, text) };
}

/**
 * Return a slider, its label, and a function that shows its value as text.
 *
 * @param {Page} page
 * @param {string} name
 * @param {[number, number]} range
 * @param {number} step
 * @param {(value: number) => string} spell
 * @param {() => void} does
 */
export function slider(page, name, [min, max], step, spell, does) {
  const text = page.say(`virtual.${name.replace("_", "-")}`);
  const value = html("span.v-value", { "aria-hidden": "true" });
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "range", min, max, step, "aria-label": text, oninput: () => (show(), does()) }));
  const show = () => {
    value.textContent = spell(Number(input.value));
    input.setAttribute("aria-valuetext", value.textContent);
  };
  return { input, show, label: html("label.v-slider", {}, html("span", {}, text), value, input) };
}

/**
 * Return a value with its unit, times `factor`, rounded to tenths.
 *
 * @param {number} value
 * @param {number} factor
 * @param {string} unit
 * @param {Page} page
 */
export function shown(value, factor, unit, { say }) {
  return say(UNITS[unit], { value: Math.round(value * factor * 10) / 10 });
}
