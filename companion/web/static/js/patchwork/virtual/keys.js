/** Keys of the virtual table: Enter takes and lays a piece, arrows move it, R turns, F flips, B swaps boards, Esc returns it. */

import { lettersWork } from "../../keys.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Listen to the keys of the virtual table.
 *
 * @param {import("./hand.js").Hand} hand
 * @param {import("./boards.js").Boards} boards
 * @param {(target: Element) => import("./hand.js").Source | null} sourceAt
 */
export function listenToKeys(hand, boards, sourceAt) {
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
