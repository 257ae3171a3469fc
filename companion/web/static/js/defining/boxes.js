/** Axis-aligned rectangles around points. */

import { tidy } from "./work.js";

/**
 * @typedef {import("./work.js").Point} Point
 * @typedef {import("./work.js").Rect} Rect
 */

/** Return the corners of the axis-aligned rectangle between two opposite corners. @param {Point[]} points @returns {Point[]} */
export function boxOf([[x0, y0], [x1, y1]]) {
  const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/** Return the corners of the bounding box of points. @param {Point[]} points @returns {Point[]} */
export function spanOf(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return boxOf([[Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)]]);
}

/** Return an axis-aligned rectangle as x, y, width and height. @param {Point[]} corners @returns {Rect} */
export function rectOf(corners) {
  const [[x0, y0], , [x1, y1]] = boxOf([corners[0], corners[2]]);
  return [tidy(x0), tidy(y0), tidy(x1 - x0), tidy(y1 - y0)];
}
