/**
 * What every view is given beside the state.
 *
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("../contract.js").Seat} Seat
 *
 * @typedef {object} Opening  What some sheets are opened with.
 * @property {() => void} [then]  Called when what it was opened for is done.
 * @property {number} [at]  The step to begin with.
 *
 * @typedef {object} Page
 * @property {import("../language.js").Language} language
 * @property {(key: string, values?: import("../language.js").Values) => string} say
 * @property {"board" | "tv" | "watch"} view
 * @property {import("../commands.js").Commands} commands
 * @property {import("../store.js").Store} store
 * @property {() => PageState} state
 * @property {import("../registry.js").Games} games
 * @property {(name: string, how?: Opening) => Promise<void>} openSheet  Lays a sheet over the page.
 */

/**
 * May this page change anything now?
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function canTouch(state, page) {
  return page.view === "board" && state.me.can_touch && state.link !== "over";
}

/**
 * May this page begin another game?
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function canSetUp(state, page) {
  return canTouch(state, page) && Boolean(state.me.sets_up);
}

/**
 * @param {PageState} state
 * @param {number | null} number
 * @returns {Seat | undefined}
 */
export function seatOf(state, number) {
  return state.snapshot?.seats.find(({ seat }) => seat === number);
}

/**
 * @param {PageState} state
 * @param {number | null} number
 */
export function nameOf(state, number) {
  return seatOf(state, number)?.name ?? "";
}
