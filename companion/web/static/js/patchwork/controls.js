/** The controls of Patchwork for readers with the table's key. */

import { answered, doubtLine, handView, link, pushButtons, undoing } from "../views/controls.js";
import { canTouch } from "../views/page.js";
import { twinsOf } from "./shapes.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

/**
 * Return the push-buttons for readers with the table's key, and the answer to the last press.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function controlsView(state, page) {
  const { snapshot } = state;
  if (!canTouch(state, page) || !snapshot?.patchwork) return [];
  const { phase, patchwork: { turn, complaint } } = snapshot;
  const { advance } = turn;
  const gain = advance ? page.say("press.advance-gain", { count: advance.buttons + advance.income }) : page.say("press.advance-not");
  const does = {
    undo: undoing(state, page),
    advance: { sense: gain, idle: !advance || phase === "finished" },
    confirm: { sense: page.say(turn.must === "leather" ? "press.confirm-leather" : "press.confirm-look"), idle: phase === "finished" },
  };
  return [doubtLine(state, page), phase === "question" ? null : pushButtons(does, state, page), answered(state.said, complaint?.says)];
}

/**
 * Return the controls that are used rarely, including those to correct and to rename a placement.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function moreView(state, page) {
  const sheet = (/** @type {() => Promise<{openSheet: (page: Page) => unknown}>} */ load) => async () => (await load()).openSheet(page);
  return handView(
    state,
    page,
    Boolean(state.snapshot?.patchwork?.turn.seat) && link("correct", page.say("hand.correct"), sheet(() => import("./correcting.js"))),
    twinsOf(state).length > 0 && link("name", page.say("hand.name"), sheet(() => import("./naming.js"))),
  );
}
