/** The virtual table: the page's quilts become boards with cloth to lay, and beside them is what the camera sees. */

import { part } from "../../frame.js";
import { stylesheet } from "../../stylesheet.js";
import { laid } from "../../virtual/laid.js";
import { Boards } from "./boards.js";
import { Circle, HandBar } from "./circle.js";
import { Hand } from "./hand.js";
import { listenToKeys } from "./keys.js";
import { movesAt } from "./moves.js";
import { Pointing } from "./pointing.js";
import { hangPrints } from "./prints.js";
import { Seeing } from "./seeing.js";

/**
 * @param {import("../../views/page.js").Page} page
 */
export async function open(page) {
  const { store } = page;
  const [{ table, ranges }] = await Promise.all([laid("patchwork"), stylesheet("/static/css/virtual.css")]);
  await hangPrints(/** @type {any} */ (table).dress);
  if (/** @type {any} */ (page.state().virtual)?.game !== table.game) store.set({ virtual: table });
  const hand = new Hand(page.state, movesAt(page.say("link.unreachable")));
  const boards = new Boards(page, hand);
  const pointing = new Pointing(page, hand, boards);
  const parts = [boards, pointing, new Circle(page, hand), new HandBar(page, hand, boards), new Seeing(page, hand, ranges)];
  furnish(parts);
  const draw = () => parts.forEach((each) => each.draw());
  hand.listeners.add(draw);
  store.subscribe(draw);
  pointing.listen();
  listenToKeys(hand, boards, (target) => pointing.sourceAt(target));
  parts.forEach((each) => each instanceof Seeing && each.start());
}

/**
 * Hang the cloths of the box that lies on a simulated table; of one that nobody moves by hand the server knows them. It comes
 * with all that moves things by hand: in a file of its own it would be one more for whoever does.
 *
 * @param {import("../../views/page.js").Page} page
 */
export async function dress({ state }) {
  await hangPrints(state().me.virtual ? /** @type {any} */ ((await laid("patchwork")).table).dress : null);
}

/** @param {(Boards | Pointing | Circle | HandBar | Seeing)[]} parts */
function furnish(parts) {
  document.documentElement.dataset.table = "virtual";
  // The strip lies on the table here: where everybody looks.
  part("turn").after(part("strip"));
  for (const each of parts) {
    if (each instanceof Circle) part("controls").after(each.card);
    if (each instanceof Seeing) part("seat-2").after(each.card, each.troubles);
    if (each instanceof HandBar) document.body.append(each.bar);
  }
}
