/** The round, its phase, and whose turn it is. */

import { html } from "../dom.js";
import { rosetteIcon } from "../icons.js";
import { noPicture } from "../views/turn.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

const PHASES = ["scraps", "pencils", "colouring"];

/**
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
    html("div.turn-line", {}, html("span.seat-dot", { "data-seat": table.turn }), html("h2.turn-name", { id: "turn-title" }, page.say("turn.whose", { name: mover?.name ?? "" }))),
    phases(table, page),
    activity(snapshot, table, page),
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

/**
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {import("./contract.js").Kvilt} table
 * @param {Page} page
 */
function activity(snapshot, table, page) {
  if (!snapshot.table.camera) return noPicture(snapshot, page);
  if (snapshot.phase === "looking") return html("p.activity.looking", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.looking"));
  return table.choice && !snapshot.complaint ? html("p.activity", { dir: "auto" }, table.choice.says) : null;
}
