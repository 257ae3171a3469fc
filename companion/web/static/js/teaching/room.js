/** Tips for new players: the place where they stand. What draws them comes when they are wanted. */

import { canTouch } from "../views/page.js";
import { tips } from "./wish.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {{icon: Node | null, says: string}} Lesson
 * @typedef {{now: string, lessons: Lesson[]}} Taught  What may be done now, and what is worth knowing about it.
 * @typedef {(state: PageState, page: Page) => Taught | null} Teacher
 */

/** What draws the tips, once it has come. @type {typeof import("./card.js") | null} */
let card = null;
/** The game's own teacher; null where it has none. @type {Teacher | null} */
let teacher = null;

/**
 * Tips are drawn for whoever wants them; before the first move they are offered to whoever plays here.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function isShown({ snapshot, ...state }, page) {
  if (!snapshot?.game) return false;
  return tips() === "on" || (tips() === "unasked" && !snapshot.game.decisions && canTouch({ snapshot, ...state }, page));
}

/** @param {Page} page */
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
 * @param {PageState} state
 * @param {Page} page
 */
export function tipsView(state, page) {
  return card && isShown(state, page) ? card.cardOf(teacher, state, page) : [];
}

/**
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {PageState} state
 */
export function tipsNeeds({ game, phase, number }, { me, link }) {
  return [tips(), Boolean(card), me.can_touch, link === "over", tips() === "on" ? [phase, number] : game?.decisions];
}
