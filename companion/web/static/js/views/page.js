/**
 * What every view receives besides the state.
 *
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("../contract.js").Seat} Seat
 *
 * @typedef {object} Opening  Options for opening a sheet.
 * @property {() => void} [then]  Called when the sheet's purpose is fulfilled.
 * @property {number} [at]  The index of the first step.
 *
 * @typedef {object} Page
 * @property {import("../language.js").Language} language
 * @property {(key: string, values?: import("../language.js").Values) => string} say
 * @property {"board" | "tv" | "watch"} view
 * @property {import("../commands.js").Commands} commands
 * @property {import("../store.js").Store} store
 * @property {() => PageState} state
 * @property {import("../registry.js").Games} games
 * @property {(name: string, how?: Opening) => Promise<void>} openSheet  Opens a sheet over the page.
 */

/**
 * Return whether this page may send commands now.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function canTouch(state, page) {
  return page.view === "board" && state.me.can_touch && state.link !== "over";
}

/**
 * Return whether this page may start another game.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function canSetUp(state, page) {
  return canTouch(state, page) && Boolean(state.me.sets_up);
}

/**
 * Return the state of a seat, or undefined if there is none.
 *
 * @param {PageState} state
 * @param {number | null} number
 * @returns {Seat | undefined}
 */
export function seatOf(state, number) {
  return state.snapshot?.seats.find(({ seat }) => seat === number);
}

/**
 * Return the name of the player in a seat, or "" if there is none.
 *
 * @param {PageState} state
 * @param {number | null} number
 */
export function nameOf(state, number) {
  return seatOf(state, number)?.name ?? "";
}
