/** Pointer input: pieces are dragged, or taken with one tap and laid with a second one. */

import { html } from "../../dom.js";
import { buttonIcon } from "../../icons.js";
import { incomeIn } from "../box.js";
import { patchPicture } from "../quilt.js";
import { tabletop } from "../state.js";
import { sizeOf, TOKEN } from "./pieces.js";

/** Movement below this is still a tap. */
const TREMBLE_PX = 6;
/** The distance of a dragged piece above the finger, which would hide it. */
const ABOVE_FINGER_PX = 44;

/**
 * @typedef {import("./hand.js").Source} Source
 * @typedef {{source: Source, x: number, y: number, id: number, moved: boolean, ghost: boolean}} Drag
 */

/** Input by mouse, pen or touch. Call `listen` to start it. */
export class Pointing {
  /**
   * @param {import("../../views/page.js").Page} page
   * @param {import("./hand.js").Hand} hand
   * @param {import("./boards.js").Boards} boards
   */
  constructor(page, hand, boards) {
    this.page = page;
    this.hand = hand;
    this.boards = boards;
    /** @type {Drag | null} */
    this.drag = null;
    /** Whether the last pointer was a finger or a pen. */
    this.byFinger = false;
    this.float = html("div.v-float", { "aria-hidden": "true", hidden: true });
    this.look = "";
    this.at = { x: 0, y: 0 };
    document.body.append(this.float);
  }

  listen() {
    document.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("pointercancel", (event) => this.cancel(event));
    // `touch-action` has no effect inside SVG, so a finger on a piece would scroll the page.
    for (const room of this.boards.rooms) room.addEventListener("touchstart", (event) => this.drag && event.preventDefault(), { passive: false });
  }

  /** @param {PointerEvent} event */
  down(event) {
    const target = /** @type {Element} */ (event.target);
    this.byFinger = event.pointerType !== "mouse";
    if (event.button || !event.isPrimary || target.closest("dialog")) return;
    const { held } = this.hand;
    const ghost = Boolean(target.closest(".v-ghost")) && held !== null;
    // With a piece in hand, those on the boards are places to lay it, not pieces to take: a finger hits them beside a gap.
    const source = ghost ? held : held && target.closest("[data-piece]") ? null : this.sourceAt(target);
    if (source) this.drag = { source, x: event.clientX, y: event.clientY, id: event.pointerId, moved: false, ghost };
  }

