/** Patches of one shape, which the camera may take for one another. */

import { shapedLike, toCell } from "./shapes.js";

/** @typedef {import("./store.js").PageState} PageState */

/**
 * The last patch taken and its twins; nothing where it has none, or where the twin has been bought already.
 *
 * @param {PageState} state
 * @returns {import("./contract.js").BoxPatch[]}
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
