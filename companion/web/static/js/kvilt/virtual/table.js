/** The virtual table of Kvilt: sheets to colour on the page, with the camera's picture beside them. */

import { fill, html, svg } from "../../dom.js";
import { keepClear, part } from "../../frame.js";
import { box, shown, slider } from "../../patchwork/virtual/seeing.js";
import { stylesheet } from "../../stylesheet.js";
import { canTouch } from "../../views/page.js";
import { CameraView } from "../../virtual/camera.js";
import { laid } from "../../virtual/laid.js";
import "../../virtual/texts.js";
import { nameOfColour, pencil, screenOf } from "../colours.js";
import { weaveOf } from "../weaves.js";
import { Brush, RUBBER } from "./brush.js";
import { Painting } from "./painting.js";
import { left, marksOn } from "./paper.js";
import "./texts.js";

/**
 * Enable colouring on the page.
 *
 * @param {import("../../views/page.js").Page} page
 * @param {() => import("../contract.js").KviltSheet | null} currentSheet  Returns the layout, or null until it is loaded.
 */
export async function open(page, currentSheet) {
  const { store } = page;
  const [{ table, ranges }] = await Promise.all([laid("kvilt"), stylesheet("/static/css/virtual.css"), stylesheet("/static/css/kvilt/virtual.css")]);
  const brush = new Brush(store, page.say("link.unreachable"));
  const painting = new Painting(brush, currentSheet);
  const tray = new Tray(page, brush, currentSheet);
  const camera = new CameraView(page, page.say("paint.camera-alt"), box(page.say("virtual.reading"), true, () => {}));
  const troubles = new Troubles(page, brush, ranges, /** @type {any} */ (table).styles);
  document.documentElement.dataset.table = "virtual";
  // After the push-buttons, so that those do not move.
  part("controls").after(tray.tray);
  keepClear(tray.tray, "--tray");
  part("offers").after(camera.card);
  part("track-room").after(troubles.card);
  for (const seat of [1, 2, 3, 4]) {
    const room = document.getElementById(`seat-${seat}`);
    if (room) painting.listen(room, seat);
  }
  // A state that arrived as an event is newer than the one requested.
  if (/** @type {any} */ (store.get().virtual)?.game !== table.game) store.set({ virtual: table });
  store.subscribe(() => {
    tray.draw();
    camera.draw();
    troubles.draw();
  });
  camera.start();
}

// The conditions that make a sheet hard to read: light, shadow, position, curl and style of colouring.

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

// The tray: pencils, rubber, and the button that lays a sheet under the camera.

/** @typedef {import("../contract.js").KviltSheet} KviltSheet */

/** The tray of tools. It is hidden while no sheet can be coloured. */
export class Tray {
  /**
   * @param {Page} page
   * @param {Brush} brush
   * @param {() => KviltSheet | null} sheet
   */
  constructor(page, brush, sheet) {
    this.page = page;
    this.brush = brush;
    this.sheet = sheet;
    this.tray = html("section.k-tray", { "aria-label": page.say("paint.tray"), hidden: true });
    this.drawn = "";
    /** @type {number | null} */
    this.mover = null;
  }

  draw() {
    const state = this.page.state();
    const table = state.snapshot?.kvilt;
    const sheet = this.sheet();
    this.tray.hidden = !(table?.phase === "colouring" && table.turn && sheet && state.virtual && canTouch(state, this.page));
    document.documentElement.dataset.paints = String(!this.tray.hidden && Boolean(this.brush.paint.brush));
    if (this.tray.hidden || !table || !sheet) return;
    this.giveUp(table.turn);
    const lying = /** @type {any} */ (state.virtual).lying;
    const mover = table.seats.find(({ seat }) => seat === table.turn);
    if (!mover) return;
    const marks = marksOn(state, mover.seat) ?? {};
    const counts = sheet.colours.map(({ key }) => left(key, mover, marks, sheet));
    const needed = JSON.stringify([this.brush.paint.brush, this.brush.paint.says, counts, mover.bonus, mover.name, lying]);
    if (needed === this.drawn) return;
    this.drawn = needed;
    fill(this.tray, this.says(), this.pencils(sheet, counts), this.laying(mover, lying));
  }

  /** Put the tool down when the turn passes. @param {number | null} turn */
  giveUp(turn) {
    const before = this.mover;
    this.mover = turn;
    if (before !== turn && this.brush.paint.brush) this.brush.take(null);
  }

  says() {
    const { brush, says } = this.brush.paint;
    if (says) return html("p.k-says.refused", { role: "alert", dir: "auto" }, says);
    return html("p.k-says", {}, this.page.say(brush === RUBBER ? "paint.how-rubber" : brush ? "paint.how-pencil" : "paint.how"));
  }

  /**
   * @param {KviltSheet} sheet
   * @param {readonly number[]} counts  The number of usable pencils of each colour.
   */
  pencils(sheet, counts) {
    const { say } = this.page;
    const buttons = sheet.colours.map(({ key }, index) => {
      const count = counts[index];
      const name = nameOfColour(sheet, key, this.page);
      const label = count ? say("paint.pencil-in-hand", { colour: name, count }) : say("paint.pencil", { colour: name });
      const badge = count ? html("span.k-count", { "aria-hidden": "true" }, this.page.language.digits(count)) : null;
      return this.tool(key, label, `${count ? ".in-hand" : ""}`, [pencil(screenOf(sheet, key), weaveOf(sheet, key)), badge], `${name} (${index + 1})`);
    });
    return html("div.k-tools", { role: "group", "aria-label": say("paint.tools") }, ...buttons, this.tool(RUBBER, say("paint.rubber"), "", [rubber()], say("paint.rubber")));
  }

  /**
   * @param {string} brush
   * @param {string} label
   * @param {string} kind
   * @param {(Node | null)[]} look
   * @param {string} title
   */
  tool(brush, label, kind, look, title) {
    const held = this.brush.paint.brush === brush;
    return html(`button.k-tool${kind}`, { type: "button", "data-key": `tool-${brush}`, "aria-pressed": held, "aria-label": label, title, onclick: () => this.brush.take(brush) }, ...look);
  }

  /**
   * @param {import("../contract.js").KviltSeat} mover
   * @param {number | null} lying
   */
  laying({ seat, name }, lying) {
    const there = lying === seat;
    const text = this.page.say(there ? "paint.take-away" : "paint.lay-confirm", { name });
    const lay = async () => (await this.brush.lay(there ? null : seat)) && !there && this.page.commands.press("confirm");
    return html("button.plain.k-lay", { type: "button", "data-key": "lay-sheet", onclick: lay }, text);
  }
}

function rubber() {
  return svg(
    "svg.k-rubber",
    { viewBox: "0 0 26 20", "aria-hidden": "true" },
    svg("path", { d: "M3 12 12 3h11v5l-9 9H3z", fill: "#f3e9e4", stroke: "currentColor", "stroke-width": 0.9, "stroke-linejoin": "round" }),
    svg("path", { d: "M3 12h11v5H3z", fill: "#e08c86", stroke: "currentColor", "stroke-width": 0.9, "stroke-linejoin": "round" }),
    svg("path", { d: "m14 12 9-9", fill: "none", stroke: "currentColor", "stroke-width": 0.9 }),
  );
}
