/** Thumbnails of both quilts at the end of a game. */

import { quilt } from "../quilt.js";
import { hangCloth } from "../fabrics.js";

/** @typedef {{seat: number, patch: string | null, cells: string[]}} Taken */

/**
 * Return a small drawing of each player's quilt.
 *
 * @param {{id: number, winner: number | null}} game
 * @returns {Promise<Node[]>}  Empty if the journal cannot be read.
 */
export async function thumbnail({ id, winner }) {
  hangCloth();
  const response = await fetch(`/api/games/${id}`).catch(() => null);
  if (!response?.ok) return [];
  /** @type {Taken[]} */
  const taken = (await response.json()).game.decisions_list ?? [];
  return [1, 2].map((seat) => {
    const pieces = taken.filter((one) => one.seat === seat && one.cells?.length).map(({ patch, cells }) => ({ patch: patch ?? "leather", cells }));
    const picture = quilt({ pieces, label: "", plain: true });
    if (seat === winner) picture.classList.add("wins");
    return picture;
  });
}
