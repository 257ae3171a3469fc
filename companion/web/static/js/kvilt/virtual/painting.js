/** Colouring on the drawn sheets by mouse, touch or keyboard. */

import { RUBBER } from "./brush.js";
import { nextPlace, placesOn, regionAt } from "./places.js";

/** The distance from a region at which a pointer still hits it, in millimetres of the sheet; fingers need more. */
const SLACK = { mouse: 0.6, pen: 1, touch: 3.2 };
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @typedef {import("../contract.js").KviltSheet} KviltSheet
 * @typedef {import("./brush.js").Brush} Brush
 * @typedef {{seat: number, kind: string, done: Set<string>}} Gesture  `kind`: which part of cells it colours, "picture" or "background".
 */

/** Input for colouring: turns gestures and keys on a drawn sheet into strokes of the brush. */
export class Painting {
  /**
   * @param {Brush} brush
   * @param {() => KviltSheet | null} sheet
   */
  constructor(brush, sheet) {
    this.brush = brush;
    this.sheet = sheet;
    /** @type {Gesture | null} */
    this.gesture = null;
    /** The region with the keyboard focus, by seat. @type {Record<number, string>} */
    this.cursor = {};
  }

  /** @param {HTMLElement} room  The seat's element, whose children are replaced often. @param {number} seat */
  listen(room, seat) {
    room.addEventListener("pointerdown", (event) => this.begin(event, room, seat));
    room.addEventListener("pointermove", (event) => this.gesture && event.buttons && this.pass(event, room, seat));
    for (const end of ["pointerup", "pointercancel"]) room.addEventListener(end, () => (this.gesture = null));
    room.addEventListener("keydown", (event) => this.key(event, room, seat));
    room.addEventListener("focusin", (event) => {
      const region = /** @type {Element} */ (event.target).getAttribute("data-region");
      if (region) this.cursor[seat] = region;
    });
  }

  /** @param {PointerEvent} event @param {HTMLElement} room @param {number} seat */
  begin(event, room, seat) {
    const on = /** @type {Element} */ (event.target).closest(".kvilt-sheet");
    const region = on && event.button === 0 && this.brush.paint.brush ? this.under(event, room) : null;
    if (!region) return;
    event.preventDefault();
    // The touched element will be replaced, so the room captures the pointer.
    room.setPointerCapture(event.pointerId);
    const goal = this.goalOf(region, seat);
    this.gesture = { seat, kind: goal.endsWith(".background") ? "background" : "picture", done: new Set() };
    this.stroke(goal, seat);
  }

  /** @param {PointerEvent} event @param {HTMLElement} room @param {number} seat */
  pass(event, room, seat) {
    const region = this.under(event, room);
    if (!region || !this.gesture || this.gesture.seat !== seat) return;
    const goal = region.replace(/\.picture$/, `.${this.gesture.kind}`);
    const marks = this.brush.marks(seat);
    const bare = goal.endsWith(".background") && !marks[region];
    if (Boolean(marks[goal]) === (this.brush.paint.brush === RUBBER) && !bare) this.stroke(goal, seat);
  }

  /** @param {string} region @param {number} seat */
  stroke(region, seat) {
    if (this.gesture?.done.has(region)) return;
    this.gesture?.done.add(region);
    this.brush.stroke(seat, region);
  }

  /**
   * Return the region that a stroke on `region` affects. Of a cell the picture is coloured first, then the background; the
   * rubber takes them in reverse order.
   *
   * @param {string} region
   * @param {number} seat
   */
  goalOf(region, seat) {
    if (!region.endsWith(".picture")) return region;
    const marks = this.brush.marks(seat);
    const background = region.replace(/\.picture$/, ".background");
    if (this.brush.paint.brush === RUBBER) return marks[background] ? background : region;
    return marks[region] ? background : region;
  }

  /** @param {PointerEvent} event @param {HTMLElement} room */
  under(event, room) {
    const picture = /** @type {SVGSVGElement | null} */ (room.querySelector("svg.kvilt-sheet"));
    const sheet = this.sheet();
    const matrix = picture?.getScreenCTM();
    if (!sheet || !matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return regionAt(placesOn(sheet), [x, y], SLACK[/** @type {"mouse"} */ (event.pointerType)] ?? SLACK.touch);
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} room @param {number} seat */
  key(event, room, seat) {
    const region = /** @type {Element} */ (event.target).getAttribute("data-region");
    const sheet = this.sheet();
    if (!region || !sheet || event.ctrlKey || event.metaKey || event.altKey) return;
    const colour = sheet.colours[Number(event.key) - 1]?.key;
    if (STEPS[event.key]) this.go(nextPlace(placesOn(sheet), region, STEPS[event.key]), room);
    else if (event.key === "Enter" || event.key === " ") this.brush.stroke(seat, this.goalOf(region, seat));
    else if (colour) this.brush.paint.brush !== colour && this.brush.take(colour);
    else if (event.key === "Escape") this.brush.paint.brush && this.brush.take(null);
    else return;
    event.preventDefault();
  }

  /** @param {string | null} region @param {HTMLElement} room */
  go(region, room) {
    if (region) /** @type {SVGElement | null} */ (room.querySelector(`[tabindex][data-region="${CSS.escape(region)}"]`))?.focus();
  }
}
