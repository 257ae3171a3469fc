/** The calibration sheet: the live picture, both boards' corners to move into place, and the remaining problems. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "../views/dialog.js";
import { nameOf } from "../views/page.js";
import { Picture } from "./picture.js";
import "./texts.js";

const PACE_MS = 600;
const STEPS = ["mats", "boards", "rest"];

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./projecting.js").Point} Point
 * @typedef {{code: string, says: string, blocks: boolean, seat: number | null}} Remark
 * @typedef {{step: string, done: boolean, share: number, size: [number, number], corners: Record<string, Point[]>,
 *     by_hand: number[], remarks: Remark[]}} View
 */

/** Begin a calibration and open its sheet, or show why the server refuses it. @param {Page} page */
export async function openSheet(page) {
  const room = html("div.calibration", {}, html("p", { role: "status" }, page.say("calibrate.loading")));
  const sheet = showSheet(page, page.say("calibrate.title"), room);
  sheet.classList.add("wide");
  const [answer] = await Promise.all([ask("/api/calibration/begin", page, {}), stylesheet("/static/css/calibrating.css")]);
  if (!answer.ok) return fill(room, html("p.refused", { role: "alert" }, answer.error ?? ""));
  new Calibration(page, sheet, room).follow();
}

class Calibration {
  /** @param {Page} page @param {HTMLDialogElement} sheet @param {HTMLElement} room */
  constructor(page, sheet, room) {
    this.page = page;
    this.sheet = sheet;
    this.says = html("div.calibration-says", { role: "status" });
    this.refused = html("p.refused", { role: "alert" });
    this.buttons = html("div.setup-buttons");
    this.picture = new Picture(page, (seat, corners) => this.move(seat, corners));
    /** @type {View | null} */
    this.view = null;
    fill(room, this.picture.element, html("div.calibration-side", {}, this.says, this.refused, this.buttons));
    this.drawn = "";
    this.offered = "";
    /** The number of changes sent plus answers received; a poll that started at an earlier number is out of date. */
    this.changes = 0;
    /** The last request; changes are sent one after the other. @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    /** The number of changes without an answer. */
    this.waits = 0;
    /** Whether the error shown is that the table cannot be reached. */
    this.isAway = false;
  }

  /** Poll the calibration for as long as the sheet is open. */
  async follow() {
    while (this.sheet.isConnected) {
      const { changes } = this;
      const answer = await ask("/api/calibration", this.page);
      if (!this.waits && changes === this.changes) this.follows(answer);
      await new Promise((go) => setTimeout(go, PACE_MS));
    }
  }

  /** @param {import("../setup/asking.js").Answer} answer  The answer to a poll that is up to date. */
  follows(answer) {
    if (answer.ok) this.show(/** @type {View} */ (/** @type {unknown} */ (answer)));
    // A poll that succeeds removes its own error alone, not the refusal of a change.
    if (!answer.ok || this.isAway) fill(this.refused, answer.ok ? "" : answer.error ?? "");
    this.isAway = !answer.ok;
  }

