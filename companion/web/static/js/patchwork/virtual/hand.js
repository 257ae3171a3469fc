/** The piece in hand on this page: its orientation and the place where it would be laid. */

import { SIDE } from "../shapes.js";
import { own, tabletop } from "../state.js";
import { overlapped } from "./fit.js";
import { shapeOf, sizeOf, snapped, TOKEN } from "./pieces.js";

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("./pieces.js").Lying} Lying
 * @typedef {{patch: string, lying: Lying | null}} Source  A piece that can be taken in hand; `lying` if it is on a board.
 *
 * @typedef {object} Held
 * @property {string} patch  An id, "leather" or "token".
 * @property {Lying | null} lying  The piece on a board that it was taken from; it stays there until it is laid elsewhere.
 * @property {number} quarters
 * @property {boolean} flipped
 * @property {number} seat  The seat whose board it is over.
 * @property {number} x  Its centre, in squares.
 * @property {number} y
 * @property {{x: number, y: number}} aim  The pointer's place, before snapping: turning the piece forth and back returns to it.
 * @property {boolean} placed  Whether the player has chosen this place; not yet where a piece from the circle appears.
 * @property {boolean} over  Whether it is over a board.
 * @property {boolean} sending
 * @property {string} refused  Why the table refused it, or "".
 */

