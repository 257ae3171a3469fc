/** The picture of each entry of the home. */

import { svg } from "../dom.js";

/** The drawings by the entry's name: shapes as [tag, attributes]. @type {Record<string, [string, Record<string, string | number>][]>} */
const DRAWN = {
  demo: [
    ["rect", { x: 6, y: 12, width: 52, height: 36, rx: 5, class: "home-cloth-a" }],
    ["path", { d: "M27 22l16 8-16 8z", class: "home-light" }],
    ["path", { d: "M20 54h24", class: "home-line" }],
  ],
  here: [
    ["rect", { x: 8, y: 8, width: 22, height: 22, rx: 3, class: "home-cloth-a" }],
    ["rect", { x: 34, y: 8, width: 22, height: 22, rx: 3, class: "home-cloth-b" }],
    ["rect", { x: 8, y: 34, width: 22, height: 22, rx: 3, class: "home-cloth-c" }],
    ["path", { d: "M36 36l18 8-8 2-2 8z", class: "home-light" }],
  ],
  robot: [
    ["rect", { x: 16, y: 20, width: 32, height: 26, rx: 7, class: "home-cloth-b" }],
    ["path", { d: "M32 20v-8M24 54h16", class: "home-line" }],
    ["circle", { cx: 32, cy: 10, r: 3, class: "home-light" }],
    ["circle", { cx: 25, cy: 32, r: 4, class: "home-light" }],
    ["circle", { cx: 39, cy: 32, r: 4, class: "home-light" }],
  ],
  table: [
    ["path", { d: "M12 58V20a12 12 0 0 1 24 0v4", class: "home-line" }],
    ["rect", { x: 27, y: 20, width: 18, height: 12, rx: 3, class: "home-cloth-b" }],
    ["circle", { cx: 36, cy: 34, r: 4, class: "home-light" }],
    ["path", { d: "M22 58l14-20 14 20z", class: "home-beam" }],
    ["path", { d: "M4 58h56", class: "home-line" }],
  ],
  last: [
    ["path", { d: "M48 32a16 16 0 1 1-6-12.5", class: "home-line" }],
    ["path", { d: "M42 10v10H32", class: "home-line" }],
    ["rect", { x: 25, y: 25, width: 14, height: 14, rx: 3, class: "home-cloth-a" }],
  ],
  score: [
    ["rect", { x: 8, y: 16, width: 48, height: 34, rx: 6, class: "home-cloth-c" }],
    ["circle", { cx: 32, cy: 33, r: 10, class: "home-light" }],
    ["path", { d: "M22 16l4-6h12l4 6", class: "home-line" }],
  ],
};

/** Return the picture of an entry. @param {string} name */
export function pictureOf(name) {
  return svg("svg.home-picture", { viewBox: "0 0 64 64", "aria-hidden": "true", focusable: "false" }, ...(DRAWN[name] ?? DRAWN.here).map(([tag, attributes]) => svg(tag, attributes)));
}
