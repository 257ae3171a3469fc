/** Tips for new players. The module that draws them is loaded when they are first shown. */

import { canTouch } from "../views/page.js";
import { tips } from "./wish.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {{icon: Node | null, says: string}} Lesson
 * @typedef {{now: string, lessons: Lesson[]}} Taught  `now`: what the player may do now; `lessons`: useful facts about it.
 * @typedef {(state: PageState, page: Page) => Taught | null} Teacher
 */

/** The module that draws the tips, or null until it is loaded. @type {typeof import("./card.js") | null} */
let card = null;
/** The game's own teacher, or null if it has none. @type {Teacher | null} */
let teacher = null;

/**
 * Return whether to show tips: if they are switched on, or, before the first move, as an offer to a player on this page.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function isShown({ snapshot, ...state }, page) {
  if (!snapshot?.game) return false;
  return tips() === "on" || (tips() === "unasked" && !snapshot.game.decisions && canTouch({ snapshot, ...state }, page));
}

/** Load the tips as soon as they are to be shown. @param {Page} page */
export function followTips(page) {
  let asked = false;
  page.store.subscribe(async (state) => {
    if (asked || !isShown(state, page)) return;
    asked = true;
    const parts = await page.games.partsOf(state.snapshot?.game?.name ?? "");
    [card, teacher] = await Promise.all([import("./card.js"), parts.teacher?.() ?? null]);
    page.store.set({});
  });
}

/**
 * Return the card with tips, or nothing while it is hidden or not loaded yet.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function tipsView(state, page) {
  return card && isShown(state, page) ? card.cardOf(teacher, state, page) : [];
}

/**
 * Return the values on which the card with tips depends.
 *
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {PageState} state
 */
export function tipsNeeds({ game, phase, number }, { me, link }) {
  return [tips(), Boolean(card), me.can_touch, link === "over", tips() === "on" ? [phase, number] : game?.decisions];
}
