/** One view after the other in one place: what comes late, of a view that was left meanwhile, is not shown. */

import { fill } from "../dom.js";

/** What was wanted last, by its place. @type {WeakMap<Element, object>} */
const wanted = new WeakMap();

/**
 * Fills the place; once another view was wanted there it does nothing and returns false.
 *
 * @typedef {(...children: import("../dom.js").Child[]) => boolean} Show
 */

/**
 * To be called when a view is wanted, not when it has come.
 *
 * @param {Element} room
 * @returns {Show}
 */
export function showIn(room) {
  const mine = {};
  wanted.set(room, mine);
  return (...children) => {
    const isWanted = wanted.get(room) === mine;
    if (isWanted) fill(room, ...children);
    return isWanted;
  };
}
