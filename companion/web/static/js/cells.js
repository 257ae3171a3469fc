/** Cells of a 9x9 quilt, by name ("A1" is the top left, "I1" the top right) and as points. */

export const SIDE = 9;

/** @typedef {{row: number, column: number}} Cell  Both from 0. */

/**
 * @param {string} name
 * @returns {Cell}
 */
export function cellOf(name) {
  return { row: Number(name.slice(1)) - 1, column: name.charCodeAt(0) - 65 };
}

/**
 * @param {Cell} cell
 * @returns {string}
 */
export function nameOf({ row, column }) {
  return String.fromCharCode(65 + column) + (row + 1);
}

/** The names of all cells, row by row. */
export const ALL_CELLS = Array.from({ length: SIDE * SIDE }, (_, bit) => nameOf({ row: Math.floor(bit / SIDE), column: bit % SIDE }));
