/** The sheet that is being described. Changes are sent to the program after a short pause and can be undone. */

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

/** The sheet with its history, and the queue of requests that send its changes. */
export class Work {
  /**
   * @param {import("../views/page.js").Page} page
   * @param {View} view
   */
  constructor(page, view) {
    this.page = page;
    this.view = view;
    this.sheet = view.sheet;
    /** Earlier states of the sheet as JSON, newest last. @type {string[]} */
    this.past = [];
    this.before = JSON.stringify(view.sheet);
    this.refused = "";
    /** Whether a change waits for the pause to end. */
    this.due = false;
    /** Whether a request is queued; it will contain all changes made until it is sent. */
    this.queued = false;
    /** Whether corners are being dragged and not sent yet. */
    this.pulled = false;
    /** The last request. Requests are sent one after the other, so that answers arrive in order. @type {Promise<unknown>} */
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

  /** Record a change of the sheet: notify the listeners and send it after the pause. */
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

  /** Send the sheet, unless a request that will contain it is queued already. @returns {Promise<unknown>} */
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
    // Changes not sent yet go first.
    if (this.due) this.keep();
    return this.post(path, () => body);
  }

  /**
   * @param {string} path
   * @param {() => object} body  Called when the request is sent.
   */
  post(path, body) {
    const answered = this.sent.then(async () => this.take(await ask(path, this.page, body())));
    this.sent = answered;
    return answered;
  }

  /**
   * Take the program's answer, except the sheet and corners that are being dragged: those on the page are newer.
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
    // Redraw only after a change, because the user may have a menu open.
    if (this.answered() !== before) this.tell();
  }

  /** Return everything from the program's answers except the sheet, as JSON. */
  answered() {
    return JSON.stringify([{ ...this.view, sheet: null }, this.refused]);
  }

  /** @param {string} step */
  missing(step) {
    return this.view.missing.filter((one) => one.step === step);
  }
}

/** Round to hundredths; in millimetres that is finer than a user can point. @param {number} value */
export function tidy(value) {
  return Math.round(value * 100) / 100;
}

/** Return the centre of a rectangle. @param {Rect} rect @returns {Point} */
export function middle([x, y, width, height]) {
  return [x + width / 2, y + height / 2];
}
