/** Kvilt's steps of the first-run guide. */

import { rulesButton, typed } from "../../guide/steps.js";
import "./texts.js";

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("../../guide/sheet.js").Step} Step
 */

/** Kvilt's steps of the guide. @type {import("../../registry.js").GuideParts} */
export const guide = { table: (page) => [sheets(page)], turns: (page) => [round(page), first(page)] };

/** @param {Page} page @returns {Step} */
function sheets({ say }) {
  return { title: say("guide.sheets"), says: [say("guide.sheets-says", { command: typed("companion print kvilt-sheet") })] };
}

/** @param {Page} page @returns {Step} */
function round(page) {
  const { say } = page;
  return { title: say("guide.round"), says: [say("guide.round-scrap"), say("guide.round-pencils"), say("guide.round-colour"), say("guide.round-choose")], acts: () => [rulesButton(page)] };
}

/** @param {Page} page @returns {Step} */
function first({ say, state }) {
  const { snapshot } = state();
  const name = snapshot?.kvilt?.seats.find(({ moves }) => moves)?.name ?? "";
  return { title: say("guide.round-first"), says: [say("guide.round-first-says", { name })] };
}
