/** Views that replace each other in one element. Content that arrives after its view was left is not shown. */

import { fill } from "../dom.js";

/** The last requested view of each element. @type {WeakMap<Element, object>} */
const wanted = new WeakMap();

/**
 * Fills the element; does nothing and returns false if another view was requested there since.
 *
 * @typedef {(...children: import("../dom.js").Child[]) => boolean} Show
 */

/**
 * Request a view of an element. Call it when the user asks for the view, not when its content arrives.
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
