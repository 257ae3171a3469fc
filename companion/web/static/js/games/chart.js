/** Line charts in SVG, of two seats or many games. Lines differ in mark and dash as well as in colour. */

import { html, svg } from "../dom.js";
import { seatShape } from "../icons.js";

/** The size of a chart beside others or in a narrow window, where the numbers on its axes stay readable; and of one with the width of a page. */
const [SMALL, LARGE] = [[360, 240], [640, 300]];
const ROOM = { left: 44, right: 20, top: 14, bottom: 34 };

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{seat: number, name: string, sign?: "won" | "lost", points: [number, number][]}} Line
 *
 * @typedef {object} ChartLook
 * @property {string} title
 * @property {string} says  The description for screen readers.
 * @property {Line[]} lines
 * @property {[number, number]} across  The least and the greatest value on the horizontal axis.
 * @property {string} axis  The name of the horizontal axis.
 * @property {readonly number[]} [marks]  Values on the horizontal axis to mark.
 * @property {boolean} [small]  Whether it stands beside other charts.
 * @property {boolean} [steps]  Whether values are constant between points (a step chart).
 */

/**
 * Return a line chart with its legend as a figure.
 *
 * @param {ChartLook} look
 * @param {Page} page
 */
export function chart(look, page) {
  const { digits } = page.language;
  const [width, height] = look.small || innerWidth <= 640 ? SMALL : LARGE;
  const values = look.lines.flatMap(({ points }) => points.map(([, value]) => value));
  const ticks = evenTicks(Math.min(0, ...values), Math.max(1, ...values));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const x = scale(look.across, [ROOM.left, width - ROOM.right]);
  const y = scale([low, high], [height - ROOM.bottom, ROOM.top]);
  const across = evenTicks(...look.across).filter((tick) => tick >= look.across[0] && tick <= look.across[1]);
  return html(
    "figure.chart",
    {},
    html("figcaption.section-title", {}, look.title),
    svg(
      "svg.chart-picture",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": look.says, direction: "ltr" },
      ...(look.marks ?? []).map((mark) => svg("line", { x1: x(mark), x2: x(mark), y1: ROOM.top, y2: height - ROOM.bottom, class: "chart-mark" })),
      ...ticks.flatMap((tick) => [
        svg(`line.chart-grid${tick === 0 ? ".chart-zero" : ""}`, { x1: ROOM.left, x2: width - ROOM.right, y1: y(tick), y2: y(tick) }),
        svg("text.chart-tick.at-side", { x: ROOM.left - 8, y: y(tick) + 5 }, digits(tick)),
      ]),
      ...across.map((tick) => svg("text.chart-tick", { x: x(tick), y: height - 12 }, digits(tick))),
      ...drawn(look.lines, x, y, look.steps ?? false),
    ),
    html("p.chart-legend", {}, ...look.lines.map(legend), html("span.chart-axis", {}, look.axis)),
  );
}

/**
 * Return the lines, each over a wider line in the background's colour. All wide lines are below, so that where two lines
 * coincide both are visible.
 *
 * @param {readonly Line[]} lines
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 * @param {boolean} steps
 */
function drawn(lines, x, y, steps) {
  const ways = lines.map(({ seat, sign, points }) => {
    const at = points.map(([across, value]) => [x(across).toFixed(1), y(value).toFixed(1)]);
    const d = at.map(([left, top], index) => (index === 0 ? `M${left} ${top}` : steps ? `H${left}V${top}` : `L${left} ${top}`)).join("");
    return { seat, sign, d, end: (at[at.length - 1] ?? ["0", "0"]).join(" ") };
  });
  return [
    ...ways.map(({ d }) => svg("path.chart-under", { d })),
    ...ways.map(({ seat, sign, d, end }) =>
      svg(`g.chart-line.${sign ? `line-${sign}` : `line-of-${seat}`}`, {}, svg("path", { d, class: "chart-over" }), svg("g", { transform: `translate(${end}) scale(1.7)` }, signOf(seat, sign))),
    ),
  ];
}

/** @param {Line} line */
function legend({ seat, name, sign }) {
  const sample = svg("svg", { viewBox: "0 0 34 12", class: "chart-sample", "aria-hidden": "true" }, svg(`g.chart-line.${sign ? `line-${sign}` : `line-of-${seat}`}`, {}, svg("path", { d: "M1 6H33", class: "chart-over" }), svg("g", { transform: "translate(17 6)" }, signOf(seat, sign))));
  return html("span.chart-who", {}, sample, html("bdi", {}, name));
}

/**
 * Return the mark at a line's end: that of its seat, or, for lines with a sign, a disc for "won" and a ring for "lost".
 *
 * @param {number} seat
 * @param {Line["sign"]} sign
 */
function signOf(seat, sign) {
  return sign ? svg(`circle.chart-sign.sign-${sign}`, { r: 3.4 }) : seatShape(seat);
}

/**
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 * @returns {(value: number) => number}
 */
function scale([low, high], [start, end]) {
  return (value) => start + ((value - low) / (high - low || 1)) * (end - start);
}

/**
 * Return about six evenly spaced round numbers that enclose an interval.
 *
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
export function evenTicks(low, high) {
  const rough = Math.max(1, (high - low) / 5);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
