/** A player's sheet, drawn from its layout: print in grey, coloured regions as if by pencil. */

import { svg } from "../dom.js";
import { screenOf } from "./colours.js";
import { bonusIcons } from "./icons.js";
import { weaveId, weaves } from "./weaves.js";

/**
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 * @typedef {import("./contract.js").Rect} Rect
 *
 * @typedef {object} Drawn
 * @property {Record<string, string>} marks  The colour of each coloured region.
 * @property {string} [theme]  The theme of its pictures; none for the default.
 * @property {Set<string>} fresh  Regions that were coloured in this round.
 * @property {Set<string>} asked  Regions in question.
 * @property {Set<string>} [unseen]  Regions on the paper that are not recorded in the game yet.
 * @property {((region: string) => {key: string, label: string}) | null} [labelOf]  Returns key and label of a region; null if the sheet is not coloured on this page.
 * @property {number} openSpools
 * @property {number[]} rowScores
 * @property {string} label
 * @property {(value: number) => string} digits  Formats a number for the reader.
 */

const MARGIN_MM = 4;
/** The region that is the sheet's tab stop. */
const FIRST = "r1c1.picture";

/**
 * Return the edges of the part that is coloured. The rest is only for the camera: markers, samples, the name.
 *
 * @param {KviltSheet} sheet
 */
function viewOf(sheet) {
  const rects = [
    ...sheet.cells.map(({ frame }) => frame),
    ...sheet.patches.flatMap(({ region, tip }) => (tip ? [region, /** @type {Rect} */ ([tip[0], tip[1], 0, 0])] : [region])),
    ...sheet.spools.flatMap(({ body, thread, tag }) => [...body, thread, ...(tag ? [tag] : [])]),
    ...Object.values(sheet.parts).map(([x, y]) => /** @type {Rect} */ ([x - sheet.radius, y - sheet.radius, 2 * sheet.radius, 2 * sheet.radius])),
    ...sheet.row_scores.filter((rect) => rect !== null),
  ];
  const left = Math.min(...rects.map(([x]) => x)) - MARGIN_MM;
  const top = Math.min(...rects.map(([, y]) => y)) - MARGIN_MM;
  const right = Math.max(...rects.map(([x, , width]) => x + width)) + MARGIN_MM;
  const bottom = Math.max(...rects.map(([, y, , height]) => y + height)) + MARGIN_MM;
  return { left, top, right, bottom };
}

/**
 * Return the drawing of a sheet.
 *
 * @param {KviltSheet} sheet
 * @param {Drawn} drawn
 */
export function sheetPicture(sheet, drawn) {
  const { left, top, right, bottom } = viewOf(sheet);
  return svg(
    `svg.kvilt-sheet${drawn.labelOf ? ".paints" : ""}`,
    { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: drawn.labelOf ? "group" : "img", "aria-label": drawn.label },
    svg("rect.paper", { x: left, y: top, width: right - left, height: bottom - top, rx: 2 }),
    weaves(sheet),
    ...sheet.cells.map((cell) => cellPicture(sheet, cell, sheet.themes[drawn.theme ?? ""]?.[cell.row - 1], drawn)),
    ...sheet.row_scores.map((rect, index) => rect && rowScore(rect, drawn.rowScores[index], drawn)),
    ...sheet.patches.map((patch) => patchPicture(sheet, patch, drawn)),
    ...sheet.spools.map((spool, index) => spoolPicture(sheet, spool, index + 1, drawn)),
    ...Object.entries(sheet.parts).map(([name, at]) => partPicture(sheet, name, at, drawn)),
  );
}

/**
 * Return the elements of a region: an outline, or a coloured shape with its pattern.
 *
 * @param {KviltSheet} sheet
 * @param {string} name
 * @param {Record<string, string | number>} shape  The attributes of an SVG element, with its tag as "tag".
 * @param {Drawn} drawn
 * @param {number} [depth]
 */
function region(sheet, name, shape, drawn, depth = 0.92) {
  const { marks, fresh, asked, unseen } = drawn;
  const { tag, ...where } = shape;
  const colour = marks[name];
  const classes = [fresh.has(name) && "fresh", unseen?.has(name) && "unseen", asked.has(name) && "asked"].filter(Boolean).join(".");
  const kind = `${tag}.region${classes && `.${classes}`}`;
  const fill = colour ? { fill: screenOf(sheet, colour), "fill-opacity": depth } : { fill: "none" };
  const shown = svg(kind, { ...where, ...fill, ...reached(name, drawn) });
  return colour ? [shown, svg(String(tag), { ...where, fill: `url(#${weaveId(sheet, colour)})`, class: "hatched" })] : [shown];
}

