/** Whether tips for new players are wanted: by this browser's reader, or by the address, for a television has no keys. */

import { keep, remembered } from "../keeping.js";

/** @returns {"on" | "off" | "unasked"} */
export function tips() {
  const asked = location.pathname === "/tv" ? new URLSearchParams(location.search).get("tips") : null;
  const stored = asked ?? remembered("tips");
  return stored === "on" || stored === "off" ? stored : "unasked";
}

/**
 * @param {"on" | "off"} wish
 * @param {import("../views/page.js").Page} page
 */
export function setTips(wish, page) {
  keep("tips", wish);
  page.store.set({});
}
