/** Drawings of both quilts as a game has left them. */

import { quilt } from "../quilt.js";
import { hangCloth } from "../fabrics.js";

/** @typedef {{seat: number, patch: string | null, cells: string[]}} Taken */

/** Return a drawing of each player's quilt. @type {NonNullable<import("../../registry.js").GameParts["thumbnail"]>} */
export async function thumbnail({ details, winner, names }) {
  hangCloth();
  /** @type {Taken[]} */
  const taken = details.decisions_list ?? [];
  return [1, 2].map((seat, index) => {
    const pieces = taken.filter((one) => one.seat === seat && one.cells?.length).map(({ patch, cells }) => ({ patch: patch ?? "leather", cells }));
    const picture = quilt({ pieces, label: names[index] ?? "", plain: true });
    if (seat === winner) picture.classList.add("wins");
    return picture;
  });
}
