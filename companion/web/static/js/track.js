/** The time track: the tape with both tokens, the income marks and the leather that is still out. */

import { svg } from "./dom.js";
import { buttonShape, leatherShape, seatShape } from "./icons.js";
import { SPACE, THICKNESS, windingTape } from "./tape.js";

/**
 * @typedef {import("./tape.js").Tape} Tape
 * @typedef {{seat: number, space: number, top: boolean}} Token
 * @typedef {{last_space: number, income: number[], leather: number[], leather_left: number[], tokens: Token[]}} Track
 */

/**
 * @param {Track} track
 * @param {{columns: number, mirrored: boolean, label: string, digits: (value: number) => string}} look
 * @returns {SVGElement}
 */
export function trackPicture(track, { columns, mirrored, label, digits }) {
  const tape = windingTape(track.last_space + 1, columns, mirrored);
  return svg(
    "svg.track",
    { viewBox: `0 0 ${tape.width} ${tape.height + 1}`, role: "img", "aria-label": label, "data-columns": columns },
    ...ribbon(tape),
    ticks(tape, track.last_space),
    numbers(tape, track, digits),
    centre(tape, track.last_space),
    ...track.income.map((mark) => placed(tape.border(mark), 0.4, buttonShape())),
    ...track.leather.map((mark) => leather(tape, mark, track.leather_left.includes(mark))),
    ...tokens(tape, track.tokens),
  );
}

/** @param {Tape} tape */
function ribbon({ path }) {
  return [
    svg("path", { d: path, class: "tape-shadow", transform: "translate(0 1)", "stroke-width": THICKNESS }),
    svg("path", { d: path, class: "tape-edge", "stroke-width": THICKNESS }),
    svg("path", { d: path, class: "tape-body", "stroke-width": THICKNESS - 0.7 }),
    svg("path", { d: path, class: "tape-stitch", "stroke-width": THICKNESS - 1.5 }),
    svg("path", { d: path, class: "tape-body", "stroke-width": THICKNESS - 2 }),
  ];
}

/**
 * @param {Tape} tape
 * @param {number} last
 */
function ticks(tape, last) {
  const reach = THICKNESS / 2 - 0.4;
  const lines = Array.from({ length: last }, (_, index) => tape.border(index + 1)).map(({ x, y, angle }) =>
    angle === 90 ? `M${x - reach} ${y}H${x + reach}` : `M${x} ${y - reach}V${y + reach}`,
  );
  return svg("path", { d: lines.join(""), class: "tape-tick" });
}

/**
 * @param {Tape} tape
 * @param {Track} track
 * @param {(value: number) => string} digits
 */
function numbers(tape, track, digits) {
  const places = Array.from({ length: track.last_space }, (_, space) => ({ space, ...tape.space(space) }));
  const taken = new Set(track.tokens.map(({ space }) => space));
  return svg(
    "g.tape-numbers",
    { "aria-hidden": "true" },
    ...places.filter(({ space }) => !taken.has(space)).map(({ space, x, y }) => svg("text", { x, y: y + 1.25 }, digits(space))),
  );
}

/**
 * @param {Tape} tape
 * @param {number} last
 */
function centre(tape, last) {
  const { x, y } = tape.space(last);
  return svg("g.tape-centre", { transform: `translate(${x} ${y})` }, svg("circle", { r: 3.6 }), svg("path", { d: "M0-2.6L.7-.7 2.6 0 .7.7 0 2.6-.7.7-2.6 0-.7-.7Z" }));
}

/**
 * @param {Tape} tape
 * @param {number} mark
 * @param {boolean} out
 */
function leather(tape, mark, out) {
  const shape = out ? leatherShape() : svg("rect", { x: -4, y: -4, width: 8, height: 8, rx: 1.3, class: "leather-gone" });
  return placed(tape.border(mark), 0.46, shape);
}

/**
 * @param {{x: number, y: number}} place
 * @param {number} scale
 * @param {SVGElement} shape
 */
function placed({ x, y }, scale, shape) {
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, shape);
}

/**
 * The token on top is drawn last; where both share a space they stand apart enough to see both.
 *
 * @param {Tape} tape
 * @param {readonly Token[]} tokens
 */
function tokens(tape, tokens) {
  const shared = tokens.length === 2 && tokens[0].space === tokens[1].space;
  const order = [...tokens].sort((one, other) => Number(one.top) - Number(other.top));
  return order.map((token) => {
    const { x, y } = tape.space(token.space);
    const shift = shared ? (token.top ? 1.5 : -1.5) : 0;
    return svg(
      `g.token.seat-${token.seat}`,
      { transform: `translate(${x + shift} ${y + shift * 0.8})` },
      svg("circle", { r: SPACE * 0.41, class: "token-body" }),
      svg("circle", { r: SPACE * 0.41 - 0.7, class: "token-stitch" }),
      svg("g", { transform: "scale(.56)" }, seatShape(token.seat)),
    );
  });
}
