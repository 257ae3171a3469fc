/** The virtual table: the page's quilts become boards to lay patches on, with the camera's picture beside them. */

import { part } from "../../frame.js";
import { lettersWork } from "../../keys.js";
import { stylesheet } from "../../stylesheet.js";
import { laid } from "../../virtual/laid.js";
import { Boards } from "./boards.js";
import { Circle, HandBar } from "./circle.js";
import { Hand } from "./hand.js";
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

// Keys of the virtual table: Enter takes and lays a piece, arrows move it, R turns, F flips, B swaps boards, Esc returns it.

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listen to the keys of the virtual table.
 *
 * @param {import("./hand.js").Hand} hand
 * @param {import("./boards.js").Boards} boards
 * @param {(target: Element) => import("./hand.js").Source | null} sourceAt
 */
function listenToKeys(hand, boards, sourceAt) {
  const focusBoard = () => hand.held && boards.rooms[hand.held.seat - 1].focus();
  const take = (/** @type {Element} */ target) => {
    const source = sourceAt(target);
    if (source) hand.take(source);
    focusBoard();
  };
  /** @type {Record<string, () => void>} */
  const acts = { r: () => hand.turn(), f: () => hand.flip(), b: () => (hand.swap(), focusBoard()), escape: () => hand.drop() };

  document.addEventListener("click", (event) => {
    const source = /** @type {Element} */ (event.target).closest("[data-source]");
    // A click by keyboard has detail 0; those by pointer were handled on pointerup.
    if (source && event.detail === 0) take(source);
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input, select")) return;
    if (keyOnPiece(event, target) || keyInHand(event, target)) event.preventDefault();
  });

  /**
   * @param {KeyboardEvent} event
   * @param {Element} target
   */
  function keyOnPiece({ key }, target) {
    const piece = target.closest(".v-lying")?.getAttribute("data-piece");
    if (!piece || hand.held) return false;
    if (key === "Enter" || key === " ") take(target);
    else if (key === "Delete" || key === "Backspace") hand.lift(Number(piece));
    else return false;
    return true;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Element} target
   */
  function keyInHand({ key }, target) {
    // If letter keys are switched off, they still work while a board has the focus (WCAG 2.1.4 allows it).
    const act = lettersWork() || key.length > 1 || target.closest(".v-board") ? acts[key.toLowerCase()] : undefined;
    const onBoard = target === document.body || target.closest(".v-board");
    if (!hand.held) return false;
    if (act) act();
    else if (STEPS[key]) hand.step(...STEPS[key]);
    else if ((key === "Enter" || key === " ") && onBoard) hand.lay();
    else return false;
    return true;
  }
}
