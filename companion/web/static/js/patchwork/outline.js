/** The outline of a set of cells as an SVG path: one line round the piece, not a line round each cell. */

/**
 * @typedef {import("./shapes.js").Cell} Cell
 * @typedef {[number, number]} Point  x, y in cells.
 */

/**
 * The closed loops round the cells, clockwise round cloth, only corners listed.
 *
 * @param {readonly Cell[]} cells
 * @returns {Point[][]}
 */
export function loops(cells) {
  const edges = boundary(cells);
  const found = [];
  while (edges.size) found.push(corners(takeLoop(edges)));
  return found;
}

/**
 * Every border between cloth and no cloth, by its starting point.
 *
 * @param {readonly Cell[]} cells
 * @returns {Map<string, Point[]>}  From "x,y" to where the borders that start there end.
 */
function boundary(cells) {
  const covered = new Set(cells.map(({ row, column }) => `${row},${column}`));
  /** @type {Map<string, Point[]>} */
  const edges = new Map();
  const add = (/** @type {number[]} */ [x0, y0, x1, y1]) => {
    const start = `${x0},${y0}`;
    edges.set(start, [...(edges.get(start) ?? []), [x1, y1]]);
  };
  for (const { row: y, column: x } of cells) {
    if (!covered.has(`${y - 1},${x}`)) add([x, y, x + 1, y]);
    if (!covered.has(`${y},${x + 1}`)) add([x + 1, y, x + 1, y + 1]);
    if (!covered.has(`${y + 1},${x}`)) add([x + 1, y + 1, x, y + 1]);
    if (!covered.has(`${y},${x - 1}`)) add([x, y + 1, x, y]);
  }
  return edges;
}

/**
 * Walk round one loop, taking its edges away. Where two cells touch by a corner it turns right, which keeps them apart.
 *
 * @param {Map<string, Point[]>} edges
 * @returns {Point[]}
 */
function takeLoop(edges) {
  const start = /** @type {Point} */ (/** @type {string} */ (edges.keys().next().value).split(",").map(Number));
  /** @type {Point[]} */
  const loop = [];
  let [at, heading] = [start, /** @type {Point} */ ([0, 0])];
  do {
    loop.push(at);
    const key = `${at[0]},${at[1]}`;
    const ends = /** @type {Point[]} */ (edges.get(key));
    const [from, turned] = [at, heading];
    const right = ends.findIndex(([x, y]) => x - from[0] === -turned[1] && y - from[1] === turned[0]);
    const [next] = ends.splice(Math.max(right, 0), 1);
    if (!ends.length) edges.delete(key);
    [at, heading] = [next, [next[0] - from[0], next[1] - from[1]]];
  } while (at[0] !== start[0] || at[1] !== start[1]);
  return loop;
}

/**
 * @param {Point[]} loop
 * @returns {Point[]}
 */
function corners(loop) {
  return loop.filter(([x, y], index) => {
    const [beforeX, beforeY] = loop.at(index - 1) ?? [0, 0];
    const [afterX, afterY] = loop[(index + 1) % loop.length];
    return (x - beforeX) * (afterY - y) !== (y - beforeY) * (afterX - x);
  });
}

/**
 * The path round the cells.
 *
 * @param {readonly Cell[]} cells
 * @param {{unit?: number, inset?: number, radius?: number}} [look]  A cell's side, how far inside the border the line
 *     runs, and how round its corners are; all in the drawing's units.
 * @returns {string}
 */
export function outline(cells, { unit = 10, inset = 0, radius = 1 } = {}) {
  return loops(cells).map((loop) => rounded(shrunk(loop, unit, inset), radius)).join("");
}

/**
 * @param {Point[]} loop
 * @param {number} unit
 * @param {number} inset
 * @returns {Point[]}
 */
function shrunk(loop, unit, inset) {
  return loop.map((corner, index) => {
    const [before, after] = [loop.at(index - 1) ?? corner, loop[(index + 1) % loop.length]];
    const [ax, ay] = inward(before, corner);
    const [bx, by] = inward(corner, after);
    return [corner[0] * unit + inset * (ax + bx), corner[1] * unit + inset * (ay + by)];
  });
}

/**
 * The unit vector at a right angle to the border, towards the cloth.
 *
 * @param {Point} from
 * @param {Point} to
 * @returns {Point}
 */
function inward([x0, y0], [x1, y1]) {
  return [-Math.sign(y1 - y0), Math.sign(x1 - x0)];
}

/**
 * @param {Point[]} loop
 * @param {number} radius
 * @returns {string}
 */
function rounded(loop, radius) {
  const parts = loop.map((corner, index) => {
    const [before, after] = [loop.at(index - 1) ?? corner, loop[(index + 1) % loop.length]];
    return `${index ? "L" : "M"}${towards(corner, before, radius)}Q${text(corner)} ${towards(corner, after, radius)}`;
  });
  return `${parts.join("")}Z`;
}

/**
 * The point a radius from one corner on the way to another.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {number} radius
 */
function towards([x, y], [toX, toY], radius) {
  return text([x + Math.sign(toX - x) * radius, y + Math.sign(toY - y) * radius]);
}

/** @param {Point} point */
function text([x, y]) {
  return `${+x.toFixed(2)} ${+y.toFixed(2)}`;
}
