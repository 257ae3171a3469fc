/** The switch of tips for new players: stored in the browser; a television takes it from the address, as it has no keyboard. */

import { keep, remembered } from "../keeping.js";

/** Return whether tips are on, off, or not chosen yet. @returns {"on" | "off" | "unasked"} */
export function tips() {
  const asked = location.pathname === "/tv" ? new URLSearchParams(location.search).get("tips") : null;
  const stored = asked ?? remembered("tips");
  return stored === "on" || stored === "off" ? stored : "unasked";
}

/**
 * Switch tips on or off in this browser and redraw.
 *
 * @param {"on" | "off"} wish
 * @param {import("../views/page.js").Page} page
 */
export function setTips(wish, page) {
  keep("tips", wish);
  page.store.set({});
}