  /**
   * @param {Element} target
   * @returns {Source | null}
   */
  sourceAt(target) {
    const piece = Number(target.closest("[data-piece]")?.getAttribute("data-piece"));
    const table = tabletop(this.page.state());
    const token = table?.tokens.find((one) => one.piece === piece);
    if (token) return { patch: TOKEN, lying: { ...token, patch: TOKEN, angle: 0, flipped: false, cells: [], in_hand: false } };
    const lying = table?.pieces.find((one) => one.piece === piece);
    // One that an arm is still carrying to its place cannot be taken.
    if (lying) return lying.in_hand ? null : { patch: lying.patch, lying };
    const patch = target.closest("[data-source]")?.getAttribute("data-source") ?? target.closest(".offer")?.querySelector("[data-patch]")?.getAttribute("data-patch");
    return patch ? { patch, lying: null } : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag, hand } = this;
    if (!drag) {
      if (hand.held && event.pointerType === "mouse") this.hover(event);
      return;
    }
    if (event.pointerId !== drag.id) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TREMBLE_PX) this.begin(drag, event.pointerType !== "mouse");
    if (drag.moved) this.carry(event);
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const place = this.boards.at(event.clientX, event.clientY);
    if (place) this.hand.point(place.seat, place.x, place.y);
  }

  /**
   * @param {Drag} drag
   * @param {boolean} byFinger  If true, the whole board is scrolled into view first, because a finger cannot scroll while dragging.
   */
  begin(drag, byFinger) {
    drag.moved = true;
    if (!drag.ghost && !this.holds(drag.source)) this.hand.take(drag.source);
    if (byFinger && this.hand.held && !drag.source.lying) this.boards.rooms[this.hand.held.seat - 1].scrollIntoView({ block: "nearest", behavior: "instant" });
    document.body.setPointerCapture(drag.id);
    document.documentElement.classList.add("v-dragging");
  }

  /**
   * Return whether this piece is already in hand.
   *
   * @param {Source} source
   */
  holds({ patch, lying }) {
    const { held } = this.hand;
    return held !== null && held.patch === patch && held.lying?.piece === lying?.piece;
  }

  /** @param {PointerEvent} event */
  carry(event) {
    const y = event.clientY - (event.pointerType === "mouse" ? 0 : ABOVE_FINGER_PX);
    const place = this.boards.at(event.clientX, y);
    if (place) this.hand.point(place.seat, place.x, place.y);
    else this.hand.away();
    this.at = { x: event.clientX, y };
    this.draw();
  }

  /** Draw the dragged piece under the pointer. */
  draw() {
    const { held, cells } = this.hand;
    if (!held || !this.drag?.moved) return;
    const look = JSON.stringify([held.patch, cells]);
    const square = this.boards.squarePx(held.seat);
    if (look !== this.look) {
      this.look = look;
      const state = this.page.state();
      this.float.replaceChildren(held.patch === TOKEN ? buttonIcon() : patchPicture(held.patch, cells, incomeIn(state)(held.patch)));
      this.float.style.inlineSize = `${sizeOf(cells).wide * square}px`;
    }
    this.float.hidden = false;
    this.float.classList.toggle("v-over", held.over);
    this.float.style.transform = `translate(${this.at.x}px, ${this.at.y}px) translate(-50%, -50%)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag, hand } = this;
    if (drag && event.pointerId !== drag.id) return;
    this.drag = null;
    this.hide();
    if (!drag) this.tap(event);
    else if (!drag.moved) this.pick(drag);
    else if (hand.held?.over) hand.lay();
    else if (hand.held?.lying) hand.lift(hand.held.lying.piece);
    else hand.drop();
  }

  /** Handle a tap on a piece: take it in hand; if it is in hand already, lay it or put it back. @param {Drag} drag */
  pick({ source, ghost, x, y }) {
    if (ghost) this.moves(x, y) || this.put(this.byFinger);
    else if (this.holds(source)) this.hand.drop();
    else this.hand.take(source);
    if (this.hand.held) this.boards.rooms[this.hand.held.seat - 1].scrollIntoView({ block: "nearest" });
  }

  /**
   * Move the piece in hand to a finger that taps it where it has appeared: nobody has chosen that place, so the square under the
   * finger is meant.
   *
   * @param {number} clientX
   * @param {number} clientY
   * @returns {boolean} whether it has moved.
   */
  moves(clientX, clientY) {
    const { held } = this.hand;
    const place = this.boards.at(clientX, clientY);
    if (!this.byFinger || !held || held.placed || !place) return false;
    this.hand.point(place.seat, place.x, place.y);
    return this.hand.held?.x !== held.x || this.hand.held?.y !== held.y;
  }

  /** Lay the piece down. @param {boolean} confirms  Whether to press confirm, too. */
  put(confirms) {
    if (confirms) this.hand.layAndConfirm();
    else this.hand.lay();
  }

  /** Handle a tap on a board. A mouse lays the piece at once; a finger first moves it there and lays it with another tap. @param {PointerEvent} event */
  tap(event) {
    const board = /** @type {Element} */ (event.target).closest?.(".v-board");
    const place = board && this.boards.at(event.clientX, event.clientY);
    if (!place || !this.hand.held || event.button) return;
    const shown = this.boards.heldOver(place);
    this.hand.point(place.seat, place.x, place.y);
    if (event.pointerType === "mouse" || shown) this.put(event.pointerType !== "mouse");
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    const { drag } = this;
    // A finger that scrolls the page is cancelled, too.
    if (event.pointerId !== drag?.id) return;
    this.drag = null;
    this.hide();
    // Without a movement the pointer has taken nothing in hand.
    if (drag.moved) this.hand.drop();
  }

  hide() {
    this.float.hidden = true;
    this.look = "";
    document.documentElement.classList.remove("v-dragging");
  }
}
