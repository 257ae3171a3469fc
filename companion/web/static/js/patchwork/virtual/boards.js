/** Both boards on the virtual table: pieces where the players laid them, not where the game has recorded them. */

import { fill, html, svg } from "../../dom.js";
import { buttonShape } from "../../icons.js";
import { nameOf } from "../../views/page.js";
import { incomeIn } from "../box.js";
import { outline } from "../outline.js";
import { cloth, quilt } from "../quilt.js";
import { marksOn } from "../seat.js";
import { cellOf } from "../shapes.js";
import { own, seatOf, tabletop } from "../state.js";
import { clashes, overlapped } from "./fit.js";
import { isTaken, shapeOf, sizeOf, spoken, squares, TOKEN } from "./pieces.js";
import "../../virtual/texts.js";

const UNIT = 10;
/** The drawing's width, and the offset of the first square in it, in units. */
const [WIDE, BEFORE] = [98, 6];

/**
 * @typedef {import("../../views/page.js").PageState} PageState
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("./hand.js").Hand} Hand
 * @typedef {import("./pieces.js").Lying} Lying
 */

/** The drawings of both boards, and the conversion of points on them. */
export class Boards {
  /**
   * @param {Page} page
   * @param {Hand} hand
   */
  constructor(page, hand) {
    this.page = page;
    this.hand = hand;
    this.rooms = [1, 2].map((seat) => html("div.v-board", { "data-seat": seat, tabindex: -1 }));
    this.drawn = ["", ""];
    /** What lay on each board when the current doubt was raised. @type {{about: string, covered: string[]}} */
    this.doubt = { about: "", covered: [] };
  }

  /** Replace the recorded quilts wherever they were redrawn, and draw what has changed. */
  draw() {
    for (const [index, room] of this.rooms.entries()) {
      const books = document.querySelector(`#seat-${index + 1} > svg.quilt`);
      // The redrawn seat has removed the board, and the focus with it.
      const had = document.activeElement === document.body && this.focused === room;
      books?.replaceWith(room);
      if (books && had) room.focus({ preventScroll: true });
      this.redraw(index, room);
    }
    this.focused = this.rooms.find((room) => room.contains(document.activeElement));
  }

  /**
   * @param {number} index
   * @param {HTMLElement} room
   */
  redraw(index, room) {
    const state = this.page.state();
    const { question, complaint, foreseen, seats } = state.snapshot?.patchwork ?? {};
    const held = this.hand.held?.seat === index + 1 || this.hand.held?.lying?.seat === index + 1 ? this.hand.held : null;
    const seat = seats?.find((one) => one.seat === index + 1);
    const needed = JSON.stringify([tabletop(state)?.pieces, tabletop(state)?.tokens, question, complaint, foreseen, seat?.pieces, seat?.name, held, Object.keys(own(state).box).length]);
    if (needed === this.drawn[index]) return;
    this.drawn[index] = needed;
    fill(room, this.picture(index + 1, state));
  }

  /**
   * @param {number} seat
   * @param {PageState} state
   */
  picture(seat, state) {
    const label = this.page.say("virtual.board", { name: nameOf(state, seat) });
    const marks = this.hasChanged(seat, state) ? {} : marksOn(seat, state.snapshot);
    const board = quilt({ pieces: [], language: this.page.language, label, ...marks });
    // As an image its pieces, which are buttons, would be hidden from screen readers.
    board.setAttribute("role", "group");
    const lying = (tabletop(state)?.pieces ?? []).filter((piece) => piece.seat === seat && piece.piece !== this.hand.held?.lying?.piece);
    const tokens = (tabletop(state)?.tokens ?? []).filter((token) => token.seat === seat);
    // The marks of a question or a complaint stay above the pieces.
    const before = board.querySelector(".mark");
    for (const group of [...missing(seat, state), ...lying.map((piece) => this.piece(piece, state)), ...tokens.map((token) => this.token(token))]) board.insertBefore(group, before);
    if (this.hand.held?.over && this.hand.held.seat === seat) board.append(this.ghost(state), ...clashes(overlapped(this.hand.held, this.hand.cells, state)));
    return board;
  }

  /**
   * Return whether something was laid or lifted on a board since the current question or complaint, whose marks then mean nothing.
   *
   * @param {number} seat
   * @param {PageState} state
   */
  hasChanged(seat, state) {
    const about = JSON.stringify([state.snapshot?.asked, state.snapshot?.patchwork?.complaint?.crop]);
    if (about !== this.doubt.about) this.doubt = { about, covered: [1, 2].map((each) => covered(each, state)) };
    return covered(seat, state, this.hand.held?.lying?.piece) !== this.doubt.covered[seat - 1];
  }

