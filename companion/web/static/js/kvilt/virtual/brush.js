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
    /** The newest stroke on each region: it is the one that holds. @type {Map<string, number>} */
    this.newest = new Map();
    this.strokes = 0;
    /** Regions whose stroke the table has taken, though it has not told yet how it lies now. @type {Set<string>} */
    this.taken = new Set();
    /** How the table lay when it was last heard of. @type {unknown} */
    this.heard = store.get().virtual;
    store.subscribe(({ virtual }) => {
      if (virtual === this.heard) return;
      this.heard = virtual;
      this.forgetTaken();
    });
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
    const key = `${seat} ${region}`;
    const mine = (this.strokes += 1);
    this.newest.set(key, mine);
    this.taken.delete(key);
    this.expect(seat, region, rubs ? null : brush);
    const says = rubs ? await this.send("rub-out", { seat, region }) : await this.send("colour", { seat, region, colour: brush });
    if (this.newest.get(key) !== mine) return this.tell(says);
    if (says || this.isTold(seat, region)) return this.expect(seat, region, undefined, says);
    this.taken.add(key);
    this.tell("");
  }

  /**
   * Has the table told of a stroke that is under way?
   *
   * @param {number} seat
   * @param {string} region
   */
  isTold(seat, region) {
    const marks = marksOn({ ...this.store.get(), paint: null }, seat) ?? {};
    return (marks[region] ?? null) === (this.paint.pending[seat]?.[region] ?? null);
  }

  /** How the table lies now holds, with these strokes in it. */
  forgetTaken() {
    for (const key of this.taken) {
      const [seat, region] = key.split(" ");
      this.expect(Number(seat), region, undefined, this.paint.says);
    }
    this.taken.clear();
  }

  /** @param {string} says  Why a stroke was refused; empty where it was not. */
  tell(says) {
    this.store.set({ paint: { ...this.paint, says } });
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
