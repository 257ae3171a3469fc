/** The virtual table: the page's quilts become boards to lay patches on, with the camera's picture beside them. */

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
 * Enable play on the page.
 *
 * @param {import("../../views/page.js").Page} page
 */
export async function open(page) {
  const { store } = page;
  const [{ table, ranges }] = await Promise.all([laid("patchwork"), stylesheet("/static/css/virtual.css")]);
  await hangPrints(/** @type {any} */ (table).dress);
  // A state that arrived as an event is newer than the one requested.
  if (/** @type {any} */ (page.state().virtual)?.game !== table.game) store.set({ virtual: table });
  const hand = new Hand(page.state, movesAt(page.say("link.unreachable")), () => page.commands.press("confirm"));
  const boards = new Boards(page, hand);
  const pointing = new Pointing(page, hand, boards);
  const parts = [boards, pointing, new Circle(page, hand), new HandBar(page, hand, boards), new Seeing(page, hand, ranges)];
  furnish(parts);
  const draw = () => parts.forEach((each) => each.draw());
  hand.listeners.add(draw);
  store.subscribe(() => hand.follow());
  store.subscribe(draw);
  pointing.listen();
  listenToKeys(hand, boards, (target) => pointing.sourceAt(target));
  parts.forEach((each) => each instanceof Seeing && each.start());
}

/**
 * Draw patches with the cloths of a simulated table's box. At a virtual table they are in its state; of others the server
 * knows them. The function is in this file because a file of its own would be one more to load for players.
 *
 * @param {import("../../views/page.js").Page} page
 */
export async function dress({ state }) {
  await hangPrints(state().me.virtual ? /** @type {any} */ ((await laid("patchwork")).table).dress : null);
}

/** @param {(Boards | Pointing | Circle | HandBar | Seeing)[]} parts */
function furnish(parts) {
  document.documentElement.dataset.table = "virtual";
  // There is no real light strip here, so it is shown below the turn, where players look.
  part("turn").after(part("strip"));
  for (const each of parts) {
    if (each instanceof Circle) part("controls").after(each.card);
    if (each instanceof Seeing) part("seat-2").after(each.card, each.troubles);
    if (each instanceof HandBar) document.body.append(each.bar);
  }
}
