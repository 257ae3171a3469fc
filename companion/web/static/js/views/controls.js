/** The table's push-buttons, and what else who has the key can do; the way in for who has none. */

import { html } from "../dom.js";
import { canSetUp, canTouch } from "./page.js";
import { plainly } from "./story.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 * @typedef {{sense: string, idle: boolean}} Push  What a push-button does now, and whether it does nothing.
 */

/**
 * The three push-buttons, in the order in which they lie on the table.
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
 * One push-button. What cannot be pressed now stays in the keyboard's reach and says so.
 *
 * @param {"confirm" | "advance" | "undo"} button
 * @param {Push} does
 * @param {PageState} state
 * @param {Page} page
 */
function push(button, { sense, idle }, state, page) {
  const press = () => !idle && !page.state().busy && page.commands.press(button);
  return html(
    `button.push.push-${button}`,
    { type: "button", "data-key": button, "aria-disabled": idle || null, "aria-busy": state.busy === button || null, onclick: press },
    html("span.push-name", {}, page.say(`press.${button}`)),
    html("span.push-sense", { dir: "auto" }, sense),
  );
}

/**
 * What undo does at every table: it calls a look off, stops what is about to be taken, or takes the last decision back.
 *
 * @param {PageState} state
 * @param {Page} page
 * @returns {Push}
 */
export function undoing({ snapshot }, { say }) {
  if (snapshot?.foreseen && !snapshot.foreseen.undoes) return { sense: say("foreseen.stop"), idle: false };
  const looking = snapshot?.phase === "looking";
  return { sense: say(looking ? "press.undo-look" : "press.undo-last"), idle: !snapshot?.game?.decisions && !looking };
}

/**
 * In the bar of a phone, a word of what the page says further up; tapped, it leads there.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function doubtLine({ snapshot }, { say }) {
  const { question, complaint, foreseen } = snapshot ?? {};
  const doubt = question ?? complaint ?? foreseen;
  if (!doubt) return null;
  const wrong = doubt === complaint;
  const show = () => {
    const room = document.getElementById("doubt")?.hidden === false ? "doubt" : "offers";
    document.getElementById(room)?.scrollIntoView({ block: "start" });
  };
  return html(
    `button.doubt-line.${wrong ? "of-complaint" : "of-question"}`,
    { type: "button", "data-key": "doubt-line", onclick: show },
    html("strong", {}, say(question ? "question.title" : wrong ? "complaint.title" : foreseen?.undoes ? "foreseen.undo-title" : "foreseen.title")),
    " ",
    html("span.doubt-line-says", { dir: "auto" }, plainly(doubt.says)),
  );
}

/**
 * What the table has answered to the last command. A phone's bar tells of a complaint already.
 *
 * @param {PageState["said"]} answer
 * @param {string} [complaint]
 */
export function answered(answer, complaint) {
  return answer && html(`p.said${answer.refused ? ".refused" : ""}${answer.text === complaint ? ".of-complaint" : ""}`, { role: answer.refused ? "alert" : "status", dir: "auto" }, answer.text);
}

/**
 * What is wanted seldom: it stands apart from the push-buttons.
 *
 * @param {PageState} state
 * @param {Page} page
 * @param {...(HTMLElement | false)} own  What only this game has.
 */
export function handView(state, page, ...own) {
  if (!canTouch(state, page) || !state.snapshot) return [];
  const guide = link("guide", page.say("hand.guide"), () => page.openSheet("guide"));
  if (!state.snapshot.game) return [calibrateLink(state, page), guide];
  return [guide, ...own, link("invite", page.say("hand.invite"), () => page.openSheet("invite")), setUpLink(state, page), calibrateLink(state, page)];
}

/**
 * Empty boards are needed: before the first move, or after the end.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function calibrateLink({ me, snapshot }, page) {
  const empty = !snapshot?.game?.decisions || Boolean(snapshot.result);
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
 * @param {string} key
 * @param {string} text
 * @param {() => void} act
 */
export function link(key, text, act) {
  return html("button.plain", { type: "button", "data-key": key, onclick: act }, text);
}

/**
 * After the end: the same players may begin again, and show others what they have made.
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
 * The code that the TV or the terminal shows can be typed in.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function joinView(state, page) {
  if (page.view !== "board" || state.me.can_touch || !state.snapshot) return [];
  const refused = new URLSearchParams(location.search).get("join") === "refused";
  // Who was refused finds it above the game.
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
