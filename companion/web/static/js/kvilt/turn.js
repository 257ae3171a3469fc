/** The round, its phase and whose turn it is. */

import { html } from "../dom.js";
import { rosetteIcon, seatIcon } from "../icons.js";
import { nowLine } from "../views/turn.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

const PHASES = ["scraps", "pencils", "colouring"];

/**
 * Return the line that says whose turn it is, with the phases of the round.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function turnView({ snapshot }, page) {
  const table = snapshot?.kvilt;
  if (!table) return [];
  if (table.result) {
    return [html("div.turn-line", {}, rosetteIcon(), html("h2.turn-name", { id: "turn-title", dir: "auto" }, table.result.says))];
  }
  const mover = table.seats.find(({ seat }) => seat === table.turn);
  return [
    html("div.turn-line", {}, table.turn ? seatIcon(table.turn) : null, html("h2.turn-name", { id: "turn-title" }, page.say("turn.whose", { name: mover?.name ?? "" }))),
    phases(table, page),
    nowLine(snapshot, table.complaint?.says ?? table.choice?.says ?? "", page),
  ];
}

/**
 * @param {import("./contract.js").Kvilt} table
 * @param {Page} page
 */
function phases({ phase, round }, page) {
  const now = phase === "neutral" ? "pencils" : phase;
  const steps = (now === "counting" ? ["counting"] : PHASES).map((one) => html("li.phase", { "aria-current": one === now ? "step" : null }, page.say(`kvilt.phase-${one}`)));
  return html("ol.phases", { "aria-label": page.say("kvilt.round", { round }) }, html("li.round", {}, page.say("kvilt.round", { round })), ...steps);
}
