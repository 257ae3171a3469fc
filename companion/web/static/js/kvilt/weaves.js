/** A pattern for each colour, for readers with colour vision deficiency. */

import { svg } from "../dom.js";

/** @typedef {import("./contract.js").KviltSheet} KviltSheet */

/** SVG path data in a tile of 4 by 4, in the order of a sheet's colours. */
const WEAVES = [
  "M0 4 4 0M-1 1 1 -1M3 5 5 3",
  "M0 2H4",
  "M2 0V4",
  "M0 2H4M2 0V4",
  "M1.3 2a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0",
  "M0 3Q1 1 2 3T4 3",
  "M0 0 4 4M0 4 4 0",
  "M0 1H2V3H4",
];
/** The luma (0..1) above which strokes over a colour are dark. */
const LIGHT = 0.62;

/**
 * Return the path data of a colour's pattern in a tile of 4 by 4, or "" for an unknown colour.
 *
 * @param {KviltSheet | null} sheet
 * @param {string | null | undefined} key
 */
export function weaveOf(sheet, key) {
  const place = sheet?.colours.findIndex((colour) => colour.key === key) ?? -1;
  return place < 0 ? "" : WEAVES[place % WEAVES.length];
}

/**
 * Return the stroke attributes of a pattern over a colour.
 *
 * @param {string} colour  "#rrggbb".
 */
export function strokeOver(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const isLight = 0.299 * red + 0.587 * green + 0.114 * blue > LIGHT;
  return isLight ? { stroke: "#3a2a12", "stroke-opacity": 0.42 } : { stroke: "#fff", "stroke-opacity": 0.6 };
}

/**
 * Return the SVG patterns of all colours of a sheet, as fills of regions.
 *
 * @param {KviltSheet} sheet
 */
export function weaves(sheet) {
  return svg(
    "defs",
    {},
    ...sheet.colours.map(({ key, screen }) =>
      svg(
        "pattern",
        { id: weaveId(sheet, key), width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "scale(.42)" },
        svg("path", { d: weaveOf(sheet, key), fill: "none", "stroke-width": 0.85, ...strokeOver(screen) }),
      ),
    ),
  );
}

/**
 * Return the id of the SVG pattern of a colour.
 *
 * @param {KviltSheet} sheet
 * @param {string} key
 */
export function weaveId(sheet, key) {
  return `weave-${sheet.id}-${key}`;
}
