/** The icons of the bonus marks on a sheet's cells. */

import { svg } from "../dom.js";

/**
 * @typedef {import("./contract.js").SheetCell} SheetCell
 */

/** The scale of the marks relative to print; they extend beyond their tags. */
const LARGER = 1.4;

/**
 * Return the marks of a cell, side by side in its tag, or null if it has none.
 *
 * @param {SheetCell} cell
 * @param {(key: string) => string} screen  Returns the screen colour of a pencil.
 */
export function bonusIcons(cell, screen) {
  const [x, y, width, height] = cell.bonus_at;
  const each = width / Math.max(1, cell.bonus.length);
  const icons = cell.bonus.map((word, index) => {
    const [kind, colour] = word.split(":");
    const size = Math.min(each, height);
    const left = x + each * index + (each - size) / 2;
    const drawn = size * LARGER;
    const [dx, dy] = [left + (size - drawn) / 2, y + (height - drawn) / 2];
    return svg("g", { transform: `translate(${dx} ${dy}) scale(${drawn / 10})` }, ...icon(kind, colour ? screen(colour) : ""));
  });
  return icons.length ? svg("g.bonus-mark", {}, svg("rect.label", { x, y, width, height, rx: 0.8 }), ...icons) : null;
}

/**
 * Return the parts of an icon, 10 by 10.
 *
 * @param {string} kind
 * @param {string} colour
 * @returns {SVGElement[]}
 */
export function icon(kind, colour) {
  switch (kind) {
    case "pencil":
      return [svg("path", { d: "M2.2 9.4 1.6 7.2 6.8 1.2 9 3.1 3.9 9z", fill: colour, stroke: "currentColor", "stroke-width": 0.5 }), svg("path", { d: "M1 9.7 1.6 7.2 3.9 9z", fill: "#ecd5ae", stroke: "currentColor", "stroke-width": 0.4 })];
    case "neutral":
      return [svg("path.ink", { d: "M1.5 9h7M2.6 8.4V3.2L3.2 1.6l.6 1.6v5.2M4.4 8.4V2.6L5 1l.6 1.6v5.8M6.2 8.4V3.2l.6-1.6.6 1.6v5.2" })];
    case "swap":
      return [svg("path.ink", { d: "M1.4 3.6h6.4L6 1.8M8.6 6.6H2.2L4 8.4" })];
    case "spool":
      return [svg("path.ink", { d: "M2 1.4h6M2 8.6h6M3.4 1.4v7.2M6.6 1.4v7.2M3.4 3.4h3.2M3.4 5h3.2M3.4 6.6h3.2" })];
    case "button":
      return [svg("circle.ink", { cx: 5, cy: 5, r: 3.8 }), svg("circle.dot", { cx: 3.8, cy: 5, r: 0.75 }), svg("circle.dot", { cx: 6.2, cy: 5, r: 0.75 })];
    case "stitch":
      return [svg("path.ink", { d: "M2 2.2 8 7.8M8 2.2 2 7.8" })];
    default:
      return [];
  }
}
