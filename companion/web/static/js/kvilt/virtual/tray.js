/** The tray: pencils, rubber, and the button that lays a sheet under the camera. */

import { fill, html, svg } from "../../dom.js";
import { canTouch } from "../../views/page.js";
import { nameOfColour, pencil, screenOf } from "../colours.js";
import { weaveOf } from "../weaves.js";
import { RUBBER } from "./brush.js";
import { left, marksOn } from "./paper.js";
import "./texts.js";

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("../contract.js").KviltSheet} KviltSheet
 * @typedef {import("./brush.js").Brush} Brush
 */

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
