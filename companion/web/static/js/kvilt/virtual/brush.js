/** What is in hand at the virtual table: a pencil, or the rubber; and strokes that the table has not answered yet. */

import { reader } from "../../commands.js";
import { marksOn } from "./paper.js";

/**
 * @typedef {import("../../store.js").Store} Store
 * @typedef {Record<string, Record<string, string | null>>} Pending  By seat and region: the colour, or null where it is rubbed out.
 *
 * @typedef {object} Paint
 * @property {string | null} brush  A colour's key, or "rubber"; null for none.
 * @property {Pending} pending
 * @property {string} says  Why the last stroke was refused; empty where it was not.
 */

export const RUBBER = "rubber";

export class Brush {
  /**
   * @param {Store} store
   * @param {string} unreachable  What to say where the table does not answer.
   */
  constructor(store, unreachable) {
    this.store = store;
    this.unreachable = unreachable;
    /** @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    if (!store.get().paint) store.set({ paint: { brush: null, pending: {}, says: "" } });
  }

  /** @returns {Paint} */
  get paint() {
    return /** @type {Paint} */ (this.store.get().paint);
  }

  /** Take a pencil up, or put it down. @param {string | null} brush */
  take(brush) {
    this.store.set({ paint: { ...this.paint, brush: brush === this.paint.brush ? null : brush, says: "" } });
  }

  /**
   * What is coloured on a sheet, strokes that are under way among it.
   *
   * @param {number} seat
   * @returns {Record<string, string>}
   */
  marks(seat) {
    return marksOn(this.store.get(), seat) ?? {};
  }

  /**
   * Colour a region, or rub it out.
   *
   * @param {number} seat
   * @param {string} region
   */
  async stroke(seat, region) {
    const { brush } = this.paint;
    if (!brush) return;
    const rubs = brush === RUBBER;
    this.expect(seat, region, rubs ? null : brush);
    const says = rubs ? await this.send("rub-out", { seat, region }) : await this.send("colour", { seat, region, colour: brush });
    this.expect(seat, region, undefined, says);
  }

  /** @param {number | null} seat */
  async lay(seat) {
    this.store.set({ paint: { ...this.paint, says: await this.send("lay-sheet", { seat }) } });
  }

  /** @param {object} conditions */
  conditions(conditions) {
    return this.send("sheet-conditions", conditions);
  }

  /**
   * @param {number} seat
   * @param {string} region
   * @param {string | null | undefined} colour  Undefined: it is answered.
   * @param {string} [says]
   */
  expect(seat, region, colour, says = "") {
    const { [region]: _, ...others } = this.paint.pending[seat] ?? {};
    const mine = colour === undefined ? others : { ...others, [region]: colour };
    this.store.set({ paint: { ...this.paint, pending: { ...this.paint.pending, [seat]: mine }, says } });
  }

  /**
   * Send one thing after the other: a sheet that is laid shall not overtake its last stroke.
   *
   * @param {string} what
   * @param {object} body
   * @returns {Promise<string>}  Why it was refused; empty where it was not.
   */
  send(what, body) {
    const answer = this.sent.then(() => this.post(what, body));
    this.sent = answer;
    return answer;
  }

  /**
   * @param {string} what
   * @param {object} body
   * @returns {Promise<string>}
   */
  async post(what, body) {
    try {
      const headers = { "Content-Type": "application/json", ...reader() };
      const response = await fetch(`/api/virtual/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
      return response.ok ? "" : String((await response.json()).error);
    } catch {
      return this.unreachable;
    }
  }
}
