/** Putting the virtual table right: what the game has not recorded leaves the boards, and what it has goes back to its place. */

import { cellOf } from "../shapes.js";
import { own, tabletop } from "../state.js";
import { isTaken, shapeOf, sizeOf } from "./pieces.js";

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../shapes.js").Cell} Cell
 * @typedef {import("./moves.js").Place} Place
 */

/**
 * Put the boards as the game has recorded them.
 *
 * @param {() => PageState} state
 * @param {import("./moves.js").Moves} moves
 */
export async function putRight(state, moves) {
  const { snapshot } = state();
  const { pieces = [], tokens = [] } = tabletop(state()) ?? {};
  /** The recorded pieces at their places; of two leather patches on one square the upper one is not recorded. @type {Map<string, number>} */
  const taken = new Map();
  for (const one of pieces) if (isTaken(one, snapshot) && !taken.has(keyOf(one))) taken.set(keyOf(one), one.piece);
  const right = new Set(taken.values());
  for (const { piece } of [...tokens, ...pieces.filter((one) => !right.has(one.piece))]) await moves.lift(piece);
  for (const { seat, pieces: recorded } of snapshot?.patchwork?.seats ?? []) {
    for (const { patch, cells } of recorded) {
      const place = taken.has(keyOf({ seat, cells })) ? null : placeOf(patch, cells.map(cellOf), seat, state());
      if (place) await moves.lay(patch, place);
    }
  }
}

/**
 * Return the place at which a patch covers these cells, or null if there is none.
 *
 * @param {string} patch
 * @param {readonly Cell[]} cells
 * @param {number} seat
 * @param {PageState} state
 * @returns {Place | null}
 */
function placeOf(patch, cells, seat, state) {
  const [top, left] = [Math.min(...cells.map(({ row }) => row)), Math.min(...cells.map(({ column }) => column))];
  const wanted = named(cells.map(({ row, column }) => ({ row: row - top, column: column - left })));
  for (const flipped of [false, true]) {
    for (const quarters of [0, 1, 2, 3]) {
      const shape = shapeOf(patch, own(state).box, flipped, quarters);
      const { high, wide } = sizeOf(shape);
      if (named(shape) === wanted) return { seat, x: left + wide / 2, y: top + high / 2, quarters, flipped, snapped: true };
    }
  }
  return null;
}

/** @param {{seat: number, cells: readonly string[]}} piece */
const keyOf = ({ seat, cells }) => [seat, ...[...cells].sort()].join();

/** @param {readonly Cell[]} cells */
function named(cells) {
  return cells.map(({ row, column }) => `${row}.${column}`).sort().join();
}
