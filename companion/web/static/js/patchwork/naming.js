/** The sheet to exchange the last patch taken for its twin, a patch of the same shape. */

import { fill, html } from "../dom.js";
import { showSheet } from "../views/dialog.js";
import { twin } from "./correcting.js";
import { twinsOf } from "./shapes.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 */

/** Open the sheet to choose which of several patches of the same shape was taken last. @param {Page} page */
export function openSheet(page) {
  const state = page.state();
  const last = state.snapshot?.patchwork?.seats.flatMap(({ pieces }) => pieces).find((piece) => piece.new);
  const refusal = html("p.refused", { role: "alert" });
  const choose = async (/** @type {string} */ patch) => {
    const answer = await page.commands.name(patch);
    if (answer.ok) sheet.close();
    else fill(refusal, answer.error ?? "");
  };
  const choices = twinsOf(state).map((patch) => twin({ ...patch, patch: patch.id }, last?.patch ?? null, page, () => choose(patch.id)));
  const sheet = showSheet(page, page.say("name.title"), html("p", {}, page.say("name.how")), html("div.twins", {}, ...choices), refusal);
}
