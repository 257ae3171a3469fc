/** The quilt's cells as a grid between four corners. Rows may lack cells. */

import { tidy } from "./work.js";

/**
 * @typedef {import("./work.js").Point} Point
 * @typedef {import("./work.js").Rect} Rect
 * @typedef {import("./work.js").Row} Row
 * @typedef {{rows: number, columns: number, gapX: number, gapY: number, corners: Point[]}} Grid
 */

/**
 * Return the approximate grid of the cells, or null if there are none.
 *
 * @param {Row[]} rows
 * @returns {Grid | null}
 */
export function gridOf(rows) {
  const cells = rows.flatMap(({ cell }) => cell);
  if (!cells.length) return null;
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((rect) => rect[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...cells.map((rect) => rect[axis] + rect[axis + 2])));
  const beside = rows.map(({ cell }) => cell).find((cell) => cell.length > 1);
  const below = rows.length > 1 && rows[0].cell.length && rows[1].cell.length;
  return {
    rows: rows.length,
    columns: Math.max(...rows.flatMap(({ columns }) => columns)),
    gapX: beside ? tidy(Math.max(0, beside[1][0] - beside[0][0] - beside[0][2])) : 1,
    gapY: below ? tidy(Math.max(0, rows[1].cell[0][1] - rows[0].cell[0][1] - rows[0].cell[0][3])) : 1,
    corners: [[left, top], [right, top], [right, bottom], [left, bottom]],
  };
}

/**
 * Return the rows with their cells placed by a grid. The values of a cell stay with its row and column, and cells that were
 * missing stay missing.
 *
 * @param {Grid} grid
 * @param {Row[]} before
 * @returns {Row[]}
 */
export function laidOut(grid, before) {
  const wide = Math.max(0, ...before.flatMap(({ columns }) => columns));
  return Array.from({ length: grid.rows }, (_, row) => {
    const old = before[row];
    const columns = Array.from({ length: grid.columns }, (_, column) => column + 1).filter((column) => !old || column > wide || old.columns.includes(column));
    const at = columns.map((column) => (old ? old.columns.indexOf(column) : -1));
    const cell = columns.map((column) => cellAt(grid, row, column - 1));
    return {
      ...old,
      columns,
      cell,
      points: at.map((index) => old?.points[index] ?? null),
      bonus: at.map((index) => old?.bonus[index] ?? null),
      picture_outline: at.map((index, place) => carried(old?.picture_outline[index], old?.cell[index], cell[place])),
    };
  });
}

/**
 * Return a picture's outline moved with its cell.
 *
 * @param {Point[] | null | undefined} outline @param {Rect | undefined} from @param {Rect} to
 * @returns {Point[] | null}
 */
export function carried(outline, from, to) {
  if (!outline || !from) return null;
  const [dx, dy] = [to[0] + to[2] / 2 - from[0] - from[2] / 2, to[1] + to[3] / 2 - from[1] - from[3] / 2];
  return outline.map(([x, y]) => [tidy(x + dx), tidy(y + dy)]);
}

/** @param {Grid} grid @param {number} row @param {number} column @returns {Rect} */
function cellAt({ rows, columns, gapX, gapY, corners }, row, column) {
  const [u, du] = span(columns, gapX, distance(corners[0], corners[1]), column);
  const [v, dv] = span(rows, gapY, distance(corners[0], corners[3]), row);
  const quad = [[u, v], [u + du, v], [u + du, v + dv], [u, v + dv]].map(([a, b]) => between(corners, a, b));
  const [left, right] = [(quad[0][0] + quad[3][0]) / 2, (quad[1][0] + quad[2][0]) / 2];
  const [top, bottom] = [(quad[0][1] + quad[1][1]) / 2, (quad[2][1] + quad[3][1]) / 2];
  return [tidy(left), tidy(top), tidy(right - left), tidy(bottom - top)];
}

/** Return the start and length of one of `count` equal parts with gaps, as fractions of the whole. @param {number} count @param {number} gap @param {number} length @param {number} index */
function span(count, gap, length, index) {
  const share = Math.min(gap / Math.max(length, 1), 0.5 / count);
  const part = (1 - share * (count - 1)) / count;
  return [index * (part + share), part];
}

/** @param {Point[]} corners @param {number} u @param {number} v @returns {Point} */
function between([a, b, c, d], u, v) {
  return /** @type {Point} */ ([0, 1].map((axis) => (1 - v) * ((1 - u) * a[axis] + u * b[axis]) + v * ((1 - u) * d[axis] + u * c[axis])));
}

/** @param {Point} one @param {Point} other */
function distance([x0, y0], [x1, y1]) {
  return Math.hypot(x1 - x0, y1 - y0);
}
