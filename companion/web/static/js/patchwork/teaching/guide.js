/** Patchwork's steps of the first-run guide. */

import { html } from "../../dom.js";
import { rulesButton, typed } from "../../guide/steps.js";
import { seatIcon } from "../../icons.js";
import { canTouch } from "../../views/page.js";
import { patchPicture, quilt } from "../quilt.js";
import { nameOf, toCell } from "../shapes.js";
import { own } from "../state.js";
import "./texts.js";

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("../../guide/sheet.js").Step} Step
 */

/** Patchwork's steps of the guide. @type {import("../../registry.js").GuideParts} */
export const guide = { table: (page) => [boards(page)], turns: (page) => [turn(page), first(page)] };

/** @param {Page} page @returns {Step} */
function boards(page) {
  const { say } = page;
  return {
    title: say("guide.boards"),
    picture: () => html("div.guide-boards", { "aria-hidden": "true" }, ...[1, 2].map((seat) => html("span.guide-mat", {}, seatIcon(seat), quilt({ pieces: [], label: "", plain: true })))),
    says: [say("guide.boards-says", { command: typed("companion print mats"), option: typed("--boards found") })],
    progress: ({ snapshot }) => {
      const { boards_seen: seen, in_view: inView = [] } = snapshot?.table ?? {};
      if (seen) return { done: true, says: say("guide.boards-there") };
      const name = snapshot?.patchwork?.seats.find(({ seat }) => inView.length === 1 && seat === inView[0])?.name;
      return { done: false, says: name ? say("guide.boards-one", { name }) : say("guide.boards-missing") };
    },
    acts: (state, close) => [
      Boolean(state.me.calibrates) && canTouch(state, page) && !state.snapshot?.game?.decisions && html("button.plain", { type: "button", "data-key": "calibrate", onclick: () => (close(), page.openSheet("calibrate")) }, say("hand.calibrate")),
    ],
  };
}

/** @param {Page} page @returns {Step} */
function turn(page) {
  const { say, state } = page;
  const { box } = own(state());
  const where = state().me.virtual ? "-virtual" : "";
  const sample = ["thorn", "hook-t6", "plus"].filter((patch) => box[patch]).map((patch) => patchPicture(patch, box[patch].cells.map(toCell), box[patch].income));
  return {
    title: say("guide.turn"),
    says: [say("guide.turn-take"), ...["confirm", "pay", "advance"].map((key) => say(`guide.turn-${key}${where}`)), say("guide.turn-undo")],
    picture: () => html("div.guide-patches", { "aria-hidden": "true" }, ...sample),
    acts: () => [rulesButton(page)],
  };
}

/** @param {Page} page @returns {Step} */
function first({ say, state }) {
  const { me, snapshot } = state();
  const table = snapshot?.patchwork;
  const name = table?.seats.find(({ moves }) => moves)?.name ?? "";
  if (snapshot?.game?.decisions) return { title: say("guide.under-way"), says: [say("guide.under-way-says")] };
  const how = !me.virtual ? "real" : matchMedia("(pointer: coarse)").matches ? "finger" : "virtual";
  return { title: say("guide.first"), says: [say(`guide.first-${how}`, { name })], picture: () => sewn(table?.offers ?? [], own(state()).box) };
}

/**
 * Return the patches on offer, and one of them on a quilt.
 *
 * @param {import("../../contract.js").Offer[]} offers
 * @param {import("../state.js").Own["box"]} box
 */
function sewn(offers, box) {
  const shown = offers.slice(0, 3).filter(({ patch }) => box[patch]);
  const { patch, cells } = shown.find(({ affordable }) => affordable) ?? { patch: "leather", cells: [[0, 0]] };
  const pictures = shown.map((one) => patchPicture(one.patch, one.cells.map(toCell), one.income));
  const lying = { patch, cells: cells.map(([row, column]) => nameOf({ row: row + 3, column: column + 3 })) };
  return html(
    "div.guide-patches",
    { "aria-hidden": "true" },
    ...pictures,
    html("span.guide-mat", {}, quilt({ pieces: [], proposal: lying, label: "", plain: true })),
  );
}
