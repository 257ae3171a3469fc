/** What the state tells of the sheets on the virtual table; nothing at all others. */

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../contract.js").KviltSheet} KviltSheet
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

/**
 * How many pencils of a colour are still to be used: of those in hand, and those that signs on cells give, what is on
 * the paper but not in the books has used one each. Backgrounds, spools that open and parts of embroideries take none.
 *
 * @param {string} colour
 * @param {import("../contract.js").KviltSeat} seat
 * @param {Record<string, string>} marks  What is on the seat's paper.
 * @param {KviltSheet} sheet
 */
export function left(colour, seat, marks, sheet) {
  const drawn = Object.keys(marks).filter((region) => !(region in seat.marks));
  const used = drawn.filter((region) => marks[region] === colour && usesPencil(region, sheet));
  const given = sheet.cells.filter(({ row, cell }) => drawn.includes(`r${row}c${cell}.picture`)).flatMap(({ bonus }) => bonus.filter((sign) => sign === `pencil:${colour}`));
  return Math.max(0, seat.hand.filter((one) => one === colour).length + given.length - used.length);
}

/**
 * @param {string} region
 * @param {KviltSheet} sheet
 */
function usesPencil(region, sheet) {
  return region.endsWith(".picture") || region.endsWith(".thread") || sheet.patches.some(({ id }) => id === region);
}
