/** The page that describes a time board: its corners, spaces and marks, tapped or dragged in a photograph. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { Canvas } from "./canvas.js";
import { open, part } from "./opening.js";
import "./timeboardtexts.js";

const SPACES = 54;
const SECTION = "[table] time_board_print";
const OPTION = "--time-board";

/**
 * @typedef {import("./work.js").Point} Point
 * @typedef {"corners" | "spaces" | "marks"} Step
 * @typedef {{file: string, photo: [number, number], corners: Point[], spaces: Point[], marks: Record<string, Point>,
 *     kinds: Record<string, "income" | "leather">, fault: string, at: Step | "", saved: boolean}} View
 */

class TimeBoard {
  /** @param {import("../views/page.js").Page} page @param {View} view */
  constructor(page, view) {
    this.page = page;
    this.say = page.say;
    this.view = view;
    /** The marks that were dragged; the server derives the others from the spaces. @type {Record<string, Point>} */
    this.dragged = {};
    /** @type {Step} */
    this.step = "corners";
    this.selected = /** @type {string | null} */ ("corners");
    this.refused = "";
    /** Whether a request is running; changes made meanwhile set `again` and are sent after it. */
    this.sending = false;
    this.again = false;
    this.canvas = new Canvas(page.say, (key) => this.choose(key), () => this.keep());
    this.side = html("section.define-side", { "aria-labelledby": "step-title" });
    fill(part("work"), this.canvas.element, html("div.define-beside", {}, this.side));
    this.canvas.shows("/api/time-board/photo.jpg", view.photo);
    this.go("corners");
  }

  /** @param {Step} step */
  go(step) {
    this.step = step;
    this.selected = step === "corners" ? "corners" : null;
    this.refresh();
  }

  /** @param {string} key */
  choose(key) {
    this.selected = key;
    this.refresh();
  }

  refresh() {
    this.canvas.put(this.items(), this.selected);
    const next = this.view.spaces.length;
    const drawing = this.step === "spaces" && next < SPACES;
    const asks = next === 0 ? "tap-start" : next === SPACES - 1 ? "tap-centre" : "tap";
    if (drawing !== (this.canvas.drawing !== null) || drawing) {
      this.canvas.ask(drawing ? { kind: "point", done: ([point]) => this.tap(point) } : null, drawing ? this.say(asks, { space: next }) : "");
    }
    fill(part("kept"), this.view.saved ? this.say("kept-saved", { file: this.view.file }) : "");
    this.showSteps();
    this.showSide();
  }

  /** @param {Point} point */
  tap(point) {
    this.view.spaces.push(point);
    this.keep();
  }

  takeBack() {
    this.view.spaces.pop();
    this.dragged = {};
    this.keep();
  }

  /** @returns {import("./canvas.js").Item[]} */
  items() {
    const { view } = this;
    const corners = { key: "corners", name: this.say("corners"), look: ".mark-page", form: /** @type {const} */ ("none"), outline: view.corners };
    if (this.step === "corners") return [{ ...corners, handles: view.corners, pull: (at, point) => this.move(() => (view.corners[at] = point)) }];
    if (this.step === "spaces") return [corners, ...view.spaces.map((point, space) => this.dot(`space-${space}`, this.say("space", { space }), point, this.page.language.digits(space), (to) => (view.spaces[space] = to)))];
    return [corners, ...Object.entries(view.marks).map(([space, point]) => this.dot(`mark-${space}`, this.say(`mark-${view.kinds[space]}`, { space: Number(space) }), point, "", (to) => (view.marks[space] = this.dragged[space] = to)))];
  }

  /**
   * Return a point that can be dragged.
   *
   * @param {string} key @param {string} name @param {Point} point @param {string} text
   * @param {(to: Point) => void} put
   * @returns {import("./canvas.js").Item}
   */
  dot(key, name, [x, y], text, put) {
    const reach = this.view.photo[0] / 90;
    const outline = /** @type {Point[]} */ ([[x - reach, y - reach], [x + reach, y - reach], [x + reach, y + reach], [x - reach, y + reach]]);
    return { key, name, outline, text, shift: (dx, dy) => this.move(() => put([x + dx, y + dy])) };
  }

  /** Update the picture during a drag. @param {() => void} put */
  move(put) {
    put();
    this.canvas.put(this.items(), this.selected);
  }

  /** Send the present state, one request at a time. */
  async keep() {
    this.view.saved = false;
    this.refresh();
    if (this.sending) return void (this.again = true);
    this.sending = true;
    do {
      this.again = false;
      const { corners, spaces } = this.view;
      this.take(await ask("/api/time-board", this.page, { corners, spaces, marks: this.dragged }));
    } while (this.again);
    this.sending = false;
    this.refresh();
  }

  async save() {
    this.take(await ask("/api/time-board/save", this.page, {}));
  }

  /** Take an answer, unless something was entered since its request. @param {import("../setup/asking.js").Answer} answer */
  take(answer) {
    this.refused = answer.ok ? "" : answer.error ?? "";
    if (answer.ok && !this.again) {
      const { marks, fault, at, saved } = /** @type {View} */ (/** @type {unknown} */ (answer));
      Object.assign(this.view, { marks: { ...marks, ...this.dragged }, fault, at, saved });
    }
    this.refresh();
  }

  showSteps() {
    const done = { corners: this.view.spaces.length > 0, spaces: this.view.spaces.length === SPACES, marks: this.view.saved };
    const steps = /** @type {Step[]} */ (Object.keys(done));
    fill(part("steps"), html("ol", {}, ...steps.map((step, index) => html("li", {},
      html(`button.define-step${done[step] ? ".is-done" : ""}${step === this.step ? ".is-now" : ""}`, { type: "button", "data-key": `step-${step}`, "aria-current": step === this.step ? "step" : null, onclick: () => this.go(step) },
        html("span.define-number", { "aria-hidden": "true" }, done[step] ? "\u2713" : this.page.language.digits(index + 1)), this.say(`step-${step}`), done[step] && html("span.spoken", {}, ` (${this.say("done")})`))))));
  }

  showSide() {
    const { say, view, step } = this;
    /** @type {Step | null} */
    const next = step === "corners" ? "spaces" : step === "spaces" ? "marks" : null;
    const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ act, enabled = true) =>
      html("button.plain", { type: "button", "data-key": key, "aria-disabled": !enabled, onclick: () => enabled && act() }, text);
    fill(this.side,
      html("h2", { id: "step-title" }, say(`step-${step}`)),
      html("p.define-how", {}, say(`how-${step}`)),
      step === "spaces" && html("p.define-note", { role: "status" }, say("tapped", { count: view.spaces.length })),
      view.fault !== "" && (step === "marks" || step === view.at) && html("p.define-note", { role: step === "marks" ? null : "alert" }, view.fault),
      this.refused !== "" && html("p.define-refused", { role: "alert" }, this.refused),
      view.saved && html("p.define-note", { role: "status" }, say("after", { section: SECTION, option: OPTION })),
      html("div.define-buttons.define-ways", {},
        step === "spaces" && button("undo", say("undo"), () => this.takeBack(), view.spaces.length > 0),
        next && button("next", say("next", { step: say(`step-${next}`) }), () => this.go(next)),
        step === "marks" && button("save", say("save"), () => void this.save(), view.fault === "" && !this.sending)));
  }
}

await open("/api/time-board", (page, view) => new TimeBoard(page, /** @type {View} */ (view)));