  /**
   * @param {Lying} lying
   * @param {PageState} state
   */
  piece(lying, state) {
    const { patch, piece, x, y, angle, flipped, in_hand: coming } = lying;
    const cells = shapeOf(patch, own(state).box, flipped, 0);
    const { high, wide } = sizeOf(cells);
    const where = `translate(${x * UNIT} ${y * UNIT}) rotate(${angle}) translate(${(-wide * UNIT) / 2} ${(-high * UNIT) / 2})`;
    const taken = isTaken(lying, state.snapshot);
    const label = this.page.say(taken ? "virtual.piece" : "virtual.piece-new", { patch: spoken(patch, this.page), cells: lying.cells.join(" ") });
    return svg(
      `g.v-lying${coming ? ".v-coming" : ""}${taken ? "" : ".v-new"}`,
      { transform: where, role: "button", tabindex: 0, "data-piece": piece, "data-key": `piece-${piece}`, "aria-label": label },
      cloth(patch, cells, incomeIn(state)(patch)),
      taken ? null : svg("path", { d: outline(cells, { unit: UNIT, inset: 0, radius: 1.3 }), class: "v-seam" }),
    );
  }

  /** @param {import("./pieces.js").LeftToken} token */
  token({ piece, x, y }) {
    const place = { transform: `translate(${x * UNIT} ${y * UNIT}) scale(.72)` };
    return svg("g.v-lying.v-token", { ...place, role: "button", tabindex: 0, "data-piece": piece, "data-key": `piece-${piece}`, "aria-label": this.page.say("virtual.token") }, buttonShape());
  }

  /** @param {PageState} state */
  ghost(state) {
    const { patch, x, y, sending } = /** @type {import("./hand.js").Held} */ (this.hand.held);
    const { cells } = this.hand;
    const { high, wide } = sizeOf(cells);
    const place = `translate(${(x - wide / 2) * UNIT} ${(y - high / 2) * UNIT})`;
    if (patch === TOKEN) return svg("g.v-ghost", { transform: `translate(${x * UNIT} ${y * UNIT}) scale(.72)` }, buttonShape());
    return svg(
      `g.v-ghost${sending ? ".v-coming" : ""}${overlapped(/** @type {import("./hand.js").Held} */ (this.hand.held), cells, state).length ? ".v-unfit" : ""}`,
      { transform: place },
      cloth(patch, cells, incomeIn(state)(patch)),
      svg("path", { d: outline(cells, { unit: UNIT, inset: 0, radius: 1.3 }), class: "proposal-line" }),
    );
  }

  /**
   * Return the board at a point of the window and the place on it in squares, or null.
   *
   * @param {number} clientX
   * @param {number} clientY
   */
  at(clientX, clientY) {
    for (const [index, room] of this.rooms.entries()) {
      const { left, top, right, bottom, width } = room.getBoundingClientRect();
      if (clientX < left || clientX > right || clientY < top || clientY > bottom) continue;
      const place = (/** @type {number} */ px) => ((px * WIDE) / width - BEFORE) / UNIT;
      return { seat: index + 1, x: place(clientX - left), y: place(clientY - top) };
    }
    return null;
  }

  /** Return the side of a square of a seat's board in CSS pixels. @param {number} seat */
  squarePx(seat) {
    return (this.rooms[seat - 1].getBoundingClientRect().width * UNIT) / WIDE;
  }

  /** Return whether the piece in hand covers a place. @param {{seat: number, x: number, y: number}} place */
  heldOver({ seat, x, y }) {
    const { held, cells } = this.hand;
    const { high, wide } = sizeOf(cells.length ? cells : [{ row: 0, column: 0 }]);
    if (!held?.over || held.seat !== seat) return false;
    return cells.some(({ row, column }) => row === Math.floor(y - held.y + high / 2) && column === Math.floor(x - held.x + wide / 2));
  }

  /** Return the names of the squares under the piece in hand, as text. */
  heldSquares() {
    const { held, cells } = this.hand;
    return held?.over ? squares(cells, held.x, held.y).join(" ") : "";
  }
}

/**
 * Return what lies on a board, but for a piece in hand, as text.
 *
 * @param {number} seat
 * @param {PageState} state
 * @param {number} [inHand]
 */
function covered(seat, state, inHand) {
  const { pieces = [], tokens = [] } = tabletop(state) ?? {};
  const lying = [...pieces, ...tokens].filter(({ piece, seat: on }) => on === seat && piece !== inHand);
  return lying.map(({ piece, x, y }) => [piece, Math.round(x), Math.round(y)].join()).sort().join(" ");
}

/**
 * Return outlines of pieces that are recorded but not on the table.
 *
 * @param {number} seat
 * @param {PageState} state
 */
function missing(seat, state) {
  const lying = (tabletop(state)?.pieces ?? []).filter((piece) => piece.seat === seat).map(({ cells }) => [...cells].sort().join());
  const pieces = seatOf(state, seat)?.pieces ?? [];
  return pieces
    .filter(({ cells }) => state.virtual && !lying.includes([...cells].sort().join()))
    .map(({ cells }) => svg("path", { d: outline(cells.map(cellOf), { unit: UNIT, inset: 1, radius: 1 }), class: "v-missing", "aria-hidden": "true" }));
}
