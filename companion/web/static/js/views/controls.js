/** The table's push-buttons and other controls for readers with the table's key, and the form to join for those without. */

import { html } from "../dom.js";
import { canSetUp, canTouch, tableOf } from "./page.js";
import { openDoubt, plainly } from "./story.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 * @typedef {{sense: string, idle: boolean, isDue?: boolean, why?: string | false}} Push  What a push-button does now, whether it is disabled, whether it is the only one that helps, and why it is disabled, for screen readers.
 */

/**
 * Return the three push-buttons, in their order on the table.
 *
 * @param {Record<"undo" | "advance" | "confirm", Push>} does
 * @param {PageState} state
 * @param {Page} page
 */
export function pushButtons({ undo, advance, confirm }, state, page) {
  return html(
    "div.push-buttons",
    { role: "group", "aria-label": page.say("press.group") },
    push("undo", undo, state, page),
    push("advance", advance, state, page),
    push("confirm", confirm, state, page),
  );
}

/**
 * Return a push-button. A disabled one stays focusable and has `aria-disabled`.
 *
 * @param {"confirm" | "advance" | "undo"} button
 * @param {Push} does
 * @param {PageState} state
 * @param {Page} page
 */
function push(button, { sense, idle, isDue, why }, state, page) {
  const press = () => !idle && !page.state().busy && page.commands.press(button);
  return html(
    `button.push.push-${button}${isDue ? ".push-due" : ""}`,
    { type: "button", "data-key": button, "aria-disabled": idle || null, "aria-description": why || null, "aria-busy": state.busy === button || null, onclick: press },
    html("span.push-name", {}, page.say(`press.${button}`)),
    html("span.push-sense", { dir: "auto" }, sense),
  );
}

/**
 * Return what undo does in every game: stop a foreseen decision, cancel a look, or undo the last decision.
 *
 * @param {PageState} state
 * @param {Page} page
 * @returns {Push}
 */
export function undoing({ snapshot }, { say }) {
  const foreseen = tableOf(snapshot)?.foreseen;
  if (foreseen && !foreseen.undoes) return { sense: say("foreseen.stop"), idle: false };
  const looking = snapshot?.phase === "looking";
  return { sense: say(looking ? "press.undo-look" : "press.undo-last"), idle: !snapshot?.game?.decisions && !looking };
}

/**
 * Return the current question or complaint for a phone's bottom bar, which shows its first lines; a tap shows the rest of it, and
 * scrolls to what it is about.
 *
 * @param {PageState} state
 */
export function doubtLine({ snapshot }) {
  const { question, complaint, foreseen } = tableOf(snapshot) ?? {};
  const doubt = question ?? complaint ?? foreseen;
  if (!doubt) return null;
  const wrong = doubt === complaint;
  const show = (/** @type {Event} */ { currentTarget }) => {
    const line = /** @type {HTMLElement} */ (currentTarget);
    line.ariaExpanded = String(line.ariaExpanded !== "true");
    const room = document.getElementById("doubt")?.hidden === false ? "doubt" : "offers";
    document.getElementById(room)?.scrollIntoView({ block: "start" });
  };
  return html(
    `button.doubt-line.${wrong ? "of-complaint" : "of-question"}`,
    { type: "button", "data-key": "doubt-line", "aria-expanded": "false", onclick: show },
    html("span.doubt-line-says", { dir: "auto" }, plainly(doubt.says)),
  );
}

/**
 * Return the table's answer to the last command, unless it is the question or the complaint that the page shows anyway.
 *
 * @param {PageState} state
 */
export function answered({ said, snapshot }) {
  const isShown = openDoubt(snapshot)?.some(({ says }) => says === said?.text);
  const { text, refused, more } = said ?? {};
  const asks = more && html("button.plain", { type: "button", "data-key": "more", onclick: more.ask }, more.text);
  return text && !isShown ? html(`p.said${refused ? ".refused" : ""}`, { role: refused ? "alert" : "status", dir: "auto" }, plainly(text), asks && " ", asks) : null;
}

/**
 * Return the controls that are used rarely; they are apart from the push-buttons.
 *
 * @param {PageState} state
 * @param {Page} page
 * @param {...(HTMLElement | false)} own  The game's own controls.
 */
export function handView(state, page, ...own) {
  if (!canTouch(state, page) || !state.snapshot) return [];
  const guide = link("guide", page.say("hand.guide"), () => page.openSheet("guide"));
  if (!state.snapshot.game) return [calibrateLink(state, page), guide];
  return [guide, ...own, link("invite", page.say("hand.invite"), () => page.openSheet("invite")), setUpLink(state, page), calibrateLink(state, page)];
}

/**
 * Return the button to calibrate. Calibration needs empty boards, so it is offered before the first move and after the end.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function calibrateLink({ me, snapshot }, page) {
  const empty = !snapshot?.game?.decisions || snapshot.game.finished;
  return Boolean(me.calibrates) && empty && link("calibrate", page.say("hand.calibrate"), () => page.openSheet("calibrate"));
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function setUpLink(state, page) {
  const fresh = !state.snapshot?.game?.decisions;
  return canSetUp(state, page) && link("setup", page.say(fresh ? "hand.setup" : "hand.new-game"), () => page.openSheet("setup"));
}

/**
 * Return a plain button that performs an action.
 *
 * @param {string} key
 * @param {string} text
 * @param {() => void} act
 */
export function link(key, text, act) {
  return html("button.plain", { type: "button", "data-key": key, onclick: act }, text);
}

/**
 * Return the buttons after the end of a game: play again, and share a picture.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function afterwards(state, page) {
  const again = () => page.openSheet("setup");
  return [
    canSetUp(state, page) && html("button.push.push-confirm.again", { type: "button", "data-key": "again", onclick: again }, html("span.push-name", {}, page.say("end.again"))),
    page.view !== "tv" && html("p.share-line", {}, link("share", page.say("share.title"), () => page.openSheet("share"))),
  ];
}

/**
 * Return the form for the code that the TV or the terminal shows.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function joinView(state, page) {
  if (page.view !== "board" || state.me.can_touch || !state.snapshot) return [];
  const refused = new URLSearchParams(location.search).get("join") === "refused";
  // After a refusal the form moves above the game, where the reader finds it.
  if (refused) document.getElementById("game")?.before(document.getElementById("join") ?? "");
  return [
    html(
      "form.join",
      { action: "/join", method: "get" },
      html("label", { for: "join-code" }, page.say("join.label")),
      html("input", { id: "join-code", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", size: 8, maxlength: 12, dir: "ltr", "aria-describedby": refused ? "join-refused" : null }),
      html("button.plain", { type: "submit" }, page.say("join.send")),
    ),
    refused ? html("p.refused", { id: "join-refused", role: "alert" }, page.say("join.refused")) : null,
  ];
}
