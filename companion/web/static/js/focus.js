/** Keeps the keyboard focus on the page when the focused element is removed. */

/** Where the focus goes: the buttons of a question or complaint when one appears, else the first visible match of `GOES_ON`. */
const DOUBTS = "#doubt button, #offers .option";
const GOES_ON = ['[data-key="confirm"]', "#doubt button", "#turn"];

/**
 * Draw, then move the focus if its element was removed: to the same button elsewhere, to the first answer of a new question,
 * or else to the confirm button.
 *
 * @param {() => void} draw
 */
export function keepingFocus(draw) {
  const before = document.activeElement;
  const key = before?.closest(".game")?.id && before?.getAttribute("data-key");
  const had = before !== document.body && before?.closest(".game");
  const asked = document.querySelector(DOUBTS);
  draw();
  if (!had || (document.activeElement && document.activeElement !== document.body)) return;
  const same = key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  const question = asked ? null : document.querySelector(DOUBTS);
  const goal = [same, question, ...GOES_ON.map((selector) => document.querySelector(selector))].find(isSeen);
  if (!goal) return;
  if (!goal.matches("button, a, input, [tabindex]")) goal.setAttribute("tabindex", "-1");
  /** @type {HTMLElement} */ (goal).focus({ preventScroll: true });
}

/** @param {Element | null} element */
function isSeen(element) {
  return Boolean(element?.getClientRects().length);
}