/**
 * Return the attributes that make a region focusable if the sheet is coloured here. A cell's picture stands for its background.
 *
 * @param {string} name
 * @param {Drawn} drawn
 */
function reached(name, { labelOf }) {
  if (!labelOf || name.endsWith(".background")) return {};
  const { key, label } = labelOf(name);
  return { "data-region": name, "data-key": key, role: "button", tabindex: name === FIRST ? 0 : -1, "aria-label": label };
}

/** @param {Rect} rect */
function box([x, y, width, height]) {
  return { tag: "rect", x, y, width, height, rx: 0.8 };
}

/**
 * @param {KviltSheet} sheet
 * @param {import("./contract.js").SheetCell} cell
 * @param {import("./contract.js").SheetPicture | undefined} other  The theme's picture, if it replaces the default one.
 * @param {Drawn} drawn
 */
function cellPicture(sheet, cell, other, drawn) {
  const name = `r${cell.row}c${cell.cell}`;
  const outline = { tag: "polygon", points: pointsOf(other ? around(cell, other.outline) : cell.picture) };
  const white = drawn.marks[`${name}.background`] && !drawn.marks[`${name}.picture`];
  return svg(
    "g",
    {},
    ...region(sheet, `${name}.background`, box(cell.frame), drawn, 0.5),
    white ? svg("polygon.paper", { points: outline.points }) : null,
    ...region(sheet, `${name}.picture`, outline, drawn),
    ...(other?.lines ?? []).map((line) => svg("polyline.fine", { points: pointsOf(around(cell, line)) })),
    label(cell.points_at, drawn.digits(cell.points)),
    bonusIcons(cell, (key) => screenOf(sheet, key)),
  );
}

/**
 * @param {import("./contract.js").SheetCell} cell
 * @param {[number, number][]} points  Relative to the cell's centre.
 * @returns {[number, number][]}
 */
function around({ frame: [left, top, width, height] }, points) {
  return points.map(([x, y]) => [left + width / 2 + x, top + height / 2 + y]);
}

/** @param {[number, number][]} points */
function pointsOf(points) {
  return points.map((point) => point.join(",")).join(" ");
}

/**
 * @param {Rect} rect
 * @param {number | undefined} score
 * @param {Drawn} drawn
 */
function rowScore(rect, score, { digits }) {
  const [x, y, width, height] = rect;
  const text = svg("text.row-score", { x: x + width / 2, y: y + height / 2 }, score === undefined ? "" : digits(score));
  return svg("g", {}, svg("rect.score-box", { x, y, width, height, rx: 1 }), text);
}

/**
 * @param {KviltSheet} sheet
 * @param {KviltSheet["patches"][0]} patch
 * @param {Drawn} drawn
 */
function patchPicture(sheet, patch, drawn) {
  const [x, y, width, height] = patch.region;
  const tip = patch.tip && svg("path.print", { d: `M${x + width / 2 - 2} ${y + height}L${patch.tip[0]} ${patch.tip[1]}L${x + width / 2 + 2} ${y + height}` });
  return svg("g", {}, tip, ...region(sheet, patch.id, box(patch.region), drawn), label(patch.number, `±${drawn.digits(patch.points)}`));
}

/**
 * @param {KviltSheet} sheet
 * @param {KviltSheet["spools"][0]} spool
 * @param {number} number
 * @param {Drawn} drawn
 */
function spoolPicture(sheet, spool, number, drawn) {
  const ready = number <= sheet.open_spools;
  const bodies = spool.body.flatMap((rect) => (ready ? [svg("rect.region.ready", { ...box(rect) })] : region(sheet, `spool${number}.body`, box(rect), drawn)));
  return svg(
    `g${number > drawn.openSpools ? ".locked" : ""}`,
    {},
    ...bodies,
    ...region(sheet, `spool${number}.thread`, box(spool.thread), drawn),
    spool.tag && label(spool.tag, drawn.digits(spool.points)),
  );
}

/**
 * @param {KviltSheet} sheet
 * @param {string} name
 * @param {[number, number]} at
 * @param {Drawn} drawn
 */
function partPicture(sheet, name, [cx, cy], drawn) {
  return svg("g", {}, ...region(sheet, name, { tag: "circle", cx, cy, r: sheet.radius }, drawn));
}

/**
 * @param {Rect} rect
 * @param {string} text
 */
function label([x, y, width, height], text) {
  return svg("g", {}, svg("rect.label", { x, y, width, height, rx: 0.8 }), svg("text.number", { x: x + width / 2, y: y + height / 2 }, text));
}
