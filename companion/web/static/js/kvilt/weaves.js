/** A pattern for each colour, so that colours are told apart by who sees few of them, or none. */

import { svg } from "../dom.js";

/** @typedef {import("./contract.js").KviltSheet} KviltSheet */

/** In a tile of 4 by 4; the first colour of a sheet has the first. */
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
/** Above this share of white the strokes are dark. */
const LIGHT = 0.62;

/**
 * The strokes of a colour's pattern, in a tile of 4 by 4.
 *
 * @param {KviltSheet | null} sheet
 * @param {string | null | undefined} key
 */
export function weaveOf(sheet, key) {
  const place = sheet?.colours.findIndex((colour) => colour.key === key) ?? -1;
  return place < 0 ? "" : WEAVES[place % WEAVES.length];
}

/**
 * What strokes over a colour are drawn in.
 *
 * @param {string} colour  "#rrggbb".
 */
export function strokeOver(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const isLight = 0.299 * red + 0.587 * green + 0.114 * blue > LIGHT;
  return isLight ? { stroke: "#3a2a12", "stroke-opacity": 0.42 } : { stroke: "#fff", "stroke-opacity": 0.6 };
}

/**
 * The patterns of all colours of a sheet, to fill regions with.
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
 * @param {KviltSheet} sheet
 * @param {string} key
 */
export function weaveId(sheet, key) {
  return `weave-${sheet.id}-${key}`;
}
