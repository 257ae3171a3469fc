/** Which cloth each patch is cut from, and the SVG patterns of all cloths. */

import { svg } from "./dom.js";
import { MOTIFS } from "./motifs.js";

const DYES = {
  madder: "#b4483f",
  brick: "#c96f4f",
  apricot: "#e6a572",
  mustard: "#dba63f",
  butter: "#f0d58a",
  sage: "#94ab80",
  moss: "#5d7a4c",
  pine: "#2f5a4d",
  teal: "#3d8285",
  mint: "#b5d3bd",
  sky: "#8db3cc",
  denim: "#4f739f",
  indigo: "#344672",
  plum: "#7a4a6d",
  heather: "#a795bd",
  rose: "#d58f92",
  blush: "#efc9bf",
  cream: "#f7ecd6",
  oat: "#e2d2b2",
  slate: "#5c6470",
};

/** Small prints look like cloth, large ones like wallpaper. */
const PRINT_SCALE = 0.7;

/** @typedef {keyof typeof DYES} Dye */

/**
 * By patch: the cloth's ground, its two printed colours, what is printed, and the angle it is cut at in degrees. The two
 * patches of one shape differ most.
 *
 * @type {Record<string, [Dye, Dye, Dye, string, number]>}
 */
const CLOTHS = {
  domino: ["madder", "cream", "butter", "dots", 0],
  bar3: ["sky", "cream", "indigo", "stripes", 0],
  "corner-b1": ["mustard", "cream", "madder", "flowers", 0],
  "corner-b3": ["indigo", "sky", "cream", "stars", 0],
  bar4: ["sage", "cream", "pine", "gingham", 0],
  square: ["plum", "blush", "butter", "flowers", 0],
  tee: ["cream", "brick", "moss", "meadow", 0],
  "hook-t2": ["teal", "mint", "butter", "scallops", 0],
  "hook-t6": ["rose", "madder", "cream", "hearts", 0],
  "zig-b3": ["butter", "brick", "teal", "plaid", 0],
  "zig-b7": ["pine", "sage", "butter", "sprigs", 0],
  bar5: ["denim", "cream", "cream", "ticking", 0],
  "long-hook": ["brick", "blush", "cream", "herringbone", 0],
  thorn: ["mint", "teal", "madder", "trellis", 0],
  chunk: ["heather", "plum", "cream", "gingham", 0],
  cup: ["blush", "madder", "moss", "meadow", 0],
  "tall-tee": ["moss", "butter", "cream", "chevron", 0],
  "long-zig": ["oat", "denim", "madder", "argyle", 0],
  stairs: ["madder", "rose", "cream", "plaid", 0],
  plus: ["cream", "denim", "indigo", "rings", 0],
  boot: ["apricot", "madder", "cream", "crosses", 0],
  hat: ["slate", "oat", "butter", "pindots", 0],
  "wide-cup": ["butter", "moss", "brick", "sprigs", 0],
  "shifted-bricks": ["sky", "indigo", "cream", "gingham", 0],
  "square-with-tail": ["brick", "cream", "butter", "stars", 0],
  arrow: ["teal", "cream", "butter", "waves", 0],
  mast: ["cream", "madder", "madder", "awning", 0],
  crank: ["plum", "heather", "blush", "basket", 0],
  dagger: ["mint", "pine", "pine", "dots", 0],
  propeller: ["rose", "cream", "plum", "scallops", 0],
  aitch: ["denim", "sky", "butter", "herringbone", 45],
  "long-plus": ["mustard", "moss", "cream", "gingham", 45],
  "fat-plus": ["moss", "mint", "blush", "flowers", 0],
};

/** @type {[Dye, Dye, Dye, string, number]} */
const PLAIN = ["oat", "cream", "slate", "crosses", 0];

/**
 * What to fill a patch with. "leather" has its own; an unknown patch gets plain cloth.
 *
 * @param {string} patch
 * @returns {string}
 */
export function fillOf(patch) {
  return `url(#cloth-${patch === "leather" || patch in CLOTHS ? patch : "plain"})`;
}

/** All cloths, in a drawing that is not seen itself; once a page. */
export function clothCupboard() {
  const patterns = Object.entries(CLOTHS).map(([patch, cloth]) => weaveCloth(patch, cloth));
  const defs = svg("defs", {}, ...patterns, weaveCloth("plain", PLAIN), leather());
  return svg("svg", { width: 0, height: 0, class: "cupboard", "aria-hidden": "true", focusable: "false" }, defs);
}

/**
 * @param {string} name
 * @param {[Dye, Dye, Dye, string, number]} cloth
 */
function weaveCloth(name, [ground, figure, accent, motif, angle]) {
  const colours = { figure: DYES[figure], accent: DYES[accent] };
  const printed = MOTIFS[motif].map(({ d, dye, width, opacity }) =>
    svg("path", { d, opacity, ...(width ? { fill: "none", stroke: colours[dye], "stroke-width": width } : { fill: colours[dye] }) }),
  );
  return tile(`cloth-${name}`, angle, svg("rect", { width: 10, height: 10, fill: DYES[ground] }), ...printed, weave());
}

/** The threads of the cloth: barely seen, they take the flatness away. */
function weave() {
  const threads = "M0 .5H10M0 1.5H10M0 2.5H10M0 3.5H10M0 4.5H10M0 5.5H10M0 6.5H10M0 7.5H10M0 8.5H10M0 9.5H10";
  return svg("path", { d: threads, stroke: "#3a2a1a", "stroke-opacity": 0.07, "stroke-width": 0.35 });
}

function leather() {
  const grain = "M1 2.2q.8-.7 1.6 0M6 1.3q.7.7 1.5.1M3.6 5.1q.9-.8 1.7.1M8 6.2q.6-.7 1.4 0M1.4 8q.7.7 1.5 0M5.9 8.7q.8-.6 1.4.1";
  return tile(
    "cloth-leather",
    0,
    svg("rect", { width: 10, height: 10, fill: "#8a5a35" }),
    svg("path", { d: grain, fill: "none", stroke: "#5f3a1d", "stroke-width": 0.45, "stroke-opacity": 0.7 }),
  );
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
