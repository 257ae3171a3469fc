/** The box: all patches by id. */

import { asked } from "../commands.js";
import { own } from "./state.js";

/** @type {Promise<void> | null} */
let fetched = null;

/**
 * Fetch the box into the store, once. Resolves when it is there.
 *
 * @param {import("../views/page.js").Page} page
 */
export function fetchBox({ store }) {
  fetched ??= asked("/api/box").then((answer) => {
    const patches = /** @type {import("../contract.js").BoxPatch[]} */ (answer?.patches ?? []);
    store.setOwn("patchwork", { box: Object.fromEntries(patches.map((patch) => [patch.id, patch])) });
  });
  return fetched;
}

/**
 * Return a function that gives the number of buttons sewn on a patch.
 *
 * @param {import("../store.js").PageState} state
 * @returns {(patch: string) => number}
 */
export function incomeIn(state) {
  const { box } = own(state);
  return (patch) => box[patch]?.income ?? 0;
}
