/** Keeps the keyboard's focus on the page when what had it goes away. */

/** Where the keyboard goes on, by what came or went; the first that is there. */
const DOUBTS = "#doubt button, #offers .option";
const GOES_ON = ['[data-key="confirm"]', "#doubt button", "#turn"];

/**
 * Draw, and give the focus to what takes the place of what had it: the same button elsewhere, a question's first answer,
 * after it the push-button that goes on.
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
