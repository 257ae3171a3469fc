/** Kvilt's rules in two minutes, in the sentences of the printed leaflet. */

import { svg } from "../../dom.js";
import { said, teach } from "../../language.js";
import { icon } from "../icons.js";

teach({
  "rules.kvilt": said("Kvilt in two minutes"),
  "rules.kvilt-lead": said("You colour your quilt with real pencils. The companion draws them, keeps the rounds and the score, and reads each sheet."),
  "rules.kvilt-setup": said("What lies on the table"),
  "rules.kvilt-round": said("A round"),
  "rules.kvilt-uses": said("What a pencil can do"),
  "rules.kvilt-signs": said("What the signs on the cells give, at once"),
  "rules.kvilt-end": said("The end, and the score"),
  "rules.kvilt-setup-parts": said("For 2, 3 or 4 players: 3, 4 or 5 pincushions for three pencils each, and 2, 3 or 4 sets of six pencils, all of them in the bag; 3 sets for Kviltomania. Each player takes a sheet and colours its six boxes."),
  "rules.kvilt-round-scraps": said("Scraps: each player takes one. Its colour is the bonus colour until the round ends."),
  "rules.kvilt-round-pencils": said("Pencils: in turn, place two drawn pencils on pincushions, or place one and take a pincushion, or just take one. Whoever takes the first one is the first player from now on."),
  "rules.kvilt-round-colouring": said("Colouring: use each of your pencils once, as below. What is left over is lost."),
  "rules.kvilt-round-press": said("Lay your sheet under the camera, whole and flat, and press confirm. Then all pencils go back."),
  "rules.kvilt-uses-picture": said("Colour the next picture of a row, from the left: one colour a row, another one in each row. In your bonus colour the background may be coloured too."),
  "rules.kvilt-uses-patch": said("Colour a patch, while nothing in its column is coloured. It gives its points if the whole column is coloured in the end; else it costs them."),
  "rules.kvilt-uses-thread": said("Colour the thread of the next open spool, in any colour."),
  "rules.kvilt-sign-stitch": said("with the same pencil, a part of an embroidery"),
  "rules.kvilt-sign-pencil": said("one more pencil, of that colour"),
  "rules.kvilt-sign-neutral": said("a pencil of the pincushion that nobody took"),
  "rules.kvilt-sign-swap": said("one or two unused pencils may be exchanged for drawn ones"),
  "rules.kvilt-sign-spool": said("the next locked spool opens: colour its two ends"),
  "rules.kvilt-sign-button": said("a button, which counts at the end"),
  "rules.kvilt-signs-embroidery": said("A finished embroidery of five parts gives two pencils, one of three parts a pencil, one of two parts the backgrounds of all you coloured in this round."),
  "rules.kvilt-end-last": said("The round in which somebody completes three rows, or two rows and all seven threads, is the last one."),
  "rules.kvilt-end-rows": said("Rows: the points of the last coloured cell, and one for each coloured background. Spools: the points of the last thread, and ten more for all six colours."),
  "rules.kvilt-end-buttons": said("Buttons: each is worth as much as your lowest row. Patches: plus or minus. Most points win; at a tie the best single row decides, and a further tie is shared."),
});

/** The signs on the cells of a sheet. */
const SIGNS = ["stitch", "pencil", "neutral", "swap", "spool", "button"];
/** The colour of the pencil on its sign. */
const PENCIL = "#c8643c";

/**
 * Return Kvilt's rules in the reader's language.
 *
 * @param {import("../../views/page.js").Page} page
 * @returns {import("../../rules/sheet.js").Rules}
 */
export function rules({ say }) {
  const chapter = (/** @type {string} */ name, /** @type {string[]} */ says) => ({ title: say(`rules.kvilt-${name}`), says: says.map((one) => say(`rules.kvilt-${name}-${one}`)) });
  const signs = SIGNS.map((kind) => ({ sign: svg("svg", { viewBox: "0 0 10 10" }, ...icon(kind, PENCIL)), says: say(`rules.kvilt-sign-${kind}`) }));
  return {
    title: say("rules.kvilt"),
    lead: say("rules.kvilt-lead"),
    chapters: [
      chapter("setup", ["parts"]),
      chapter("round", ["scraps", "pencils", "colouring", "press"]),
      chapter("uses", ["picture", "patch", "thread"]),
      { ...chapter("signs", ["embroidery"]), signs },
      chapter("end", ["last", "rows", "buttons"]),
    ],
  };
}
