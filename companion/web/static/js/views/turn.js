/** The table before a game, and during a game what it is doing or waiting for. */

import { html } from "../dom.js";
import { canSetUp } from "./page.js";

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
  const begins = state.snapshot && canSetUp(state, page);
  const says = state.snapshot?.table.waiting_for;
  // The table was never reached, so nothing is known of it.
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
 * Return a note that no picture comes: the camera is still starting, or it has failed.
 *
 * @param {Snapshot} snapshot
 * @param {Page} page
 */
function noPicture({ table }, { say, state }) {
  if (!table.awaited) return html("p.activity.trouble", {}, say(state().virtual ? "table.no-picture" : "table.no-camera"));
  return html("p.activity.looking.awaited", {}, html("span.needle", { "aria-hidden": "true" }), say("table.awaited"));
}

/**
 * Return what the table is doing or waiting for.
 *
 * @param {Snapshot} snapshot
 * @param {string} says  What it is waiting for; "" if that is obvious.
 * @param {Page} page
 */
export function activity(snapshot, says, page) {
  if (!snapshot.table.camera) return noPicture(snapshot, page);
  if (snapshot.phase === "looking") return html("p.activity.looking", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.looking"));
  return says ? html("p.activity", { dir: "auto" }, says) : null;
}
