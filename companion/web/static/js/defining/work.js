/** The sheet that is being described: what is entered goes to the program a moment later, and can be taken back. */

import { ask } from "../setup/asking.js";

const PAUSE_MS = 350;
const MOST_KEPT = 60;

/**
 * @typedef {[number, number]} Point  In millimetres of the page, or pixels of the photograph.
 * @typedef {[number, number, number, number]} Rect  x, y, width, height.
 * @typedef {{points: (number | null)[], bonus: (string | null)[], columns: number[], cell: Rect[],
 *     picture_outline: (Point[] | null)[]}} Row
 * @typedef {{id: string, column: number | null, points: number | null, region: Rect}} Patch
 * @typedef {{body: Rect[], thread: Rect | null}} Spool
 * @typedef {{id: string, effect: string, parts: Point[]}} Figure
 * @typedef {{colour: string, at: Point}} Sample
 * @typedef {{key: string, screen: string, name: Record<string, string>, code: Record<string, string>}} Colour
 * @typedef {{id: string, title: Record<string, string>, colour: Colour[], page: {width: number, height: number},
 *     quilt: {row: Row[]}, patch: Patch[], spools: {points: number[], open: number, all_colours_bonus: number,
 *     spool: Spool[]}, embroidery_style: {radius: number}, embroidery: Figure[],
 *     swatches?: {box: [number, number], at: Sample[]} | null}} Sheet
 * @typedef {{file: string, sheet: Sheet, photo: [number, number] | null, corners: Point[] | null, flat: number,
 *     px_per_mm: number | null, missing: {step: string, says: string}[], fault: string, saved: boolean,
 *     marks: string[], pencils: {key: string, screen: string, name: string}[]}} View
 */

export class Work {
  /**
   * @param {import("../views/page.js").Page} page
   * @param {View} view
   */
  constructor(page, view) {
    this.page = page;
    this.view = view;
    this.sheet = view.sheet;
    /** How the sheet was before, the newest last. @type {string[]} */
    this.past = [];
    this.before = JSON.stringify(view.sheet);
    this.refused = "";
    /** Whether a change waits to be kept. */
    this.due = false;
    /** Whether one is on its way that takes what changes until it is its turn. */
    this.queued = false;
    /** Whether corners were dragged since they were sent. */
    this.pulled = false;
    /** What was sent last: one message goes after the other, or an older answer would come after a newer one. @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** @param {() => void} listener */
  follow(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /** The sheet was changed: it is shown, and kept soon. */
  changed() {
    const now = JSON.stringify(this.sheet);
    if (now !== this.before) {
      this.past = [...this.past.slice(1 - MOST_KEPT), this.before];
      this.before = now;
    }
    this.view.saved = false;
    this.tell();
    clearTimeout(this.soon);
    this.due = true;
    this.soon = setTimeout(() => this.keep(), PAUSE_MS);
  }

  undo() {
    const last = this.past.pop();
    if (last === undefined) return;
    this.sheet = JSON.parse(last);
    this.before = last;
    this.tell();
    this.keep();
  }

  /** One message at a time; what changes meanwhile goes with the next. @returns {Promise<unknown>} */
  keep() {
    clearTimeout(this.soon);
    this.due = false;
    if (this.queued) return this.sent;
    this.queued = true;
    return this.post("/api/define/sheet", () => {
      this.queued = false;
      return { sheet: this.sheet };
    });
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  send(path, body) {
    // What has been entered goes first.
    if (this.due) this.keep();
    return this.post(path, () => body);
  }

  /**
   * @param {string} path
   * @param {() => object} body  Asked for when it is its turn.
   */
  post(path, body) {
    const answered = this.sent.then(async () => this.take(await ask(path, this.page, body())));
    this.sent = answered;
    return answered;
  }

  /**
   * What the program has answered; what is being entered here is newer than what it was told.
   *
   * @param {import("../setup/asking.js").Answer} answer
   */
  take(answer) {
    const before = this.answered();
    this.refused = answer.ok ? "" : answer.error ?? "";
    if (answer.ok && answer.sheet) {
      const { corners } = this.view;
      this.view = /** @type {View} */ (/** @type {unknown} */ (answer));
      if (this.pulled) this.view.corners = corners;
    }
    // Where nothing has changed nothing is drawn anew: somebody may be choosing there.
    if (this.answered() !== before) this.tell();
  }

  /** All that the program has told, but for the sheet itself. */
  answered() {
    return JSON.stringify([{ ...this.view, sheet: null }, this.refused]);
  }

  /** @param {string} step */
  missing(step) {
    return this.view.missing.filter((one) => one.step === step);
  }
}

/** A tenth of a millimetre is as fine as anybody points. @param {number} value */
export function tidy(value) {
  return Math.round(value * 100) / 100;
}

/** @param {Rect} rect @returns {Point} */
export function middle([x, y, width, height]) {
  return [x + width / 2, y + height / 2];
}
