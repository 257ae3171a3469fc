/** Whether tips for new players are wanted. */

import { keep, remembered } from "../keeping.js";

/** @returns {"on" | "off" | "unasked"} */
export function tips() {
  const kept = remembered("tips");
  return kept === "on" || kept === "off" ? kept : "unasked";
}

/**
 * @param {"on" | "off"} wish
 * @param {import("../views/page.js").Page} page
 */
export function setTips(wish, page) {
  keep("tips", wish);
  page.store.set({});
}
