/** The tool in hand at the virtual table, a pencil or the rubber, and the strokes that the table has not answered yet. */

import { reader } from "../../commands.js";
import { marksOn } from "./paper.js";

/**
 * @typedef {import("../../store.js").Store} Store
 * @typedef {Record<string, Record<string, string | null>>} Pending  By seat and region: the colour, or null for a region rubbed out.
 *
 * @typedef {object} Paint
 * @property {string | null} brush  A colour's key, or "rubber"; null for none.
 * @property {Pending} pending
 * @property {string} says  Why the last stroke was refused, or "".
 */

/** The `brush` of a `Paint` that rubs out. */
export const RUBBER = "rubber";

/** The tool in hand. It sends strokes and shows them as pending until the table publishes them. */
export class Brush {
  /**
   * @param {Store} store
   * @param {string} unreachable  The error text when the table does not answer.
   */
  constructor(store, unreachable) {
    this.store = store;
    this.unreachable = unreachable;
    /** @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    /** The number of the newest stroke on each region; only its answer counts. @type {Map<string, number>} */
    this.newest = new Map();
    this.strokes = 0;
    /** Regions whose stroke the table has accepted but not yet published. @type {Set<string>} */
    this.taken = new Set();
    /** The last published state of the table. @type {unknown} */
    this.heard = store.get().virtual;
    store.subscribe(({ virtual }) => {
      if (virtual === this.heard) return;
      this.heard = virtual;
      this.forgetTaken();
    });
    if (!store.get().own.kvilt?.paint) store.setOwn("kvilt", { paint: { brush: null, pending: {}, says: "" } });
  }

  /** @returns {Paint} */
  get paint() {
    return /** @type {Paint} */ (this.store.get().own.kvilt.paint);
  }

  /** Take a pencil up, or put it down. @param {string | null} brush */
  take(brush) {
    this.store.setOwn("kvilt", { paint: { ...this.paint, brush: brush === this.paint.brush ? null : brush, says: "" } });
  }

  /**
   * Return what is coloured on a sheet, including strokes without an answer.
   *
   * @param {number} seat
   * @returns {Record<string, string>}
   */
  marks(seat) {
    return marksOn(this.store.get(), seat) ?? {};
  }

  /**
   * Colour a region or rub it out, depending on the tool in hand.
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
    // What the region shows now is up to the newer stroke.
    if (this.newest.get(key) !== mine) return this.tell(says);
    if (says || this.isTold(seat, region)) return this.expect(seat, region, undefined, says);
    this.taken.add(key);
    this.tell("");
  }

  /**
   * Return whether the table's published state contains the pending stroke on a region.
   *
   * @param {number} seat
   * @param {string} region
   */
  isTold(seat, region) {
    // Without the pending strokes, which would agree with themselves.
    const marks = marksOn({ ...this.store.get(), own: {} }, seat) ?? {};
    return (marks[region] ?? null) === (this.paint.pending[seat]?.[region] ?? null);
  }

  /** Drop the pending strokes that the published state contains now. */
  forgetTaken() {
    for (const key of this.taken) {
      const [seat, region] = key.split(" ");
      this.expect(Number(seat), region, undefined, this.paint.says);
    }
    this.taken.clear();
  }

  /** @param {string} says  Why a stroke was refused, or "". */
  tell(says) {
    this.store.setOwn("kvilt", { paint: { ...this.paint, says } });
  }

  /** Lay a seat's sheet under the camera, or take it away; return whether that was done. @param {number | null} seat */
  async lay(seat) {
    const says = await this.send("lay-sheet", { seat });
    this.tell(says);
    return !says;
  }

  /** @param {object} conditions */
  conditions(conditions) {
    return this.send("sheet-conditions", conditions);
  }

  /**
   * @param {number} seat
   * @param {string} region
   * @param {string | null | undefined} colour  Undefined if the stroke is no longer pending.
   * @param {string} [says]
   */
  expect(seat, region, colour, says = "") {
    const { [region]: _, ...others } = this.paint.pending[seat] ?? {};
    const mine = colour === undefined ? others : { ...others, [region]: colour };
    this.store.setOwn("kvilt", { paint: { ...this.paint, pending: { ...this.paint.pending, [seat]: mine }, says } });
  }

  /**
   * Send requests one after the other, so that laying a sheet does not overtake its last stroke.
   *
   * @param {string} what
   * @param {object} body
   * @returns {Promise<string>}  Why it was refused, or "".
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
