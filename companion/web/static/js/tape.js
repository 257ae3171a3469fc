/** The time track as a tailor's measuring tape that winds to and fro. This module knows where things lie on it. */

export const SPACE = 10;
export const PITCH = 14;
export const THICKNESS = 9.4;
const REACH = 2;
const TURN = REACH + PITCH / 2 + THICKNESS / 2;
const MARGIN = 1;

/**
 * @typedef {{x: number, y: number, angle: number}} Place  `angle` in degrees: the way the tape runs there.
 *
 * @typedef {object} Tape
 * @property {number} width
 * @property {number} height
 * @property {string} path  The middle of the tape.
 * @property {(space: number) => Place} space  The middle of a space.
 * @property {(mark: number) => Place} border  The border between the spaces `mark - 1` and `mark`.
 */

/**
 * @param {number} spaces
 * @param {number} columns  Spaces a row.
 * @param {boolean} mirrored  It begins at the right, as reading does in some languages.
 * @returns {Tape}
 */
export function windingTape(spaces, columns, mirrored) {
  const rows = Math.ceil(spaces / columns);
  const before = (rows > 2 ? TURN : SPACE / 2) + MARGIN;
  const width = before + (columns - 1) * SPACE + TURN + MARGIN;
  const space = (/** @type {number} */ index) => middle(index, columns, before, mirrored ? width : null);
  const border = (/** @type {number} */ mark) => between(space(mark - 1), space(mark), width);
  return { width, height: (rows - 1) * PITCH + THICKNESS + 3, path: route(spaces, columns, space), space, border };
}

/**
 * @param {number} index
 * @param {number} columns
 * @param {number} before  Room before the first space of a row.
 * @param {number | null} mirroredIn  The width to mirror in; null where the tape begins at the left.
 * @returns {Place}
 */
function middle(index, columns, before, mirroredIn) {
  const row = Math.floor(index / columns);
  const column = row % 2 ? columns - 1 - (index % columns) : index % columns;
  const x = before + column * SPACE;
  const rightwards = (row % 2 === 0) === (mirroredIn === null);
  return { x: mirroredIn === null ? x : mirroredIn - x, y: row * PITCH + THICKNESS / 2 + 1.5, angle: rightwards ? 0 : 180 };
}

/**
 * @param {Place} from
 * @param {Place} to
 * @param {number} width
 * @returns {Place}
 */
function between(from, to, width) {
  if (from.y === to.y) return { x: (from.x + to.x) / 2, y: from.y, angle: from.angle };
  const outwards = from.x > width / 2 ? 1 : -1;
  return { x: from.x + outwards * (REACH + PITCH / 2), y: (from.y + to.y) / 2, angle: 90 };
}

/**
 * @param {number} spaces
 * @param {number} columns
 * @param {(space: number) => Place} space
 */
function route(spaces, columns, space) {
  const first = space(0);
  const parts = [`M${first.x + (first.angle ? 4.4 : -4.4)} ${first.y}`];
  for (let last = columns - 1; last < spaces - 1; last += columns) {
    const [end, next] = [space(last), space(last + 1)];
    const reach = end.angle ? -REACH : REACH;
    parts.push(`H${end.x + reach}A${PITCH / 2} ${PITCH / 2} 0 0 ${end.angle ? 0 : 1} ${next.x + reach} ${next.y}`);
  }
  const end = space(spaces - 1);
  return `${parts.join("")}H${end.x + (end.angle ? -4.4 : 4.4)}`;
}
