/** The controls of Patchwork for readers with the table's key. */

import { answered, doubtLine, handView, link, pushButtons, undoing } from "../views/controls.js";
import { canPush } from "../views/page.js";
import { twinsOf } from "./shapes.js";
import { NONE_SHOWN } from "./doubt.js";
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
  if (!canPush(state, page) || !snapshot?.patchwork) return [];
  const { question } = snapshot.patchwork;
  const pushed = question ? answering(question, page) : moving(snapshot.patchwork, state, page);
  return [doubtLine(state), pushButtons(pushed, state, page), answered(state)];
}

/**
 * Return what the push-buttons do while a question is open.
 *
 * @param {import("../contract.js").Question} question
 * @param {Page} page
 * @returns {Record<"undo" | "advance" | "confirm", import("../views/controls.js").Push>}
 */
function answering({ choice, options, none_first: noneFirst }, { say }) {
  const taken = choice === NONE_SHOWN ? say("question.none") : say("press.confirm-answer", { number: choice + 1, last: options.length });
  return {
    undo: { sense: say("question.none"), idle: false },
    advance: { sense: say("press.advance-answer"), idle: options.length < 2 && !noneFirst },
    confirm: { sense: taken, idle: false },
  };
}

/**
 * Return what the push-buttons do on a turn.
 *
 * @param {import("../contract.js").Patchwork} table
 * @param {PageState} state
 * @param {Page} page
 * @returns {Record<"undo" | "advance" | "confirm", import("../views/controls.js").Push>}
 */
function moving({ turn: { advance, must, can_buy: canBuy, elsewhere }, proposed, complaint }, state, page) {
  const isOver = state.snapshot?.phase === "finished";
  const mayAdvance = advance && !isOver && !elsewhere;
  // What the robot or a friend has decided is carried out; a complaint about the boards can be put aside before that, too.
  const mayConfirm = !isOver && (!elsewhere || Boolean(proposed ?? complaint));
  const why = elsewhere && state.snapshot?.table.waiting_for;
  const not = page.say("press.advance-not");
  return {
    undo: undoing(state, page),
    advance: { sense: mayAdvance ? page.say("press.advance-gain", { count: advance.buttons + advance.income }) : not, idle: !mayAdvance, isDue: must === "choose" && !canBuy && !elsewhere, why },
    confirm: { sense: mayConfirm ? page.say(must === "leather" ? "press.confirm-leather" : "press.confirm-look") : not, idle: !mayConfirm, why: !mayConfirm && why },
  };
}

/**
 * Return the controls that are used rarely, including those to correct and to rename a placement.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function moreView(state, page) {
  const sheet = (/** @type {() => Promise<{openSheet: (page: Page) => unknown}>} */ load) => async () => (await load()).openSheet(page);
  const [last, twin] = twinsOf(state).map(({ id }) => page.say(`patch.${id}`));
  return handView(
    state,
    page,
    Boolean(state.snapshot?.patchwork?.turn.seat && state.snapshot.patchwork.market_known) && link("hint", page.say("hint.ask"), async () => (await import("./hinting.js")).showHint(page)),
    Boolean(state.snapshot?.patchwork?.turn.seat) && link("correct", page.say("hand.correct"), sheet(() => import("./correcting.js"))),
    Boolean(twin) && link("name", page.say("hand.name", { patch: twin, other: last }), sheet(() => import("./naming.js"))),
  );
}
