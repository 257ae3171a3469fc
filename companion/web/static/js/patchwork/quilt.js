/** The drawing of a quilt: its pieces as cloth with a seam and a line of stitches. */

import { svg } from "../dom.js";
import { buttonShape } from "../icons.js";
import { fillOf } from "./fabrics.js";
import { outline } from "./outline.js";
import { cellOf, SIDE } from "./shapes.js";

const UNIT = 10;
const BOARD = SIDE * UNIT;

/**
 * @typedef {import("./shapes.js").Cell} Cell
 * @typedef {{patch: string, cells: string[], new?: boolean}} Piece
 *
 * @typedef {object} QuiltLook
 * @property {readonly Piece[]} pieces
 * @property {string} label  The description for screen readers.
 * @property {(patch: string) => number} [incomeOf]  Returns the number of buttons sewn on a patch.
 * @property {readonly string[]} [marked]  Cells to mark.
 * @property {"question" | "complaint"} [markedAs]
 * @property {Piece | null} [proposal]  A placement that is not taken yet.
 * @property {import("../language.js").Language} [language]  The reader's, for the numbers at the edge and the sign of a question.
 * @property {boolean} [plain]  Whether to omit the letters and numbers at the edge.
 */

/**
 * Return the drawing of a quilt.
 *
 * @param {QuiltLook} look
 * @returns {SVGElement}
 */
export function quilt(look) {
  const margin = look.plain ? 2 : 6;
  const box = look.plain ? [-margin, -margin, BOARD + 2 * margin, BOARD + 2 * margin] : [-margin, -margin, BOARD + margin + 2, BOARD + margin + 2];
  return svg(
    "svg.quilt",
    { viewBox: box.join(" "), role: "img", "aria-label": look.label },
    ground(),
    look.plain ? null : edgeNames(look.language?.digits ?? String),
    ...look.pieces.map((piece) => pieceOf(piece, look.incomeOf)),
    look.proposal ? proposed(look.proposal) : null,
    ...(look.marked ?? []).map((name) => mark(cellOf(name), look)),
    ...look.pieces.filter((piece) => piece.new).map(glow),
  );
}

/**
 * Return a patch by itself, oriented as in the circle.
 *
 * @param {string} patch
 * @param {readonly Cell[]} cells
 * @param {number} income
 * @returns {SVGElement}
 */
export function patchPicture(patch, cells, income) {
  const width = Math.max(...cells.map(({ column }) => column)) + 1;
  const height = Math.max(...cells.map(({ row }) => row)) + 1;
  return svg(
    "svg.patch",
    { viewBox: `-1 -1 ${width * UNIT + 2} ${height * UNIT + 2.6}`, "data-width": width, "data-height": height, "aria-hidden": "true", focusable: "false" },
    cloth(patch, cells, income),
  );
}

function ground() {
  const lines = Array.from({ length: SIDE - 1 }, (_, index) => `M${(index + 1) * UNIT} 0V${BOARD}M0 ${(index + 1) * UNIT}H${BOARD}`).join("");
  return svg(
    "g.quilt-ground",
    {},
    svg("rect", { x: -1.6, y: -1.6, width: BOARD + 3.2, height: BOARD + 3.2, rx: 2.4, class: "binding" }),
    svg("rect", { width: BOARD, height: BOARD, rx: 0.8, class: "backing" }),
    svg("path", { d: lines, class: "basting" }),
  );
}

/** @param {(value: number) => string} digits */
function edgeNames(digits) {
  const names = Array.from({ length: SIDE }, (_, index) => [
    svg("text", { x: index * UNIT + UNIT / 2, y: -2.7, class: "edge-name" }, String.fromCharCode(65 + index)),
    svg("text", { x: -3.8, y: index * UNIT + UNIT / 2 + 1.2, class: "edge-name" }, digits(index + 1)),
  ]);
  return svg("g", { "aria-hidden": "true" }, ...names.flat());
}

/**
 * @param {Piece} piece
 * @param {QuiltLook["incomeOf"]} incomeOf
 */
function pieceOf(piece, incomeOf) {
  return cloth(piece.patch, piece.cells.map(cellOf), incomeOf?.(piece.patch) ?? 0);
}

/**
 * Return a piece of cloth as part of a larger drawing, at the position of its cells.
 *
 * @param {string} patch
 * @param {readonly Cell[]} cells
 * @param {number} income
 */
export function cloth(patch, cells, income) {
  const edge = outline(cells, { unit: UNIT, inset: 0.3, radius: 1.3 });
  return svg(
    `g.piece${patch === "leather" ? ".leather" : ""}`,
    { "data-patch": patch },
    svg("path", { d: edge, class: "piece-shadow", transform: "translate(0 .7)" }),
    svg("path", { d: edge, fill: fillOf(patch), class: "piece-cloth" }),
    svg("path", { d: outline(cells, { unit: UNIT, inset: 0.75, radius: 1 }), class: "piece-light" }),
    svg("path", { d: outline(cells, { unit: UNIT, inset: 1.5, radius: 0.6 }), class: "piece-stitch" }),
    ...buttonPlaces(cells, income).map(({ row, column }) =>
      svg("g", { transform: `translate(${(column + 0.5) * UNIT} ${(row + 0.5) * UNIT}) scale(.6)` }, buttonShape()),
    ),
  );
}

/**
 * Return the cells with buttons: spread over the cloth, and the same squares of it in any orientation and order of cells.
 *
 * @param {readonly Cell[]} cells
 * @param {number} income
 */
function buttonPlaces(cells, income) {
  const away = (/** @type {Cell} */ one, /** @type {number} */ power) => cells.reduce((sum, { row, column }) => sum + ((row - one.row) ** 2 + (column - one.column) ** 2) ** power, 0);
  const sorted = cells
    .map((cell) => ({ cell, keys: [away(cell, 1), away(cell, 2), cell.row, cell.column] }))
    .sort((one, other) => one.keys.map((key, index) => key - other.keys[index]).find(Boolean) ?? 0)
    .map(({ cell }) => cell);
  return Array.from({ length: Math.min(income, cells.length) }, (_, index) => sorted[Math.floor(((index + 0.5) * cells.length) / income)]);
}

/** @param {Piece} piece */
function glow(piece) {
  const d = outline(piece.cells.map(cellOf), { unit: UNIT, inset: 0.1, radius: 1.4 });
  return svg("g.glow", { "aria-hidden": "true" }, svg("path", { d, class: "glow-wide" }), svg("path", { d, class: "glow-line" }));
}

/** @param {Piece} piece */
function proposed(piece) {
  const cells = piece.cells.map(cellOf);
  return svg(
    "g.proposal",
    {},
    svg("path", { d: outline(cells, { unit: UNIT, inset: 0.3, radius: 1.3 }), fill: fillOf(piece.patch), class: "proposal-cloth" }),
    svg("path", { d: outline(cells, { unit: UNIT, inset: 0, radius: 1.3 }), class: "proposal-line" }),
  );
}

/**
 * @param {Cell} cell
 * @param {QuiltLook} look
 */
function mark({ row, column }, { markedAs: kind = "complaint", language }) {
  const place = `translate(${(column + 0.5) * UNIT} ${(row + 0.5) * UNIT})`;
  return svg(
    `g.mark.mark-${kind}`,
    { transform: place },
    svg("rect", { x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 1.4, class: "mark-box" }),
    svg("text", { y: 2.7, class: "mark-sign" }, kind === "question" ? language?.unknown ?? "?" : "!"),
  );
}

