/** Patchwork's rules in two minutes, in the sentences of the printed leaflet. */

import { html, svg } from "../../dom.js";
import { buttonIcon, emptyIcon, tileIcon } from "../../icons.js";
import { said, teach } from "../../language.js";
import { hangCloth } from "../fabrics.js";
import { patchPicture, quilt } from "../quilt.js";
import { trackPicture } from "../track.js";
import "../texts.js";

teach({
  "rules.patchwork": said("Patchwork in two minutes"),
  "rules.patchwork-lead": said("Each of you sews a quilt, of patches that cost buttons and time. Most buttons and fewest holes win."),
  "rules.turns": said("Whose turn it is"),
  "rules.turns-behind": said("It is the turn of whoever is behind on the time track; that may be several times running."),
  "rules.turns-top": said("With both on one space, whoever came last lies on top, and moves."),
  "rules.turn": said("A turn is one of two things"),
  "rules.turn-take": said("Take one of the three patches after the neutral token, which goes to its place. Pay its buttons, sew it on, turned and flipped as you like, and move ahead by its time."),
  "rules.turn-advance": said("Or advance to the space in front of the other token: that brings a button for each space."),
  "rules.turn-stays": said("What is sewn on stays where it is. Patches neither overlap nor stick out."),
  "rules.marks": said("On the way"),
  "rules.marks-income": said("Past a button on the track there is income: a button for each that is sewn on your quilt."),
  "rules.marks-leather": said("First past a leather patch? It is yours: sew it on at once. It fills one square, for nothing."),
  "rules.tile": said("The tile"),
  "rules.tile-won": said("Whoever is first to cover a square of 7×7 without a gap gets the tile, and seven points."),
  "rules.end": said("The end"),
  "rules.end-middle": said("Who reaches the middle of the track waits there. The game ends when both have."),
  "rules.end-points": said("Each button is a point, the tile seven; each empty square takes two away."),
  "rules.end-tie": said("A tie goes to whoever was first in the middle, unless the table plays it otherwise."),
});

/** Three patches of the box: id, cells and income. @type {[string, [number, number][], number][]} */
const OFFERED = [
  ["thorn", [[0, 1], [1, 0], [1, 1], [1, 2], [1, 3]], 1],
  ["hook-t6", [[0, 0], [1, 0], [1, 1], [1, 2]], 2],
  ["plus", [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]], 2],
];

/** Ten patches that fill a square of 7x7. */
const FULL = Object.entries({
  hat: "B2 C2 D2 E2 C3 D3",
  tee: "F2 G2 H2 G3",
  thorn: "B3 B4 B5 C5 B6",
  bar4: "E3 E4 E5 E6",
  aitch: "F3 H3 F4 G4 H4 F5 H5",
  cup: "C4 D4 D5 C6 D6",
  plus: "G5 F6 G6 H6 G7",
  "hook-t2": "B7 C7 D7 B8",
  "long-zig": "E7 F7 C8 D8 E8",
  "hook-t6": "H7 F8 G8 H8",
}).map(([patch, cells]) => ({ patch, cells: cells.split(" ") }));

/**
 * Return Patchwork's rules in the reader's language.
 *
 * @param {import("../../views/page.js").Page} page
 * @returns {import("../../rules/sheet.js").Rules}
 */
export function rules(page) {
  hangCloth();
  const { say } = page;
  const chapter = (/** @type {string} */ name, /** @type {string[]} */ says, /** @type {Node} */ picture) => ({ title: say(`rules.${name}`), says: says.map((one) => say(`rules.${name}-${one}`)), picture });
  return {
    title: say("rules.patchwork"),
    lead: say("rules.patchwork-lead"),
    chapters: [
      chapter("turns", ["behind", "top"], track({ tokens: [{ seat: 1, space: 2, top: true }, { seat: 2, space: 5, top: true }] }, page)),
      chapter("turn", ["take", "advance", "stays"], offered()),
      chapter("marks", ["income", "leather"], track({ income: [2], leather: [5] }, page)),
      chapter("tile", ["won"], quilt({ pieces: FULL, label: "", plain: true })),
      chapter("end", ["middle", "points", "tie"], points(page)),
    ],
  };
}

/**
 * Return a short time track.
 *
 * @param {Partial<import("../track.js").Track>} shown
 * @param {import("../../views/page.js").Page} page
 */
function track({ tokens = [], income = [], leather = [] }, { language }) {
  const look = { columns: 8, mirrored: language.dir === "rtl", label: "", digits: language.digits };
  return trackPicture({ last_space: 7, income, leather, leather_left: leather, tokens }, look);
}

/** Return the neutral token and the patches after it. */
function offered() {
  const token = svg("svg.icon", { viewBox: "0 0 10 16" }, svg("path", { d: "M5 1a2.4 2.4 0 0 1 1.2 4.5L9 15H1l2.8-9.5A2.4 2.4 0 0 1 5 1Z", fill: "currentColor" }));
  return html("div.rules-picture", {}, token, ...OFFERED.map(([patch, cells, income]) => patchPicture(patch, cells.map(([row, column]) => ({ row, column })), income)));
}

/** Return the items that count at the end. @param {import("../../views/page.js").Page} page */
function points({ language, say }) {
  const worth = /** @type {[Node, number][]} */ ([[buttonIcon(), 1], [tileIcon(), 7], [emptyIcon(), -2]]);
  return html("div.rules-picture", {}, ...worth.map(([icon, value]) => html("span.rules-points", {}, icon, value > 0 ? say("offers.plus", { income: value }) : language.digits(value))));
}
