/** The squares of a board in the picture from its four corners: a projective map in closed form (Heckbert, 1989). */

/** @typedef {[number, number]} Point  x and y in pixels. */

/**
 * Return the projective map from the unit square to the picture.
 *
 * @param {readonly Point[]} corners  A1, I1, I9, A9: the images of (0, 0), (1, 0), (1, 1) and (0, 1).
 * @returns {(u: number, v: number) => Point}
 */
export function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  // Three corners in one line have no such map; the drawing is then wrong, but without a division by 0.
  const divisor = dx1 * dy2 - dx2 * dy1 || Number.EPSILON;
  const [g, h] = [(sx * dy2 - dx2 * sy) / divisor, (dx1 * sy - sx * dy1) / divisor];
  return (u, v) => {
    const scale = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / scale,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / scale,
    ];
  };
}

/**
 * Return the lines of a 9x9 grid as SVG path data.
 *
 * @param {readonly Point[]} corners
 */
export function gridPath(corners) {
  const at = projection(corners);
  const point = (/** @type {number} */ u, /** @type {number} */ v) => at(u, v).map((value) => value.toFixed(1)).join(" ");
  return Array.from({ length: 10 }, (_, line) => line / 9)
    .map((line) => `M${point(line, 0)}L${point(line, 1)}M${point(0, line)}L${point(1, line)}`)
    .join("");
}
