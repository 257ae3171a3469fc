/** Constructors of items on the picture, with their ways to be dragged. */

import { tidy } from "./work.js";

/**
 * @typedef {import("./canvas.js").Item} Item
 * @typedef {import("./work.js").Point} Point
 * @typedef {import("./work.js").Rect} Rect
 */

const LEAST = 1;

/**
 * Return a rectangle with a handle at each corner.
 *
 * @param {{key: string, name: string, look?: string, text?: string}} what
 * @param {Rect} rect
 * @param {(rect: Rect) => void} set
 * @returns {Item}
 */
export function rectItem(what, [x, y, width, height], set) {
  /** @type {Point[]} */
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  return {
    ...what,
    outline: corners,
    handles: corners,
    shift: (dx, dy) => set([tidy(x + dx), tidy(y + dy), width, height]),
    pull: (at, [px, py]) => {
      const [fixedX, fixedY] = corners[(at + 2) % 4];
      const [wide, high] = [Math.max(LEAST, Math.abs(px - fixedX)), Math.max(LEAST, Math.abs(py - fixedY))];
      set([tidy(Math.min(fixedX, px)), tidy(Math.min(fixedY, py)), tidy(wide), tidy(high)]);
    },
  };
}

/**
 * Return an outline with a handle at each point.
 *
 * @param {{key: string, name: string, look?: string}} what
 * @param {Point[]} outline
 * @param {(outline: Point[]) => void} set
 * @returns {Item}
 */
export function outlineItem(what, outline, set) {
  return {
    ...what,
    outline,
    fine: outline.length > 5,
    handles: outline,
    shift: (dx, dy) => set(moved(outline, dx, dy)),
    pull: (at, point) => set(outline.map((old, index) => (index === at ? point : old))),
  };
}

/**
 * Return a disc that is dragged as a whole.
 *
 * @param {{key: string, name: string, look?: string, text?: string}} what
 * @param {Point} centre
 * @param {number} radius
 * @param {(centre: Point) => void} set
 * @returns {Item}
 */
export function discItem(what, [x, y], radius, set) {
  const outline = Array.from({ length: 32 }, (_, step) => /** @type {Point} */ ([tidy(x + radius * Math.cos((step * Math.PI) / 16)), tidy(y + radius * Math.sin((step * Math.PI) / 16))]));
  return { ...what, outline, shift: (dx, dy) => set([tidy(x + dx), tidy(y + dy)]) };
}

/** Return an outline shifted by (`dx`, `dy`). @param {Point[]} outline @param {number} dx @param {number} dy @returns {Point[]} */
export function moved(outline, dx, dy) {
  return outline.map(([x, y]) => /** @type {Point} */ ([tidy(x + dx), tidy(y + dy)]));
}

/**
 * Return `count` rectangles interpolated evenly from the first to the last.
 *
 * @param {Rect} first @param {Rect} last @param {number} count
 * @returns {Rect[]}
 */
export function spread(first, last, count) {
  return Array.from({ length: count }, (_, index) => {
    const share = count > 1 ? index / (count - 1) : 0;
    return /** @type {Rect} */ (first.map((value, axis) => tidy(value + share * (last[axis] - value))));
  });
}
