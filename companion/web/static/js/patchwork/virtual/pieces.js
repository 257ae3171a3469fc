/** Pieces on a board: their shapes (flipped left to right, then turned clockwise) and places. */

import { nameOf, SIDE, toCell } from "../shapes.js";
import "../../virtual/texts.js";
import "../texts.js";

/**
 * Types of the server's data on the virtual table. Places are the centres of pieces, in squares from the upper left corner
 * of a board.
 *
 * @typedef {import("../shapes.js").Cell} Cell
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {{piece: number, patch: string, seat: number, x: number, y: number, angle: number, flipped: boolean, cells: string[], in_hand: boolean}} Lying
 * @typedef {{piece: number, seat: number, x: number, y: number}} LeftToken
 * @typedef {{exposure: number, gradient: number, hard_shadow: number, offset_mm: number, rotation_deg: number, arms: boolean}} Conditions
 * @typedef {{circle: string[], leather: number, pieces: Lying[], tokens: LeftToken[], conditions: Conditions}} Tabletop
 */

/** The id of a button token that is left on a board, in place of a patch's id. */
export const TOKEN = "token";

/**
 * Return the name of a patch, of leather or of a button token in the reader's language.
 *
 * @param {string} patch
 * @param {import("../../views/page.js").Page} page
 */
export function spoken(patch, { say }) {
  if (patch === TOKEN) return say("virtual.token");
  return patch === "leather" ? say("offers.wins-leather") : say(`patch.${patch}`);
}

/**
 * Return a piece's cells, flipped left to right and then turned clockwise by quarters; one cell for leather or a token.
 *
 * @param {string} patch
 * @param {import("../state.js").Own["box"]} box
 * @param {boolean} flipped
 * @param {number} quarters
 * @returns {Cell[]}  The smallest row and column are 0.
 */
export function shapeOf(patch, box, flipped, quarters) {
  let cells = box[patch]?.cells.map(toCell) ?? [{ row: 0, column: 0 }];
  if (flipped) cells = cells.map(({ row, column }) => ({ row, column: -column }));
  for (let turn = 0; turn < quarters; turn += 1) cells = cells.map(({ row, column }) => ({ row: column, column: -row }));
  const [top, left] = [Math.min(...cells.map(({ row }) => row)), Math.min(...cells.map(({ column }) => column))];
  return cells.map(({ row, column }) => ({ row: row - top, column: column - left }));
}

/**
 * Return whether turning changes what a piece covers, and whether flipping does in any of its turns.
 *
 * @param {string} patch
 * @param {import("../state.js").Own["box"]} box
 */
export function changesOf(patch, box) {
  const look = (/** @type {boolean} */ flipped, /** @type {number} */ quarters) => shapeOf(patch, box, flipped, quarters).map(nameOf).sort().join();
  return { turns: look(false, 1) !== look(false, 0), flips: look(true, 0) !== look(false, 0) || look(true, 3) !== look(false, 1) };
}

/**
 * Return the height and width of a shape in cells.
 *
 * @param {readonly Cell[]} cells
 * @returns {{high: number, wide: number}}
 */
export function sizeOf(cells) {
  return { high: 1 + Math.max(...cells.map(({ row }) => row)), wide: 1 + Math.max(...cells.map(({ column }) => column)) };
}

/**
 * Return the nearest place on the grid at which the whole shape is on the board.
 *
 * @param {readonly Cell[]} cells
 * @param {number} x
 * @param {number} y
 */
export function snapped(cells, x, y) {
  const { high, wide } = sizeOf(cells);
  const within = (/** @type {number} */ middle, /** @type {number} */ length) => Math.min(Math.max(Math.round(middle - length / 2), 0), SIDE - length) + length / 2;
  return { x: within(x, wide), y: within(y, high) };
}

/**
 * Return the names of the squares that a shape covers at a place.
 *
 * @param {readonly Cell[]} cells
 * @param {number} x
 * @param {number} y
 */
export function squares(cells, x, y) {
  const { high, wide } = sizeOf(cells);
  const [top, left] = [Math.round(y - high / 2), Math.round(x - wide / 2)];
  const inside = (/** @type {number} */ line) => line >= 0 && line < SIDE;
  return cells
    .map(({ row, column }) => ({ row: row + top, column: column + left }))
    .filter(({ row, column }) => inside(row) && inside(column))
    .map(nameOf);
}

/**
 * Return whether a piece is recorded in the game at its place.
 *
 * @param {Lying} lying
 * @param {PageState["snapshot"]} snapshot
 */
export function isTaken(lying, snapshot) {
  const pieces = snapshot?.patchwork?.seats.find(({ seat }) => seat === lying.seat)?.pieces ?? [];
  const here = [...lying.cells].sort().join();
  return pieces.some(({ patch, cells }) => patch === lying.patch && [...cells].sort().join() === here);
}
