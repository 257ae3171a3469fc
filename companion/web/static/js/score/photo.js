/** A photograph with what was read drawn over it; a part of it may fill the whole frame. */

import { svg } from "../dom.js";
import { projection } from "../calibrating/projecting.js";

/**
 * @typedef {[number, number]} Point
 * @typedef {{address: string, size: [number, number]}} Shot  A photograph, and the size in pixels to which all places refer.
 */

/**
 * Return a drawing of a photograph.
 *
 * @param {Shot} shot
 * @param {readonly Point[] | null} around  Show only what lies around these points; null for all of it.
 * @param {string} says  The description for screen readers.
 * @param {...(Node | null)} marks  Drawn over it, in the photograph's pixels.
 */
export function photo({ address, size: [width, height] }, around, says, ...marks) {
  const [x, y, wide, tall] = around ? frameOf(around, [width, height]) : [0, 0, width, height];
  return svg("svg.photo", { viewBox: `${x} ${y} ${wide} ${tall}`, role: "group", "aria-label": says, direction: "ltr" }, svg("image", { href: address, width, height }), ...marks);
}

/**
 * Return the frame (left, top, width, height) around points, with a margin, inside the photograph.
 *
 * @param {readonly Point[]} points
 * @param {readonly [number, number]} size
 * @returns {[number, number, number, number]}
 */
export function frameOf(points, [width, height]) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const room = 0.06 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [left, top] = [Math.max(0, Math.min(...xs) - room), Math.max(0, Math.min(...ys) - room)];
  return [left, top, Math.min(width, Math.max(...xs) + room) - left, Math.min(height, Math.max(...ys) + room) - top];
}

/**
 * Return the outline of each cell of a 9x9 grid, row by row, and the middle of each.
 *
 * @param {readonly Point[]} corners  A1, I1, I9, A9.
 * @returns {{name: string, row: number, column: number, outline: Point[], middle: Point}[]}
 */
export function cellsOf(corners) {
  const at = projection(corners);
  return Array.from({ length: 81 }, (_, index) => {
    const [row, column] = [Math.floor(index / 9), index % 9];
    const [left, right, top, bottom] = [column / 9, (column + 1) / 9, row / 9, (row + 1) / 9];
    return { name: `${"ABCDEFGHI"[column]}${row + 1}`, row, column, outline: [at(left, top), at(right, top), at(right, bottom), at(left, bottom)], middle: at((left + right) / 2, (top + bottom) / 2) };
  });
}

/** Return an outline as SVG path data. @param {readonly Point[]} outline */
export function pathOf(outline) {
  return `M${outline.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

/** Return the mean length of an outline's sides. @param {readonly Point[]} outline */
export function sideOf(outline) {
  return outline.reduce((sum, [x, y], index) => sum + Math.hypot(x - outline[(index + 1) % outline.length][0], y - outline[(index + 1) % outline.length][1]), 0) / outline.length;
}

/**
 * Return the attributes of a mark that can be tapped, or chosen by the keyboard.
 *
 * @param {string} key @param {string} label @param {() => void} act @param {boolean} [reached]  Whether the keyboard stops there.
 * @returns {import("../dom.js").Attributes}
 */
export function tappable(key, label, act, reached = true) {
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return { "data-key": key, role: "button", "aria-label": label, tabindex: reached ? 0 : -1, onclick: act, onkeydown };
}
