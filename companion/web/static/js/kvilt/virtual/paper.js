/** Functions that read the sheets of the virtual table from the state. */

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../contract.js").KviltSheet} KviltSheet
 */

/**
 * Return what is coloured on a seat's paper, including pending strokes, or null at other tables.
 *
 * @param {PageState} state
 * @param {number} seat
 * @returns {Record<string, string> | null}
 */
export function marksOn({ virtual, own: { kvilt } }, seat) {
  const sheets = /** @type {any} */ (virtual)?.sheets;
  if (!sheets) return null;
  const marks = { ...sheets.find((/** @type {{seat: number}} */ one) => one.seat === seat)?.marks };
  for (const [region, colour] of Object.entries(kvilt?.paint?.pending[seat] ?? {})) {
    if (colour) marks[region] = colour;
    else delete marks[region];
  }
  return marks;
}

/**
 * Return the theme of a seat's sheet on the virtual table, or else as the camera has read it.
 *
 * @param {PageState} state
 * @param {number} seat
 * @returns {string}
 */
export function themeOf({ virtual, own: { kvilt } }, seat) {
  const sheets = /** @type {{seat: number, theme: string}[] | undefined} */ (virtual?.sheets);
  return sheets?.find((one) => one.seat === seat)?.theme ?? kvilt?.themes?.[seat - 1] ?? "";
}

/**
 * Return the marks that are on a seat's paper and do not count.
 *
 * @param {PageState} state
 * @param {number} seat
 * @returns {Record<string, string>}
 */
export function uncountedOn({ own: { kvilt } }, seat) {
  return kvilt?.uncounted?.[seat - 1] ?? {};
}

/**
 * Return whether sheets can be coloured on this page now.
 *
 * @param {PageState} state
 * @param {import("../contract.js").Kvilt | null | undefined} table
 */
export function paints({ virtual, own: { kvilt }, me, link }, table) {
  return Boolean(virtual && kvilt?.paint && me.can_touch && link !== "over" && table?.phase === "colouring" && table.turn);
}

/**
 * Return the seat whose sheet is under the camera, or null.
 *
 * @param {PageState} state
 * @returns {number | null}
 */
export function liesUnder({ virtual }) {
  return virtual?.lying ?? null;
}

/**
 * Return how many pencils of a colour can still be used: those in hand plus those that newly coloured cells give, minus one
 * for each region on the paper that is not recorded yet. Backgrounds, opened spools and parts of embroideries use none.
 *
 * @param {string} colour
 * @param {import("../contract.js").KviltSeat} seat
 * @param {Record<string, string>} marks  The regions coloured on the seat's paper.
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
