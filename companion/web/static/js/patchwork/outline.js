/** The outline of a set of cells as an SVG path: one line around the piece instead of one around each cell. */

/**
 * @typedef {import("./shapes.js").Cell} Cell
 * @typedef {[number, number]} Point  x, y in cells.
 */

/**
 * Return the closed loops around the cells, clockwise around cloth, as lists of corners.
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
 * Return all unit edges between cloth and no cloth, by starting point.
 *
 * @param {readonly Cell[]} cells
 * @returns {Map<string, Point[]>}  From "x,y" to the end points of the edges that start there.
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
 * Follow one loop and remove its edges. Where two cells touch only at a corner it turns right, which keeps them separate.
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
 * Return the path data of the outline.
 *
 * @param {readonly Cell[]} cells
 * @param {{unit?: number, inset?: number, radius?: number}} [look]  A cell's side, the distance of the line
 *     inside the border, and the radius of its corners, all in the drawing's units.
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
 * Return the unit vector perpendicular to an edge, towards the cloth.
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
 * Return the point at a distance of `radius` from one corner towards another, as text.
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
