/** The table's push-buttons, and what else who has the key can do. */

import { html } from "../dom.js";
import { openSheet } from "../sheets.js";
import { twinsOf } from "../twins.js";
import { canSetUp, canTouch } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/**
 * @param {PageState} state
 * @param {Page} page
 */
export function controlsView(state, page) {
  if (!canTouch(state, page) || !state.snapshot?.game) return [];
  const asked = state.snapshot.phase === "question";
  return [said(state), asked ? null : pushButtons(state, page)];
}

/** @param {PageState} state */
function said({ said: answer }) {
  return answer && html(`p.said${answer.refused ? ".refused" : ""}`, { role: answer.refused ? "alert" : "status", dir: "auto" }, answer.text);
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function pushButtons(state, page) {
  const { turn, phase, game } = /** @type {import("../contract.js").Snapshot} */ (state.snapshot);
  const advance = turn?.advance;
  const finished = phase === "finished";
  const gain = advance ? page.say("press.advance-gain", { count: advance.buttons + advance.income }) : page.say("press.advance-not");
  return html(
    "div.push-buttons",
    { role: "group", "aria-label": page.say("press.group") },
    push("undo", page.say(phase === "looking" ? "press.undo-look" : "press.undo-last"), !game?.decisions && phase !== "looking", state, page),
    push("advance", gain, !advance || finished, state, page),
    push("confirm", page.say(turn?.must === "leather" ? "press.confirm-leather" : "press.confirm-look"), finished, state, page),
  );
}

/**
 * One push-button. What cannot be pressed now stays in the keyboard's reach and says so.
 *
 * @param {"confirm" | "advance" | "undo"} button
 * @param {string} sense
 * @param {boolean} idle
 * @param {PageState} state
 * @param {Page} page
 */
function push(button, sense, idle, state, page) {
  const press = () => !idle && !page.state().busy && page.commands.press(button);
  return html(
    `button.push.push-${button}`,
    { type: "button", "data-key": button, "aria-disabled": idle || null, "aria-busy": state.busy === button || null, onclick: press },
    html("span.push-name", {}, page.say(`press.${button}`)),
    html("span.push-sense", {}, sense),
  );
}

/**
 * What is wanted seldom: it stands apart from the push-buttons.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function handView(state, page) {
  if (!canTouch(state, page) || !state.snapshot) return [];
  if (!state.snapshot.game) return [calibrateLink(state, page)];
  const playing = Boolean(state.snapshot.turn?.seat);
  return [
    playing && link("correct", page.say("hand.correct"), () => openSheet("correct", page)),
    twinsOf(state).length > 0 && link("name", page.say("hand.name"), () => openSheet("name", page)),
    link("invite", page.say("hand.invite"), () => openSheet("invite", page)),
    setUpLink(state, page),
    calibrateLink(state, page),
  ];
}

/**
 * Empty boards are needed: before the first move, or after the end.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function calibrateLink({ me, snapshot }, page) {
  const empty = !snapshot?.game?.decisions || Boolean(snapshot.result);
  return Boolean(me.calibrates) && empty && link("calibrate", page.say("hand.calibrate"), () => openSheet("calibrate", page));
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function setUpLink(state, page) {
  const fresh = !state.snapshot?.game?.decisions;
  return canSetUp(state, page) && link("setup", page.say(fresh ? "hand.setup" : "hand.new-game"), () => openSheet("setup", page));
}

/**
 * @param {string} key
 * @param {string} text
 * @param {() => void} act
 */
function link(key, text, act) {
  return html("button.plain", { type: "button", "data-key": key, onclick: act }, text);
}