/** The piece in hand, if there is one, and the moves that lay it on the table. */
export class Hand {
  /**
   * @param {() => PageState} state
   * @param {import("./moves.js").Moves} moves
   * @param {() => Promise<unknown>} confirm  Presses confirm.
   */
  constructor(state, moves, confirm) {
    this.state = state;
    this.moves = moves;
    this.confirm = confirm;
    /** @type {Held | null} */
    this.held = null;
    this.snaps = true;
    /** The number of pieces taken in hand so far. An answer about an earlier piece is ignored. */
    this.taken = 0;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** The cells of the piece in hand in its orientation. */
  get cells() {
    return this.held ? shapeOf(this.held.patch, own(this.state()).box, this.held.flipped, this.held.quarters) : [];
  }

  /** @param {Partial<Held> | null} change */
  set(change) {
    this.held = change && /** @type {Held} */ ({ ...this.held, ...change });
    for (const listener of this.listeners) listener();
  }

  /**
   * Take a piece in hand. A piece on a board keeps its place and orientation; any other is held over free squares, if there are any.
   *
   * @param {Source} source
   */
  take({ patch, lying }) {
    const seat = lying?.seat ?? this.state().snapshot?.patchwork?.turn.seat ?? this.held?.seat ?? 1;
    const quarters = lying ? ((Math.round(lying.angle / 90) % 4) + 4) % 4 : 0;
    const [x, y] = lying ? [lying.x, lying.y] : [SIDE / 2, SIDE / 2];
    this.taken += 1;
    this.set({ patch, lying, quarters, flipped: lying?.flipped ?? false, seat, x, y, aim: { x, y }, placed: Boolean(lying), over: true, sending: false, refused: "" });
    const free = lying ? { x, y } : this.freePlace();
    this.point(seat, free.x, free.y, Boolean(lying));
  }

  /** Return the place nearest to the middle of the board at which the piece in hand covers nothing, or the middle if there is none. */
  freePlace() {
    const { held, cells } = this;
    const { high, wide } = sizeOf(cells);
    const along = (/** @type {number} */ length) => Array.from({ length: SIDE - length + 1 }, (_, first) => first + length / 2);
    const away = (/** @type {{x: number, y: number}} */ { x, y }) => Math.hypot(x - SIDE / 2, y - SIDE / 2);
    const places = along(high).flatMap((y) => along(wide).map((x) => ({ x, y })));
    const free = places.filter((place) => !overlapped(/** @type {Held} */ ({ ...held, ...place }), cells, this.state()).length);
    return free.sort((one, other) => away(one) - away(other))[0] ?? { x: SIDE / 2, y: SIDE / 2 };
  }

  /**
   * Hold the piece over a place of a board.
   *
   * @param {number} seat
   * @param {number} x
   * @param {number} y
   * @param {boolean} [placed]  Whether the player has chosen this place.
   */
  point(seat, x, y, placed = true) {
    if (!this.held || this.held.sending) return;
    const place = this.snaps ? snapped(this.cells, x, y) : { x, y };
    const { held } = this;
    if (held.over && held.seat === seat && held.x === place.x && held.y === place.y) return;
    this.set({ seat, ...place, aim: { x, y }, placed, over: true, refused: "" });
  }

  /** Hold the piece beside the boards. */
  away() {
    if (this.held?.over) this.set({ over: false });
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  step(columns, rows) {
    if (this.held) this.point(this.held.seat, this.held.x + columns, this.held.y + rows);
  }

  /** Move the piece to the other board. */
  swap() {
    if (this.held) this.point(3 - this.held.seat, this.held.x, this.held.y);
  }

  turn() {
    if (this.held) this.change({ quarters: (this.held.quarters + 1) % 4 });
  }

  /** Flip the piece left to right as displayed. Since flipping precedes turning, the turn is reversed. */
  flip() {
    if (this.held) this.change({ flipped: !this.held.flipped, quarters: (4 - this.held.quarters) % 4 });
  }

  /** @param {Partial<Held>} change */
  change(change) {
    if (!this.held || this.held.sending) return;
    const { seat, aim, over, placed } = this.held;
    this.set({ ...change, refused: "" });
    if (over) this.point(seat, aim.x, aim.y, placed);
  }

  /** Put the piece back where it was. */
  drop() {
    if (this.held && !this.held.sending) this.set(null);
  }

  /** Return whether laying the piece down here can be confirmed at once: it is a move of the player to move. */
  get isMove() {
    const { snapshot } = this.state();
    const calm = ["playing", "complaint", "foreseen"].includes(snapshot?.phase ?? "");
    return calm && this.held !== null && this.held.patch !== TOKEN && this.held.seat === snapshot?.patchwork?.turn.seat;
  }

  /** Lay the piece down where it is held, and press confirm, so that it is one tap for a finger. */
  async layAndConfirm() {
    const { isMove, taken } = this;
    await this.lay();
    if (isMove && !this.held && taken === this.taken) await this.confirm();
  }

  /** Lay the piece down where it is held. */
  async lay() {
    const { held } = this;
    if (!held || held.sending || !held.over) return;
    this.set({ sending: true, refused: "" });
    const { taken } = this;
    const { patch, lying, seat, x, y, quarters, flipped } = held;
    const place = { seat, x, y, quarters, flipped, snapped: this.snaps };
    if (patch === TOKEN) this.done(await this.layToken(held), taken);
    else this.done(await (lying ? this.moves.move(lying.piece, place) : this.moves.lay(patch, place)), taken);
  }

  /**
   * Lay a token. The server moves patches only: one on a board is taken off and laid anew.
   *
   * @param {Held} held
   */
  async layToken({ lying, seat, x, y }) {
    const { taken } = this;
    const refused = lying && (await this.moves.lift(lying.piece));
    if (refused) return refused;
    // It lies nowhere now: if it cannot be laid here, it is still in hand to be laid elsewhere.
    if (this.held && taken === this.taken) this.set({ lying: null });
    return this.moves.token(seat, x, y);
  }

  /**
   * Take a piece off its board.
   *
   * @param {number} piece
   */
  async lift(piece) {
    const { taken } = this;
    if (this.held) this.set({ sending: true, refused: "" });
    this.done(await this.moves.lift(piece), taken);
  }

  /** Let go of a patch that a board has got after all, as a slow table may lay it after it was said not to answer. */
  follow() {
    const { held } = this;
    if (!held || held.lying || held.sending || held.patch === "leather") return;
    if (tabletop(this.state())?.pieces.some(({ patch }) => patch === held.patch)) this.set(null);
  }

  /**
   * Handle the table's answer.
   *
   * @param {string} refused
   * @param {number} taken  The value of `taken` when the request was sent.
   */
  done(refused, taken) {
    if (this.held && taken === this.taken) this.set(refused ? { sending: false, refused } : null);
  }
}
