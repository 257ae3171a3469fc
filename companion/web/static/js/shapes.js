/** Shapes as the rules know them: turned and flipped they stay the same. */

/** @typedef {import("./cells.js").Cell} Cell */

/**
 * One text for all eight ways in which a shape can lie.
 *
 * @param {readonly Cell[]} cells
 * @returns {string}
 */
export function shapeKey(cells) {
  const turned = [cells];
  for (let turn = 0; turn < 3; turn += 1) turned.push(turned[turn].map(({ row, column }) => ({ row: column, column: -row })));
  const flipped = turned.map((way) => way.map(({ row, column }) => ({ row, column: -column })));
  return [...turned, ...flipped].map(atOrigin).sort()[0];
}

/** @param {readonly Cell[]} cells */
function atOrigin(cells) {
  const top = Math.min(...cells.map(({ row }) => row));
  const left = Math.min(...cells.map(({ column }) => column));
  return cells.map(({ row, column }) => `${row - top}.${column - left}`).sort().join(" ");
}

/**
 * Which of these patches the cells could be.
 *
 * @template {{cells: [number, number][]}} Shaped
 * @param {readonly Cell[]} cells
 * @param {readonly Shaped[]} patches
 * @returns {Shaped[]}
 */
export function shapedLike(cells, patches) {
  if (!cells.length) return [];
  const key = shapeKey(cells);
  return patches.filter((patch) => patch.cells.length === cells.length && shapeKey(patch.cells.map(toCell)) === key);
}

/**
 * @param {[number, number]} place
 * @returns {Cell}
 */
export function toCell([row, column]) {
  return { row, column };
}
