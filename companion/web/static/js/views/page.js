/**
 * What every view receives besides the state.
 *
 * @typedef {import("../store.js").PageState} PageState
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
 * Return whether this page may press the push-buttons, which simulated players do not heed.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function canPush(state, page) {
  return canTouch(state, page) && (Boolean(state.me.virtual) || !state.me.simulated);
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
 * Return what the table's game says of itself, whichever game it is; null before the first.
 *
 * @param {import("../contract.js").Snapshot | null} snapshot
 * @returns {{seats?: {seat: number, name: string}[], question?: {says: string} | null, complaint?: {says: string} | null, foreseen?: {says: string, undoes?: boolean} | null, proposed?: {says: string} | null, money?: import("../contract.js").Money[], circle?: string[]} | null}
 */
export function tableOf(snapshot) {
  return /** @type {any} */ (snapshot)?.[snapshot?.game?.name ?? ""] ?? null;
}

/**
 * Return the name of the player in a seat, or "" if there is none.
 *
 * @param {PageState} state
 * @param {number | null} number
 */
export function nameOf(state, number) {
  return tableOf(state.snapshot)?.seats?.find(({ seat }) => seat === number)?.name ?? "";
}
