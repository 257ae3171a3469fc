/**
 * What is printed on cloth: each motif is a tile of 10 by 10 units, as large as one cell of a quilt, that goes on without
 * a seam on every side.
 *
 * @typedef {object} Stroke
 * @property {string} d  The path.
 * @property {"figure" | "accent"} dye  Which of the cloth's two printed colours.
 * @property {number} [width]  Width of the line; a filled form where it is absent.
 * @property {number} [opacity]
 */

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
export function disc(x, y, radius) {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}

/**
 * Something drawn twice a tile, in the manner of the five on a die without its middle.
 *
 * @param {(x: number, y: number) => string} draw
 */
function staggered(draw) {
  return draw(2.5, 2.5) + draw(7.5, 7.5);
}

/**
 * @param {number} x
 * @param {number} y
 */
function petals(x, y) {
  const angles = [0, 1, 2, 3, 4].map((petal) => (petal * 2 * Math.PI) / 5 - Math.PI / 2);
  return angles.map((angle) => disc(+(x + 1.25 * Math.cos(angle)).toFixed(2), +(y + 1.25 * Math.sin(angle)).toFixed(2), 0.85)).join("");
}

/**
 * @param {number} x
 * @param {number} y
 */
function leaves(x, y) {
  return `M${x} ${y + 2}q-2.2-.6-1.9-2.9q1.9.5 1.9 2.9q0-2.6 1.9-2.9q.3 2.3-1.9 2.9z`;
}

/**
 * @param {number} x
 * @param {number} y
 */
function star(x, y) {
  return `M${x} ${y - 2}l.6 1.4 1.4.6-1.4.6-.6 1.4-.6-1.4-1.4-.6 1.4-.6z`;
}

/**
 * @param {number} x
 * @param {number} y
 */
function heart(x, y) {
  return `M${x} ${y + 1.5}c-3-2-1.7-3.9 0-2.4c1.7-1.5 3 .4 0 2.4z`;
}

/** @type {Record<string, Stroke[]>} */
export const MOTIFS = {
  dots: [{ d: staggered((x, y) => disc(x, y, 1.25)), dye: "figure" }],
  pindots: [{ d: [1.25, 3.75, 6.25, 8.75].map((y, row) => disc(1.25 + (row % 2) * 2.5, y, 0.5) + disc(6.25 + (row % 2) * 2.5, y, 0.5)).join(""), dye: "figure" }],
  rings: [
    { d: staggered((x, y) => disc(x, y, 1.6)), dye: "figure", width: 0.7 },
    { d: staggered((x, y) => disc(x, y, 0.55)), dye: "accent" },
  ],
  stripes: [
    { d: "M1.25 0V10M6.25 0V10", dye: "figure", width: 1.3 },
    { d: "M3.75 0V10M8.75 0V10", dye: "accent", width: 0.45 },
  ],
  ticking: [{ d: "M1 0V10M2 0V10M6 0V10M7 0V10M4 0V10M9 0V10", dye: "figure", width: 0.38 }],
  awning: [{ d: "M-1 1L1-1M-1 6L6-1M-1 11L11-1M4 11L11 4M9 11L11 9", dye: "figure", width: 1.5 }],
  gingham: [
    { d: "M0 1.25H10M0 6.25H10", dye: "figure", width: 2.5, opacity: 0.55 },
    { d: "M1.25 0V10M6.25 0V10", dye: "figure", width: 2.5, opacity: 0.55 },
  ],
  plaid: [
    { d: "M0 2.5H10M2.5 0V10", dye: "figure", width: 2.6, opacity: 0.5 },
    { d: "M0 7.5H10M7.5 0V10", dye: "accent", width: 0.5 },
    { d: "M0 2.5H10M2.5 0V10", dye: "accent", width: 0.35 },
  ],
  herringbone: [
    { d: "M0 2.5L5 0M0 5L5 2.5M0 7.5L5 5M0 10L5 7.5M5 0L10 2.5M5 2.5L10 5M5 5L10 7.5M5 7.5L10 10", dye: "figure", width: 0.8 },
  ],
  chevron: [
    { d: "M-1 3L2.5 0 5 2.5 7.5 0 11 3.5M-1 8L2.5 5 5 7.5 7.5 5 11 8.5", dye: "figure", width: 1.1 },
  ],
  waves: [
    { d: "M0 1.25q1.25-1.6 2.5 0t2.5 0t2.5 0t2.5 0M0 6.25q1.25-1.6 2.5 0t2.5 0t2.5 0t2.5 0", dye: "figure", width: 0.9 },
    { d: "M0 3.75q1.25-1.6 2.5 0t2.5 0t2.5 0t2.5 0M0 8.75q1.25-1.6 2.5 0t2.5 0t2.5 0t2.5 0", dye: "accent", width: 0.5 },
  ],
  scallops: [
    { d: "M0 2.5a2.5 2.5 0 0 0 5 0a2.5 2.5 0 0 0 5 0M-2.5 7.5a2.5 2.5 0 0 0 5 0a2.5 2.5 0 0 0 5 0a2.5 2.5 0 0 0 5 0", dye: "figure", width: 0.7 },
    { d: disc(2.5, 3.4, 0.5) + disc(7.5, 3.4, 0.5) + disc(5, 8.4, 0.5) + disc(0, 8.4, 0.5) + disc(10, 8.4, 0.5), dye: "accent" },
  ],
  argyle: [
    { d: "M2.5 0L5 5 2.5 10 0 5zM7.5 0L10 5 7.5 10 5 5z", dye: "figure", opacity: 0.6 },
    { d: "M0 0L5 10M5 0L0 10M5 0L10 10M10 0L5 10", dye: "accent", width: 0.3 },
  ],
  trellis: [
    { d: "M0 0L10 10M10 0L0 10", dye: "figure", width: 0.6 },
    { d: disc(5, 0, 1) + disc(5, 10, 1) + disc(0, 5, 1) + disc(10, 5, 1), dye: "accent" },
  ],
  flowers: [
    { d: staggered(petals), dye: "figure" },
    { d: staggered((x, y) => disc(x, y, 0.6)) + disc(7.5, 2.5, 0.4) + disc(2.5, 7.5, 0.4), dye: "accent" },
  ],
  meadow: [
    { d: petals(2.5, 2.7), dye: "figure" },
    { d: disc(2.5, 2.7, 0.55), dye: "accent" },
    { d: leaves(7.5, 7), dye: "accent" },
  ],
  sprigs: [{ d: staggered(leaves), dye: "figure" }, { d: disc(7.5, 2.5, 0.5) + disc(2.5, 7.5, 0.5), dye: "accent" }],
  stars: [{ d: staggered(star), dye: "figure" }, { d: disc(7.5, 2.5, 0.4) + disc(2.5, 7.5, 0.4), dye: "accent" }],
  hearts: [{ d: staggered(heart), dye: "figure" }],
  crosses: [{ d: "M2.5 1.2V3.8M1.2 2.5H3.8M7.5 6.2V8.8M6.2 7.5H8.8", dye: "figure", width: 0.8 }],
  basket: [
    { d: "M.5 1.2H4.5M.5 2.5H4.5M.5 3.8H4.5M5.5 6.2H9.5M5.5 7.5H9.5M5.5 8.8H9.5", dye: "figure", width: 0.7 },
    { d: "M6.2.5V4.5M7.5.5V4.5M8.8.5V4.5M1.2 5.5V9.5M2.5 5.5V9.5M3.8 5.5V9.5", dye: "accent", width: 0.7 },
  ],
};
