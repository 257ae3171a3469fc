/** Empty squares that no patch fits any more. */

import { cellOf, SIDE } from "../shapes.js";

/**
 * Return the empty squares with no empty neighbour, as [row, column]: only leather fills them.
 *
 * @param {readonly string[]} covered  Names of covered cells.
 */
export function loneSquares(covered) {
  const taken = new Set(covered.map(cellOf).map(({ row, column }) => row * SIDE + column));
  const isOpen = (/** @type {number} */ row, /** @type {number} */ column) => row >= 0 && column >= 0 && row < SIDE && column < SIDE && !taken.has(row * SIDE + column);
  const all = Array.from({ length: SIDE * SIDE }, (_, index) => [Math.floor(index / SIDE), index % SIDE]);
  return all.filter(([row, column]) => isOpen(row, column) && ![[1, 0], [-1, 0], [0, 1], [0, -1]].some(([down, right]) => isOpen(row + down, column + right)));
}
