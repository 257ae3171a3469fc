/** The analysis of a game: the curve of the winning chance, and the turning points with the quilts as they stood. */

import { fill, html } from "../../dom.js";
import { chart } from "../../games/chart.js";
import { ask } from "../../setup/asking.js";
import { canTouch } from "../../views/page.js";
import "./texts.js";

/** How often the progress is asked for. */
const EVERY_MS = 1000;

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {{number: number, seat: number, says: string}} Turning
 * @typedef {{done: number, of: number, chances: [number, number][], turning: Turning[], lost: number[]}} Analysis
 */

/**
 * Return a place for the analysis of a game, with a button that begins it; null for readers who may not.
 *
 * @param {number} game
 * @param {readonly string[]} players
 * @param {(decision: number) => void} go  Shows the quilts before a decision.
 * @param {Page} page
 */
export function analysisRoom(game, players, go, page) {
  if (!canTouch(page.state(), page)) return null;
  const room = html("section.analysis", { "aria-live": "polite" });
  const begin = () => follow(game, players, go, room, page);
  fill(room, html("button.plain", { type: "button", "data-key": "analyse", onclick: begin }, page.say("analysis.begin")));
  return room;
}

/**
 * Ask for the analysis until it is complete, and show how far it is.
 *
 * @param {number} game
 * @param {readonly string[]} players
 * @param {(decision: number) => void} go
 * @param {HTMLElement} room
 * @param {Page} page
 */
async function follow(game, players, go, room, page) {
  const bar = html("progress", { max: 1, value: 0, "aria-label": page.say("analysis.runs") });
  fill(room, html("p", { role: "status" }, page.say("analysis.runs"), " ", bar));
  while (room.isConnected) {
    const answer = await ask(`/api/games/${game}/analysis`, page);
    if (!answer.ok) return fill(room, html("p.refused", { role: "alert" }, answer.error ?? ""));
    const analysis = /** @type {Analysis} */ (/** @type {unknown} */ (answer));
    if (analysis.done === analysis.of) return fill(room, ...shown(analysis, players, go, page));
    /** @type {HTMLProgressElement} */ (bar).value = analysis.done / analysis.of;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

/**
 * @param {Analysis} analysis
 * @param {readonly string[]} players
 * @param {(decision: number) => void} go
 * @param {Page} page
 */
function shown({ chances, turning, lost, of }, players, go, { say, language, ...page }) {
  const lines = players.map((name, index) => ({ seat: index + 1, name, points: chances.map(([number, chance]) => /** @type {[number, number]} */ ([number, index ? 100 - chance : chance])) }));
  const marks = turning.map(({ number }) => number);
  const curve = chart({ title: say("analysis.chance"), says: say("analysis.chance"), lines, across: [0, of], axis: say("analysis.axis"), marks }, { say, language, ...page });
  const points = turning.map(({ number, says }) =>
    html("li", {}, html("button.plain", { type: "button", "data-key": `turning-${number}`, onclick: () => go(number) }, language.digits(number)), " ", html("span", { dir: "auto" }, says)),
  );
  return [
    html("div.charts", {}, curve),
    html("h3.section-title", {}, say("analysis.turning")),
    points.length ? html("ol.analysis-points", {}, ...points) : html("p", {}, say("analysis.none")),
    html("p", {}, ...lost.map((percent, index) => html("span", {}, say("analysis.lost", { name: players[index], percent }), " "))),
  ];
}
