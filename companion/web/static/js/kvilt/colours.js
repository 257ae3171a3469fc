/** The six pencils: their looks and names. */

import { html, svg } from "../dom.js";
import { strokeOver, weaveOf } from "./weaves.js";

/**
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 * @typedef {import("../views/page.js").Page} Page
 */

/**
 * Return the screen colour of a pencil, or grey for an unknown one.
 *
 * @param {KviltSheet | null} sheet
 * @param {string | null | undefined} key
 */
export function screenOf(sheet, key) {
  return sheet?.colours.find((colour) => colour.key === key)?.screen ?? "#8b8580";
}

/**
 * Return the name of a pencil in the reader's language, or else in English, or else its key.
 *
 * @param {KviltSheet | null} sheet
 * @param {string} key
 * @param {Page} page
 */
export function nameOfColour(sheet, key, page) {
  const names = sheet?.colours.find((colour) => colour.key === key)?.name;
  return names?.[page.language.code] ?? names?.en ?? key;
}

/**
 * Return pencils side by side, each with its name for screen readers.
 *
 * @param {string[]} keys
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 * @param {boolean} [spent]
 */
export function pencils(keys, sheet, page, spent = false) {
  const items = keys.map((key) => html("li", {}, pencil(screenOf(sheet, key), weaveOf(sheet, key), spent), html("span.spoken", {}, nameOfColour(sheet, key, page))));
  return html("ul.pencils", {}, ...items);
}

/**
 * Return a pencil in a colour.
 *
 * @param {string} colour
 * @param {string} [weave]  The pattern of its colour.
 * @param {boolean} [spent]
 */
export function pencil(colour, weave = "", spent = false) {
  return svg(
    `svg.pencil${spent ? ".spent" : ""}`,
    { viewBox: "0 0 8 26", "aria-hidden": "true" },
    svg("path", { d: "M1 7.5h6V25H1z", fill: colour, stroke: "currentColor", "stroke-width": 0.5 }),
    svg("path", { d: "M1 7.5 4 .8l3 6.7z", fill: "#ecd5ae", stroke: "currentColor", "stroke-width": 0.5 }),
    svg("path", { d: "M2.9 3.3 4 .8l1.1 2.5z", fill: colour }),
    weave && svg("path", { d: weave, transform: "translate(1.4 15) scale(1.3)", fill: "none", "stroke-width": 0.8, ...strokeOver(colour) }),
  );
}

/**
 * Return a scrap of cloth in a colour.
 *
 * @param {string} colour
 * @param {string} [weave]  The pattern of its colour.
 */
export function scrap(colour, weave = "") {
  return svg(
    "svg.scrap",
    { viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("rect", { x: 1.5, y: 1.5, width: 17, height: 17, rx: 2.5, fill: colour, stroke: "currentColor", "stroke-width": 0.6 }),
    ...[4, 8.6].flatMap((x) => [4, 8.6].map((y) => weave && svg("path", { d: weave, transform: `translate(${x} ${y}) scale(1.75)`, fill: "none", "stroke-width": 0.55, ...strokeOver(colour) }))),
    svg("rect", { x: 3.6, y: 3.6, width: 12.8, height: 12.8, rx: 1.4, fill: "none", stroke: "#fff", "stroke-opacity": 0.75, "stroke-width": 0.8, "stroke-dasharray": "2 1.2" }),
  );
}
