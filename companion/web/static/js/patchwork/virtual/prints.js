/** The cloths of the simulated box, so that patches look the same on the page and in the camera's picture. */

import { asked } from "../../commands.js";
import { svg } from "../../dom.js";
import { hangPrint } from "../fabrics.js";

/** The side of a cell in the page's drawings. */
const UNIT = 10;

/**
 * @typedef {{weave: string, ground: string, figure: string, accent: string, pitch: number}} Print  `pitch` in cells.
 * @typedef {{picture: string, width: number, height: number}} Pictured  A cloth as a picture; `width` and `height` in cells.
 * @typedef {{printing: string, seed: number, camouflage: number, grounds: number[]}} Dress  The parameters of the prints in a simulation.
 * @typedef {{width: number, height: number, angle?: number, drawn: SVGElement[]}} Tile
 * @typedef {(pitch: number, print: Print) => Tile} Weaver
 */

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
const disc = (x, y, radius) => `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

/**
 * Replace the page's cloths by those of the box.
 *
 * @param {Dress | null} dress  Null for the project's own prints, or if the server knows the table's.
 */
export async function hangPrints(dress) {
  const which = dress ? `?${new URLSearchParams(Object.entries(dress).map(([name, value]) => [name, String(value)]))}` : "";
  const answer = await asked(`/api/patchwork/prints${which}`);
  for (const [patch, print] of Object.entries(/** @type {Record<string, Print | Pictured>} */ (answer?.prints ?? {}))) {
    hangPrint(patch, "picture" in print ? pictured(patch, print) : woven(patch, print));
  }
}

/**
 * @param {string} patch
 * @param {Print} print
 */
function woven(patch, print) {
  const { width, height, angle = 0, drawn } = (WEAVERS[print.weave] ?? WEAVERS.plain)(print.pitch * UNIT, print);
  const ground = svg("rect", { width, height, fill: print.ground });
  return svg("pattern", { id: `cloth-${patch}`, width, height, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` }, ground, ...drawn);
}

/**
 * @param {string} patch
 * @param {Pictured} print
 */
function pictured(patch, print) {
  const [width, height] = [print.width * UNIT, print.height * UNIT];
  const picture = svg("image", { href: print.picture, width, height, preserveAspectRatio: "none" });
  return svg("pattern", { id: `cloth-${patch}`, width, height, patternUnits: "userSpaceOnUse" }, picture);
}

/**
 * @param {string} d
 * @param {string} fill
 * @param {number} [opacity]
 */
const area = (d, fill, opacity) => svg("path", { d, fill, "fill-opacity": opacity });

/**
 * @param {string} d
 * @param {string} stroke
 * @param {number} width
 * @param {number} [opacity]
 */
const line = (d, stroke, width, opacity) => svg("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-opacity": opacity });

/**
 * Return path data of a motif repeated in two rows, the second shifted by half a step.
 *
 * @param {number} step
 * @param {number} rows  The distance between rows.
 * @param {(x: number, y: number, odd: boolean) => string} draw
 */
const staggered = (step, rows, draw) => draw(step / 2, rows / 2, false) + draw(0, 1.5 * rows, true) + draw(step, 1.5 * rows, true);

/**
 * @param {number} reach
 * @returns {(x: number, y: number) => string}
 */
const flower = (reach) => (x, y) => [0, 1, 2, 3, 4].map((petal) => disc(x + reach * 0.6 * Math.cos((petal * 2 * Math.PI) / 5), y + reach * 0.6 * Math.sin((petal * 2 * Math.PI) / 5), reach * 0.42)).join("");

/** The seamless tile of each weave. @type {Record<string, Weaver>} */
const WEAVERS = {
  plain: (_, { figure }) => ({ width: UNIT, height: UNIT, drawn: [area(`M0 0H${UNIT}V${UNIT}H0Z`, figure, 0.25)] }),
  check: (p, { figure }) => ({ width: 2 * p, height: 2 * p, drawn: [area(`M0 0H${p}V${2 * p}H0Z`, figure, 0.5), area(`M0 0H${2 * p}V${p}H0Z`, figure, 0.5)] }),
  stripes: (p, { figure }) => ({ width: 2 * p, height: 2 * p, drawn: [area(`M0 0H${p}V${2 * p}H0Z`, figure)] }),
  diagonal: (p, { figure }) => ({ width: 2 * p, height: 2 * p, angle: 45, drawn: [area(`M0 0H${p}V${2 * p}H0Z`, figure)] }),
  dots: (p, { figure }) => ({ width: p, height: 2 * p, drawn: [area(staggered(p, p, (x, y) => disc(x, y, 0.27 * p)), figure)] }),
  herringbone: (p, { figure }) => ({ width: 2 * p, height: p, drawn: [line([-1, 0, 1].map((row) => `M0 ${(row + 1) * p}L${p} ${row * p}L${2 * p} ${(row + 1) * p}`).join(""), figure, 0.36 * p)] }),
  floral: (p, { figure, accent }) => ({ width: p, height: 2 * p, drawn: [area(staggered(p, p, flower(0.3 * p)), figure), area(staggered(p, p, (x, y) => disc(x, y, 0.1 * p)), accent)] }),
  plaid: (p, { figure, accent }) => ({
    width: 2 * p,
    height: 2 * p,
    drawn: [area(`M0 0H${p}V${2 * p}H0Z`, figure, 0.4), area(`M0 0H${2 * p}V${p}H0Z`, figure, 0.4), line(`M${p / 6} 0V${2 * p}M${(7 * p) / 6} 0V${2 * p}M0 ${p / 6}H${2 * p}M0 ${(7 * p) / 6}H${2 * p}`, accent, 0.35, 0.6)],
  }),
  triangles: (p, { figure, accent }) => ({ width: 3 * p, height: 3 * p, drawn: [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => halves(column * p, row * p, p, figure, (column + 2 * row) % 3 === 1 ? accent : null))) }),
  sprigs: (p, { figure }) => ({ width: p, height: (2 * p) / 1.6, drawn: [line(staggered(p, p / 1.6, (x, y, odd) => `M${x - 0.2 * p} ${y + (odd ? 0.2 : -0.2) * p}L${x + 0.2 * p} ${y + (odd ? -0.2 : 0.2) * p}`), figure, 0.12 * p)] }),
};

/**
 * Return a square divided into two triangles.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {string} upper
 * @param {string | null} lower  Null for the ground's colour.
 */
function halves(x, y, side, upper, lower) {
  const lowerHalf = lower ? area(`M${x} ${y}V${y + side}H${x + side}Z`, lower) : null;
  return svg("g", {}, area(`M${x} ${y}H${x + side}V${y + side}Z`, upper), lowerHalf);
}
