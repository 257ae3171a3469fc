/** The places that can be coloured on a drawn sheet, in millimetres. */

/**
 * @typedef {import("../contract.js").KviltSheet} KviltSheet
 * @typedef {import("../contract.js").Rect} Rect
 * @typedef {{region: string, box: Rect}} Place  For a cell, `region` names its picture and `box` is its whole frame.
 */

/** The weight of sideways distance against distance along the arrow's direction when the next place is chosen. */
const ASIDE = 2.5;

/**
 * Return all places of a sheet that can be coloured.
 *
 * @param {KviltSheet} sheet
 * @returns {Place[]}
 */
export function placesOn(sheet) {
  return [
    ...sheet.cells.map(({ row, cell, frame }) => ({ region: `r${row}c${cell}.picture`, box: frame })),
    ...sheet.patches.map(({ id, region }) => ({ region: id, box: region })),
    ...sheet.spools.flatMap(({ body, thread }, index) => [
      ...(index < sheet.open_spools ? [] : body.map((box) => ({ region: `spool${index + 1}.body`, box }))),
      { region: `spool${index + 1}.thread`, box: thread },
    ]),
    ...Object.entries(sheet.parts).map(([region, [x, y]]) => ({ region, box: /** @type {Rect} */ ([x - sheet.radius, y - sheet.radius, 2 * sheet.radius, 2 * sheet.radius]) })),
  ];
}

/**
 * Return the region at a point, or the nearest one within `slack`, or null.
 *
 * @param {readonly Place[]} places
 * @param {[number, number]} point
 * @param {number} slack  The greatest distance of the point.
 * @returns {string | null}
 */
export function regionAt(places, point, slack) {
  let found = null;
  let least = slack;
  for (const { region, box } of places) {
    const away = distance(box, point);
    if (away < least) [found, least] = [region, away];
  }
  return found;
}

/**
 * @param {Rect} box
 * @param {[number, number]} point
 */
function distance([left, top, width, height], [x, y]) {
  return Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
}

/**
 * Return the next region in a direction, or null.
 *
 * @param {readonly Place[]} places
 * @param {string} from
 * @param {[number, number]} step  One of the four directions.
 * @returns {string | null}
 */
export function nextPlace(places, from, [dx, dy]) {
  const here = places.find(({ region }) => region === from);
  if (!here) return null;
  const [x, y] = middle(here.box);
  let found = null;
  let least = Infinity;
  for (const { region, box } of places) {
    const [along, aside] = turned(middle(box)[0] - x, middle(box)[1] - y, dx, dy);
    const cost = along + ASIDE * Math.abs(aside);
    if (region !== from && along > 0.5 && Math.abs(aside) < 2 * along + 1 && cost < least) [found, least] = [region, cost];
  }
  return found;
}

/** @param {Rect} box @returns {[number, number]} */
function middle([left, top, width, height]) {
  return [left + width / 2, top + height / 2];
}

/** @param {number} x @param {number} y @param {number} dx @param {number} dy @returns {[number, number]} */
function turned(x, y, dx, dy) {
  return dx ? [x * dx, y] : [y * dy, x];
}
