/** Two patches may have one shape: here the last one taken can be given its twin's name. */

import { fill, html } from "../dom.js";
import { shapedLike, toCell } from "../shapes.js";
import { twin } from "./correcting.js";
import { openSheet } from "./dialog.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/**
 * The last patch taken and its twins; nothing where it has none, or where the twin has been bought already.
 *
 * @param {PageState} state
 * @returns {import("../contract.js").BoxPatch[]}
 */
export function twinsOf({ snapshot, box }) {
  const last = snapshot?.seats.flatMap(({ pieces }) => pieces).find((piece) => piece.new && piece.patch !== "leather");
  const patch = last && box[last.patch];
  if (!patch || !snapshot) return [];
  const laid = new Set(snapshot.seats.flatMap(({ pieces }) => pieces.map((piece) => piece.patch)));
  const alike = shapedLike(patch.cells.map(toCell), Object.values(box));
  const twins = alike.filter(({ id }) => id === patch.id || !laid.has(id));
  return twins.length > 1 ? twins : [];
}

/** @param {Page} page */
export function nameAnew(page) {
  const state = page.state();
  const last = state.snapshot?.seats.flatMap(({ pieces }) => pieces).find((piece) => piece.new);
  const refusal = html("p.refused", { role: "alert" });
  const choose = async (/** @type {string} */ patch) => {
    const answer = await page.commands.name(patch);
    if (answer.ok) sheet.close();
    else fill(refusal, answer.error ?? "");
  };
  const choices = twinsOf(state).map((patch) => twin({ ...patch, patch: patch.id }, last?.patch ?? null, page, () => choose(patch.id)));
  const sheet = openSheet(page, page.say("name.title"), html("p", {}, page.say("name.how")), html("div.twins", {}, ...choices), refusal);
}
