/** Roving tabindex: a row of buttons is one tab stop, and the arrow keys, Home and End move within it. */

/**
 * Let the arrow keys move between the elements that match `selector`. Call it once for each `room`.
 *
 * @param {HTMLElement} room
 * @param {string} selector
 */
export function roveIn(room, selector) {
  room.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = /** @type {HTMLElement[]} */ ([...room.querySelectorAll(selector)]);
    const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
    const goal = at < 0 ? undefined : all[placeAfter(event.key, at, all.length, getComputedStyle(room).direction)];
    if (!goal) return;
    event.preventDefault();
    // At a virtual table the same key would also move the patch in hand.
    event.stopPropagation();
    goal.focus();
  });
  room.addEventListener("focusin", () => rest(room, selector));
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @param {string} direction  "ltr" or "rtl".
 */
function placeAfter(key, at, count, direction) {
  const onward = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === onward || key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === back || key === "ArrowUp") return Math.max(at - 1, 0);
  return -1;
}

/**
 * Make one element the tab stop: the focused one, or the last one that was, or else the first.
 *
 * @param {HTMLElement} room
 * @param {string} selector
 */
export function rest(room, selector) {
  const all = /** @type {HTMLElement[]} */ ([...room.querySelectorAll(selector)]);
  const last = room.dataset.at ?? "";
  const stop = all.find((one) => one === document.activeElement) ?? all.find((one) => one.dataset.key === last) ?? all[0];
  for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  if (stop) room.dataset.at = stop.dataset.key ?? "";
}
