/** The sections of Kvilt: which element of the page shows what, and on which part of the state it depends. */

import { COMMON } from "../sections.js";
import { handView } from "../views/controls.js";
import { choiceView, complaintView, pushView } from "./choosing.js";
import { middleView } from "./middle.js";
import { scoreView } from "./scores.js";
import { seatView } from "./seat.js";
import { turnView } from "./turn.js";
import { liesUnder, marksOn, paints, themeOf, uncountedOn } from "./virtual/paper.js";

/**
 * @typedef {import("../sections.js").Section} Section
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 */

/** The number of sheets drawn so far. */
let drawnSheets = 0;
/** Each sheet's number. @type {WeakMap<KviltSheet, number>} */
const numbers = new WeakMap();

/**
 * Return a number that identifies a sheet; 0 for none.
 *
 * @param {KviltSheet | null} sheet
 */
function numberOf(sheet) {
  // A number, because what a section needs is compared as JSON, and a whole sheet is long.
  if (!sheet) return 0;
  if (!numbers.has(sheet)) numbers.set(sheet, (drawnSheets += 1));
  return numbers.get(sheet);
}

/**
 * Return the sections of the page for a game of Kvilt.
 *
 * @param {() => KviltSheet | null} sheet  Returns the layout of the sheets, or null until it is loaded.
 * @returns {Section[]}
 */
export function kviltSections(sheet) {
  const drawn = () => numberOf(sheet());
  const seats = [1, 2, 3, 4].map((number) => ({
    id: `seat-${number}`,
    draw: seatView(number, sheet),
    needs: (/** @type {Snapshot} */ s, /** @type {import("../store.js").PageState} */ state) => [s.kvilt?.seats[number - 1], s.kvilt?.phase, s.kvilt?.cushions, s.kvilt?.first, s.kvilt?.choice?.regions, s.kvilt?.complaint, s.kvilt?.result, drawn(), themeOf(state, number), marksOn(state, number), uncountedOn(state, number), paints(state, s.kvilt), liesUnder(state) === number],
  }));
  return [
    { id: "turn", draw: turnView, needs: (s) => [s.kvilt?.turn, s.kvilt?.phase, s.kvilt?.round, s.kvilt?.result, s.kvilt?.choice?.says, s.kvilt?.complaint, s.phase, s.table.camera, s.table.awaited] },
    { id: "doubt", draw: complaintView, needs: (s) => [s.kvilt?.complaint] },
    { id: "offers", draw: choiceView(sheet), needs: (s, { me, link }) => [s.kvilt?.choice, s.kvilt?.crop, me, link === "over", drawn()] },
    { id: "controls", draw: pushView, needs: (s, { me, busy, said, link }) => [s.kvilt?.choice, s.phase, s.game, me, busy, said, link === "over"] },
    { id: "result", draw: scoreView, needs: (s, { me, link }) => [s.kvilt?.seats.map(({ name, score }) => [name, score]), s.kvilt?.result, me, link === "over"] },
    ...seats,
    { id: "track", draw: middleView(sheet), needs: (s) => [s.kvilt?.cushions, s.kvilt?.tokens, s.kvilt?.bag, s.kvilt?.phase, s.kvilt?.seats.map(({ name }) => name), drawn()] },
    { id: "hand", draw: (state, page) => handView(state, page), needs: (s, { me, link }) => [Boolean(s.game?.decisions), s.kvilt?.result, me, link === "over"] },
    ...COMMON,
  ];
}
