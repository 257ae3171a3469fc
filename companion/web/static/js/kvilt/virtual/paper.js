/** What the state tells of the sheets on the virtual table; nothing at all others. */

/**
 * @typedef {import("../../store.js").PageState} PageState
 */

/**
 * What is on a seat's paper, strokes that are under way among it; null where only the books are known.
 *
 * @param {PageState} state
 * @param {number} seat
 * @returns {Record<string, string> | null}
 */
export function marksOn({ virtual, paint }, seat) {
  const sheets = /** @type {any} */ (virtual)?.sheets;
  if (!sheets) return null;
  const marks = { ...sheets.find((/** @type {{seat: number}} */ one) => one.seat === seat)?.marks };
  for (const [region, colour] of Object.entries(paint?.pending[seat] ?? {})) {
    if (colour) marks[region] = colour;
    else delete marks[region];
  }
  return marks;
}

/**
 * The theme of a seat's sheet: as it lies on the virtual table, or as the camera has seen it.
 *
 * @param {PageState} state
 * @param {number} seat
 * @returns {string}
 */
export function themeOf({ virtual, themes }, seat) {
  const sheets = /** @type {any} */ (virtual)?.sheets;
  return sheets?.find((/** @type {{seat: number}} */ one) => one.seat === seat)?.theme ?? themes[seat - 1] ?? "";
}

/**
 * May people colour now?
 *
 * @param {PageState} state
 * @param {import("../contract.js").Kvilt | null | undefined} table
 */
export function paints({ virtual, paint, me, link }, table) {
  return Boolean(virtual && paint && me.can_touch && link !== "over" && table?.phase === "colouring" && table.turn);
}

/**
 * The seat whose sheet lies under the camera.
 *
 * @param {PageState} state
 * @returns {number | null}
 */
export function liesUnder({ virtual }) {
  return /** @type {any} */ (virtual)?.lying ?? null;
}
