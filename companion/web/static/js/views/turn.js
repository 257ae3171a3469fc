/** Whose turn it is, and why. */

import { html } from "../dom.js";
import { rosetteIcon, seatIcon } from "../icons.js";
import { openSheet } from "../sheets.js";
import { canSetUp, nameOf, seatOf } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/**
 * @param {PageState} state
 * @param {Page} page
 * @returns {(Node | null | false)[]}
 */
export function turnView(state, page) {
  const { snapshot } = state;
  if (!snapshot?.turn || !snapshot.game) return waiting(state, page);
  if (snapshot.result) return ended(snapshot.result, state, page);
  const { seat, must } = snapshot.turn;
  return [
    html(
      "div.turn-line",
      {},
      seat ? seatIcon(seat) : null,
      html("h2.turn-name", { id: "turn-title" }, page.say(must === "leather" ? "turn.leather" : "turn.whose", { name: nameOf(state, seat) })),
    ),
    html("p.turn-why", {}, why(state, page)),
    activity(snapshot, page),
  ];
}

/**
 * No game yet: who may begin one finds here how.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function waiting(state, page) {
  const begins = state.snapshot && canSetUp(state, page);
  const says = state.snapshot?.table.waiting_for;
  const setUp = () => openSheet("setup", page);
  return [
    html("img.turn-block", { src: "/static/icon.svg", alt: "", width: 120, height: 120 }),
    html("h2.turn-name", { id: "turn-title" }, page.say("turn.nobody")),
    says ? html("p.turn-why.turn-awaits", { dir: "auto" }, says) : html("p.turn-why", {}, page.say(begins ? "turn.wait-begin" : "turn.wait")),
    begins && html("button.push.push-confirm.turn-begin", { type: "button", "data-key": "setup", onclick: setUp }, html("span.push-name", {}, page.say("hand.setup"))),
  ];
}

/**
 * @param {import("../contract.js").Result} result
 * @param {PageState} state
 * @param {Page} page
 */
function ended(result, state, page) {
  const totals = [...result.sheet].sort((one, other) => Number(other.seat === result.winner) - Number(one.seat === result.winner));
  const values = { name: nameOf(state, result.winner), won: totals[0].total, lost: totals[1].total };
  return [
    html("div.turn-line", {}, rosetteIcon(), html("h2.turn-name", { id: "turn-title" }, page.say(result.tie ? "end.tie" : "end.wins", values))),
    html("p.turn-why", {}, page.say(result.tie ? "end.tie-score" : "end.score", values)),
  ];
}

/**
 * Why it is this player's turn: by the tokens.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function why(state, page) {
  const { snapshot } = state;
  const mover = seatOf(state, snapshot?.turn?.seat ?? null);
  const other = snapshot?.seats.find(({ seat }) => seat !== mover?.seat);
  if (!snapshot || !mover || !other) return "";
  const values = { name: mover.name, other: other.name, mine: mover.time, theirs: other.time };
  if (snapshot.turn?.must === "leather") return page.say("why.leather", values);
  if (snapshot.game?.decisions === 0) return page.say("why.first", values);
  if (other.time === snapshot.track?.last_space) return page.say("why.last", values);
  return page.say(mover.time < other.time ? "why.behind" : "why.top", values);
}

/**
 * A camera that has just been opened is waited for; one that falls silent is told of.
 *
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {Page} page
 */
export function noPicture({ table }, { say }) {
  if (!table.awaited) return html("p.activity.trouble", {}, say("table.no-camera"));
  return html("p.activity.looking.awaited", {}, html("span.needle", { "aria-hidden": "true" }), say("table.awaited"));
}

/**
 * What the table waits for, or does.
 *
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {Page} page
 */
function activity(snapshot, page) {
  if (!snapshot.table.camera) return noPicture(snapshot, page);
  // It has seen the boards, then; what is said of the circle stands beside.
  if (page.state().looking && !snapshot.game?.decisions) return null;
  if (snapshot.phase === "looking") return html("p.activity.looking", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.looking"));
  return snapshot.table.waiting_for ? html("p.activity", { dir: "auto" }, snapshot.table.waiting_for) : null;
}
