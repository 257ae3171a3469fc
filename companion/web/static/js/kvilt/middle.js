/** The middle of the table: pincushions, scraps and the bag. */

import { html } from "../dom.js";
import { nameOfColour, pencils, scrap, screenOf } from "./colours.js";
import { weaveOf } from "./weaves.js";
import "./texts.js";

/**
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 * @typedef {import("./contract.js").Kvilt} Kvilt
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

/**
 * Return a function that draws the pincushions, the bag and the scraps.
 *
 * @param {() => KviltSheet | null} sheet
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
export function middleView(sheet) {
  return ({ snapshot }, page) => {
    const table = snapshot?.kvilt;
    if (!table || table.phase === "end" || table.phase === "counting") return [];
    const cushions = table.cushions.map((cushion) => cushionOf(cushion, table, sheet(), page));
    return [
      html("h2.section-title", { id: "track-title" }, page.say("kvilt.middle")),
      html("ul.cushions", {}, ...cushions),
      html("p.middle-line", {}, page.say("kvilt.bag", { count: table.bag }), table.phase === "scraps" ? scraps(table, sheet(), page) : null),
    ];
  };
}

/**
 * @param {Kvilt["cushions"][0]} cushion
 * @param {Kvilt} table
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function cushionOf(cushion, table, sheet, page) {
  const owner = table.seats.find(({ seat }) => seat === cushion.owner)?.name;
  const whose = owner ?? (cushion.neutral ? page.say("kvilt.neutral") : page.say("kvilt.cushion", { number: cushion.number }));
  const kind = owner ? ".taken" : cushion.neutral ? ".neutral" : "";
  return html(`li.cushion${kind}`, {}, html("span.cushion-name", {}, whose), pencils(cushion.pencils, sheet, page));
}

/**
 * @param {Kvilt} table
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function scraps({ tokens }, sheet, page) {
  const items = tokens.map((key) => html("li", {}, scrap(screenOf(sheet, key), weaveOf(sheet, key)), html("span.spoken", {}, nameOfColour(sheet, key, page))));
  return html("ul.scraps", { "aria-label": page.say("kvilt.scraps") }, ...items);
}
