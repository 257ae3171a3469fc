/** The cloth of each patch, and the SVG patterns of all cloths. */

import { svg } from "../dom.js";
import cloths from "./cloths.json" with { type: "json" };

/**
 * @typedef {object} Stroke  A path in a tile of 10 by 10 units, the size of a quilt's cell.
 * @property {string} d  The path data.
 * @property {string} dye  Which of the cloth's two printed colours it has: "figure" or "accent".
 * @property {number} [width]  The line's width; without it the path is filled.
 * @property {number} [opacity]
 *
 * @typedef {{ground: string, figure: string, accent: string, motif: string, angle_deg: number}} Cloth
 */

/** @type {{scale: number, dyes: Record<string, string>, motifs: Record<string, Stroke[]>, cloths: Record<string, Cloth>}} */
const { scale: PRINT_SCALE, dyes: DYES, motifs: MOTIFS, cloths: CLOTHS } = cloths;

/**
 * Return the fill of a patch; an unknown patch gets plain cloth.
 *
 * @param {string} patch
 * @returns {string}
 */
export function fillOf(patch) {
  return `url(#cloth-${patch in CLOTHS ? patch : "plain"})`;
}

/** Add the patterns of all cloths to the page, once. */
export function hangCloth() {
  if (!document.querySelector(".cupboard")) document.body.prepend(clothCupboard());
}

/**
 * Replace the pattern of a patch's cloth.
 *
 * @param {string} patch
 * @param {SVGElement} pattern
 */
export function hangPrint(patch, pattern) {
  document.getElementById(`cloth-${patch}`)?.replaceWith(pattern);
}

/** Return an invisible drawing with the patterns of all cloths. */
function clothCupboard() {
  const patterns = Object.entries(CLOTHS).map(([patch, cloth]) => weaveCloth(patch, cloth));
  const defs = svg("defs", {}, ...patterns);
  return svg("svg", { width: 0, height: 0, class: "cupboard", "aria-hidden": "true", focusable: "false" }, defs);
}

/**
 * @param {string} name
 * @param {Cloth} cloth
 */
function weaveCloth(name, { ground, figure, accent, motif, angle_deg: angle }) {
  const printed = MOTIFS[motif].map(({ d, dye, width, opacity }) => {
    const colour = DYES[dye === "figure" ? figure : accent];
    return svg("path", { d, opacity, ...(width ? { fill: "none", stroke: colour, "stroke-width": width } : { fill: colour }) });
  });
  const threads = name === "leather" ? [] : [weave()];
  return tile(`cloth-${name}`, angle, svg("rect", { width: 10, height: 10, fill: DYES[ground] }), ...printed, ...threads);
}

/** Return the threads of the cloth, a faint texture. */
function weave() {
  const threads = "M0 .5H10M0 1.5H10M0 2.5H10M0 3.5H10M0 4.5H10M0 5.5H10M0 6.5H10M0 7.5H10M0 8.5H10M0 9.5H10";
  return svg("path", { d: threads, stroke: "#3a2a1a", "stroke-opacity": 0.07, "stroke-width": 0.35 });
}

/**
 * @param {string} id
 * @param {number} angle
 * @param {...SVGElement} content
 */
function tile(id, angle, ...content) {
  const patternTransform = `rotate(${angle}) scale(${PRINT_SCALE})`;
  return svg("pattern", { id, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform }, ...content);
}