  /**
   * Send a change. Polls that run meanwhile are discarded, because their answers may be older than the change.
   *
   * @param {string} path
   * @param {object} body
   */
  async change(path, body) {
    this.changes += 1;
    this.waits += 1;
    const answered = this.sent.then(() => ask(path, this.page, body));
    this.sent = answered;
    const answer = await answered;
    this.waits -= 1;
    this.changes += 1;
    this.isAway = false;
    return answer;
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.picture.show(view);
    const drawn = JSON.stringify([view.step, view.done, view.share, view.remarks, view.by_hand, Object.keys(view.corners)]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    fill(this.says, ...this.progress(view));
    const offered = JSON.stringify([view.done, view.by_hand, Object.keys(view.corners), view.size]);
    // Replacing a button while it is pressed would lose the click.
    if (offered === this.offered) return;
    this.offered = offered;
    fill(this.buttons, ...this.choices(view));
  }

  /** @param {View} view */
  progress({ step, share, remarks, done, size }) {
    const { say, language } = this.page;
    const at = STEPS.indexOf(step);
    const steps = STEPS.map((name, index) => {
      const state = step === "done" || index < at ? "past" : index === at ? "now" : "ahead";
      return html(`li.calibration-step.is-${state}`, { "aria-current": state === "now" ? "step" : null }, say(`calibrate.step-${name}`));
    });
    const bar = step === "rest" && html("progress", { value: share, max: 1, "aria-label": say("calibrate.measuring", { share: language.digits(Math.round(100 * share)) }) });
    return [
      html("ol.calibration-steps", {}, ...steps),
      bar,
      html("p.calibration-now", {}, say(size[0] ? (done ? "calibrate.done" : `calibrate.now-${step}`) : "calibrate.no-picture")),
      html("ul.calibration-remarks", {}, ...remarks.map((remark) => this.remark(remark))),
    ];
  }

  /** @param {Remark} remark */
  remark({ code, blocks, seat }) {
    const { say, state } = this.page;
    const name = seat === null ? "" : nameOf(state(), seat) || say("setup.player", { seat });
    return html(`li.${blocks ? "blocks" : "advises"}`, {}, say(`remark.${code}`, { name }));
  }

  /** @param {View} view */
  choices({ size, corners, by_hand: moved, done }) {
    const { say, state } = this.page;
    const missing = size[0] ? [1, 2].filter((seat) => !corners[seat]) : [];
    const place = missing.map((seat) => {
      const name = nameOf(state(), seat) || say("setup.player", { seat });
      return html("button.plain", { type: "button", "data-key": `place-${seat}`, onclick: () => this.place(seat) }, say("calibrate.place", { name }));
    });
    const doubt = moved.length > 0 && !done;
    return [
      ...place,
      moved.length > 0 && html("button.plain", { type: "button", "data-key": "anew", onclick: () => this.anew() }, say("calibrate.anew")),
      html(
        "button.push.push-confirm",
        { type: "button", "data-key": "save", "aria-disabled": !done && !doubt, onclick: () => (done || doubt) && this.save(doubt) },
        html("span.push-name", {}, say(doubt ? "calibrate.save-anyway" : "calibrate.save")),
      ),
    ];
  }

  /**
   * Place a board that was not found as a square in its half of the picture.
   *
   * @param {number} seat
   */
  place(seat) {
    const [width, height] = this.view?.size ?? [0, 0];
    const [side, left, top] = [0.5 * Math.min(width / 2, height), width * (seat === 1 ? 0.05 : 0.55), height * 0.25];
    this.move(seat, [[left, top], [left + side, top], [left + side, top + side], [left, top + side]]);
  }

  /** @param {number} seat @param {Point[]} corners */
  async move(seat, corners) {
    const answer = await this.change("/api/calibration/corners", { seat, corners });
    fill(this.refused, answer.ok ? "" : answer.error ?? "");
    // While a later move is on its way, this answer is out of date.
    if (answer.ok && !this.waits) this.show(/** @type {View} */ (/** @type {unknown} */ (answer)));
  }

  async anew() {
    await this.change("/api/calibration/begin", {});
    fill(this.refused);
  }

  /** @param {boolean} anyway */
  async save(anyway) {
    fill(this.refused);
    const saving = this.page.say("calibrate.saving");
    fill(this.buttons, html("p.setup-busy", { role: "status" }, html("progress", { "aria-label": saving }), saving));
    const answer = await this.change("/api/calibration/save", { anyway });
    // The progress has replaced the buttons: the next view draws them again.
    this.drawn = this.offered = "";
    // The remarks above already name the obstacle, in the reader's language.
    const known = this.view?.remarks.some(({ blocks }) => blocks);
    if (!answer.ok) return fill(this.refused, known && answer.status === 409 ? this.page.say("calibrate.refused") : answer.error ?? "");
    const says = this.page.say(answer.at_once ? "calibrate.saved-now" : "calibrate.saved-next");
    this.sheet.replaceChildren(...[...this.sheet.children].slice(0, 1), html("p.calibration-saved", { role: "status" }, says), html("button.push.push-confirm", { type: "button", onclick: () => this.sheet.close() }, html("span.push-name", {}, this.page.say("calibrate.close"))));
    this.sheet.querySelector(/** @type {"button"} */ ("button.push"))?.focus();
  }
}
