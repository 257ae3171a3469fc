/** The table before a game, and what it waits for or does in one. */

import { html } from "../dom.js";
import { canSetUp } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 * @typedef {import("../contract.js").Snapshot} Snapshot
 */

/**
 * No game yet: who may begin one finds here how.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function waitingView(state, page) {
  const begins = state.snapshot && canSetUp(state, page);
  const says = state.snapshot?.table.waiting_for;
  // Nothing is known of a table that was never reached.
  const away = !state.snapshot && state.link === "lost";
  const setUp = () => page.openSheet("setup");
  return [
    html("img.turn-block", { src: "/static/icon.svg", alt: "", width: 120, height: 120 }),
    html("h2.turn-name", { id: "turn-title" }, page.say(away ? "turn.away" : "turn.nobody")),
    says ? html("p.turn-why.turn-awaits", { dir: "auto" }, says) : html("p.turn-why", {}, page.say(away ? "turn.away-why" : begins ? "turn.wait-begin" : "turn.wait")),
    begins && html("button.push.push-confirm.turn-begin", { type: "button", "data-key": "setup", onclick: setUp }, html("span.push-name", {}, page.say("hand.setup"))),
  ];
}

/**
 * A camera that has just been opened is waited for; one that falls silent is told of.
 *
 * @param {Snapshot} snapshot
 * @param {Page} page
 */
function noPicture({ table }, { say, state }) {
  if (!table.awaited) return html("p.activity.trouble", {}, say(state().virtual ? "table.no-picture" : "table.no-camera"));
  return html("p.activity.looking.awaited", {}, html("span.needle", { "aria-hidden": "true" }), say("table.awaited"));
}

/**
 * What the table waits for, or does.
 *
 * @param {Snapshot} snapshot
 * @param {string} says  What it waits for; empty where that goes without saying.
 * @param {Page} page
 */
export function activity(snapshot, says, page) {
  if (!snapshot.table.camera) return noPicture(snapshot, page);
  if (snapshot.phase === "looking") return html("p.activity.looking", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.looking"));
  return says ? html("p.activity", { dir: "auto" }, says) : null;
}
