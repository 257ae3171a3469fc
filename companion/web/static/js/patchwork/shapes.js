/**
 * Cells of a 9x9 quilt, by name ("A1" is top left, "I1" top right) or by row and column; and shapes, which are equal if one
 * is the other turned or flipped.
 */

import { own } from "./state.js";

/** The number of rows and of columns of a quilt. */
export const SIDE = 9;

/** @typedef {{row: number, column: number}} Cell  Both count from 0. */

/**
 * Return the cell with a name.
 *
 * @param {string} name
 * @returns {Cell}
 */
export function cellOf(name) {
  return { row: Number(name.slice(1)) - 1, column: name.charCodeAt(0) - 65 };
}

/**
 * Return the name of a cell.
 *
 * @param {Cell} cell
 * @returns {string}
 */
export function nameOf({ row, column }) {
  return String.fromCharCode(65 + column) + (row + 1);
}

/** The names of all cells, row by row. */
export const ALL_CELLS = Array.from({ length: SIDE * SIDE }, (_, bit) => nameOf({ row: Math.floor(bit / SIDE), column: bit % SIDE }));

/**
 * Return a text that is the same for all eight orientations of a shape.
 *
 * @param {readonly Cell[]} cells
 * @returns {string}
 */
export function shapeKey(cells) {
  const turned = [cells];
  for (let turn = 0; turn < 3; turn += 1) turned.push(turned[turn].map(({ row, column }) => ({ row: column, column: -row })));
  const flipped = turned.map((way) => way.map(({ row, column }) => ({ row, column: -column })));
  return [...turned, ...flipped].map(atOrigin).sort()[0];
}

/** @param {readonly Cell[]} cells */
function atOrigin(cells) {
  const top = Math.min(...cells.map(({ row }) => row));
  const left = Math.min(...cells.map(({ column }) => column));
  return cells.map(({ row, column }) => `${row - top}.${column - left}`).sort().join(" ");
}

/**
 * Return the patches with the shape of the cells.
 *
 * @template {{cells: [number, number][]}} Shaped
 * @param {readonly Cell[]} cells
 * @param {readonly Shaped[]} patches
 * @returns {Shaped[]}
 */
export function shapedLike(cells, patches) {
  if (!cells.length) return [];
  const key = shapeKey(cells);
  return patches.filter((patch) => patch.cells.length === cells.length && shapeKey(patch.cells.map(toCell)) === key);
}

/**
 * Return a cell from the server's pair of row and column.
 *
 * @param {[number, number]} place
 * @returns {Cell}
 */
export function toCell([row, column]) {
  return { row, column };
}

/**
 * Return the last patch taken, then its twins, or nothing if it has none or they were all bought already.
 *
 * @param {import("../store.js").PageState} state
 * @returns {import("../contract.js").BoxPatch[]}
 */
export function twinsOf(state) {
  const seats = state.snapshot?.patchwork?.seats ?? [];
  const { box } = own(state);
  const last = seats.flatMap(({ pieces }) => pieces).find((piece) => piece.new && piece.patch !== "leather");
  const patch = last && box[last.patch];
  if (!patch) return [];
  const laid = new Set(seats.flatMap(({ pieces }) => pieces.map((piece) => piece.patch)));
  const alike = shapedLike(patch.cells.map(toCell), Object.values(box));
  const twins = alike.filter(({ id }) => !laid.has(id));
  return twins.length ? [patch, ...twins] : [];
}
