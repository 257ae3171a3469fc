/** Dealing the circle: a few patches at a time are shown large, to be laid out around the time board. */

import { fill, html } from "../../dom.js";
import { buttonIcon, timeIcon } from "../../icons.js";
import { ask } from "../../setup/asking.js";
import { hangCloth } from "../fabrics.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import "../../setup/texts.js";
import "./texts.js";

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {{place: number, patch: string, cells: [number, number][], buttons: number, time: number, income: number}} Dealt
 * @typedef {{number: number, count: number, patches: Dealt[]}} Step
 */

/**
 * Show how to lay a circle out, step by step; without one it is shuffled on the server.
 *
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back  Shows the choices again.
 * @param {(more: {market: string[]}) => void} begin
 * @param {readonly string[]} [market]
 */
export async function dealing(room, page, back, begin, market) {
  hangCloth();
  fill(room, html("p", { role: "status" }, page.say("deal.shuffling")));
  const answer = await ask("/api/setup/deal", page, market ? { market } : {});
  if (!answer.ok) return fill(room, html("p.refused", { role: "alert" }, answer.error ?? ""), backButton(page, back));
  const steps = /** @type {Step[]} */ (answer.steps);
  show(0);

  /** @param {number} at */
  function show(at) {
    const last = at + 1 === steps.length;
    const next = () => (last ? begin({ market: answer.market }) : show(at + 1));
    fill(
      room,
      heading(steps[at], last, page),
      html("ol.dealt", {}, ...steps[at].patches.map((patch) => dealtItem(patch, page))),
      html(
        "div.setup-buttons",
        {},
        backButton(page, at ? () => show(at - 1) : back),
        html("button.push.push-confirm", { type: "button", "data-key": "next", onclick: next }, html("span.push-name", {}, page.say(last ? (market ? "deal.last" : "setup.begin") : "deal.next"))),
      ),
    );
    room.closest("dialog")?.scrollTo(0, 0);
    /** @type {HTMLElement | null} */ (room.querySelector("h3"))?.focus();
  }
}

/**
 * @param {Step} step
 * @param {boolean} last
 * @param {Page} page
 */
function heading({ number, count, patches }, last, { say }) {
  const span = { from: patches[0].place, to: patches[patches.length - 1].place };
  return html(
    "div.dealt-head",
    {},
    html("h3.section-title", { tabindex: -1 }, say("deal.step", { number, count })),
    html("p", {}, say(number === 1 ? "deal.first" : "deal.on", span), " ", last ? say("deal.token") : ""),
  );
}

/**
 * @param {Dealt} dealt
 * @param {Page} page
 */
function dealtItem({ place, patch, cells, buttons, time, income }, { say, language }) {
  return html(
    "li.dealt-patch",
    { "aria-label": say("deal.patch", { place, patch: say(`patch.${patch}`), buttons, time }) },
    html("span.dealt-place", { "aria-hidden": "true" }, language.digits(place)),
    html("span.dealt-cloth", {}, patchPicture(patch, cells.map(toCell), income)),
    html("span.dealt-label", { "aria-hidden": "true" }, buttonIcon(), language.digits(buttons), " ", timeIcon(), language.digits(time)),
  );
}

/**
 * @param {Page} page
 * @param {() => void} back
 */
function backButton({ say }, back) {
  return html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("deal.back"));
}
