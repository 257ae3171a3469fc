/** The table before a game, and during a game what it is doing or waiting for. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import "../setup/texts.js";
import "./friend.js";
import { canSetUp } from "./page.js";
import { plainly, withCodes } from "./story.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 * @typedef {import("../contract.js").Snapshot} Snapshot
 */

/**
 * Return the view before a game, with a button to set one up for readers who may.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function waitingView(state, page) {
  const { interrupted, waiting_for: says } = state.snapshot?.table ?? {};
  // A room of the home that says nothing yet opens its game by itself.
  const opens = state.snapshot?.room && !says && !interrupted;
  const begins = state.snapshot && !opens && canSetUp(state, page);
  const friend = state.snapshot?.friend;
  if (begins && interrupted) return interruptedView(interrupted, page);
  // The table was never reached, so nothing is known of it.
  const away = !state.snapshot && state.link === "lost";
  const setUp = () => page.openSheet("setup");
  return [
    html("img.turn-block", { src: "/static/icon.svg", alt: "", width: 120, height: 120 }),
    html("h2.turn-name", { id: "turn-title" }, page.say(away ? "turn.away" : friend ? "friend.waiting" : "turn.nobody")),
    friend ? html("p.friend-code-large", {}, ...withCodes(friend.code)) : null,
    says ? html("p.turn-why.turn-awaits", { dir: "auto" }, ...withCodes(says)) : html("p.turn-why", {}, page.say(away ? "turn.away-why" : begins ? "turn.wait-begin" : "turn.wait")),
    begins && friend ? html("button.plain", { type: "button", "data-key": "setup", onclick: setUp }, page.say("hand.new-game")) : null,
    begins && !friend && html("button.push.push-confirm.turn-begin", { type: "button", "data-key": "setup", onclick: setUp }, html("span.push-name", {}, page.say("hand.setup"))),
  ];
}

/**
 * Return the offer to resume the interrupted game, which the terminal makes, too.
 *
 * @param {import("../contract.js").Interrupted} game
 * @param {Page} page
 */
function interruptedView({ id, game, players, decisions, damaged }, page) {
  const { say, games } = page;
  const refused = html("p.refused", { role: "alert" });
  const begin = () => page.openSheet("setup");
  const resume = async () => {
    resuming.ariaBusy = "true";
    const answer = await ask("/api/setup/resume", page, { game: id, leave: false });
    resuming.ariaBusy = null;
    fill(refused, answer.error ?? "");
  };
  const resuming = html("button.push.push-confirm.turn-begin", { type: "button", "data-key": "resume", onclick: resume }, html("span.push-name", {}, say("setup.go-on")));
  return [
    html("img.turn-block", { src: "/static/icon.svg", alt: "", width: 120, height: 120 }),
    html("h2.turn-name", { id: "turn-title" }, say(damaged ? "turn.damaged" : "turn.interrupted")),
    html("p.turn-why", {}, `${games.titleOf(game)}: ${players.join(say("list.comma"))} · ${say(damaged ? "turn.whole" : "games.cut-off", { count: decisions })}`),
    resuming,
    html("button.plain", { type: "button", "data-key": "setup", onclick: begin }, say("hand.new-game")),
    refused,
  ];
}

/**
 * Return a note that no picture comes: the camera is still starting, or it has failed.
 *
 * @param {Snapshot} snapshot
 * @param {Page} page
 */
function noPicture({ table }, { say, state }) {
  if (!table.awaited) return html("p.now.trouble", {}, say(state().virtual ? "table.no-picture" : state().me.phone_camera ? "table.no-phone" : "table.no-camera"));
  return html("p.now.looking.awaited", {}, html("span.needle", { "aria-hidden": "true" }), say("table.awaited"));
}

/** The kind of line for each phase in which players are asked or told something. @type {Record<string, string>} */
const KINDS = { question: ".of-question", foreseen: ".of-question", complaint: ".of-complaint" };

/**
 * Return the one line that says what is to be done now. On a phone with push-buttons, `doubtLine` shows it beside them if it is
 * about a doubt.
 *
 * @param {Snapshot} snapshot
 * @param {string} says  The server's sentence; "" if there is nothing to do. What a friend asks for comes before it.
 * @param {Page} page
 */
export function nowLine(snapshot, says, page) {
  const kind = KINDS[snapshot.phase] ?? "";
  const { table: { camera, awaited }, friend } = snapshot;
  if (friend?.wish && !kind) return html("p.now.of-question", {}, page.say("friend.asks", { name: friend.name, count: friend.wish }));
  // A question can be answered without a picture.
  if (!camera && (!kind || (!awaited && snapshot.phase !== "question"))) return noPicture(snapshot, page);
  if (snapshot.phase === "looking") return html("p.now.looking", { dir: "auto" }, html("span.needle", { "aria-hidden": "true" }), says || page.say("table.looking"));
  return says ? html(`p.now${kind}`, { dir: "auto" }, plainly(says)) : null;
}
