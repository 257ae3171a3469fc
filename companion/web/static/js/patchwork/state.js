/** What the page's state has of Patchwork. */

/**
 * @typedef {import("../contract.js").Seat} Seat
 * @typedef {import("../store.js").PageState} PageState
 *
 * @typedef {object} Own
 * @property {Record<string, import("../contract.js").BoxPatch>} box  All patches, by id.
 * @property {import("./circle/picture.js").SeenCircle | null} circle  The circle as the camera read it; null if there is nothing to confirm.
 * @property {boolean} looking  Whether the camera is looking at the circle.
 * @property {number | null} share  The progress of that look, 0..1.
 */

/** @type {Own} */
const NOTHING = { box: {}, circle: null, looking: false, share: null };

/** Return the box, and the circle as the camera has read it. @param {PageState} state @returns {Own} */
export function own({ own: { patchwork } }) {
  return { ...NOTHING, ...patchwork };
}

/** Return the pieces on the virtual table, or null at a real one. @param {PageState} state @returns {import("./virtual/pieces.js").Tabletop | null} */
export function tabletop({ virtual }) {
  return virtual;
}

/**
 * Return whether a virtual table's boards are as the game has recorded them; true at a real table.
 *
 * @param {PageState} state
 */
export function isAsRecorded(state) {
  const { pieces = [], tokens = [] } = tabletop(state) ?? {};
  const named = (/** @type {number} */ seat, /** @type {string} */ patch, /** @type {readonly string[]} */ cells) => [seat, patch, ...[...cells].sort()].join();
  const lying = new Set(pieces.map(({ seat, patch, cells }) => named(seat, patch, cells)));
  const recorded = (state.snapshot?.patchwork?.seats ?? []).flatMap(({ seat, pieces: sewn }) => sewn.map(({ patch, cells }) => named(seat, patch, cells)));
  return !state.virtual || (!tokens.length && pieces.length === recorded.length && recorded.every((piece) => lying.has(piece)));
}

/**
 * Return the state of a seat, or undefined if there is none.
 *
 * @param {PageState} state
 * @param {number | null} number
 * @returns {Seat | undefined}
 */
export function seatOf(state, number) {
  return state.snapshot?.patchwork?.seats.find(({ seat }) => seat === number);
}
