/**
 * The time track, drawn as a measuring tape in alternating rows, with both tokens, the income marks and the leather patches
 * not taken yet.
 */

import { html, svg } from "../dom.js";
import { buttonShape, leatherShape, seatShape } from "../icons.js";
import "./texts.js";

const SPACE = 10;
const PITCH = 14;
const THICKNESS = 9.4;
const REACH = 2;
const TURN = REACH + PITCH / 2 + THICKNESS / 2;
const MARGIN = 1;

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{x: number, y: number, angle: number}} Place  `angle`: the tape's direction there, in degrees.
 *
 * @typedef {object} Tape
 * @property {number} width
 * @property {number} height
 * @property {string} path  The path data of the tape's centre line.
 * @property {(space: number) => Place} space  Returns the centre of a space.
 * @property {(mark: number) => Place} border  Returns the border between the spaces `mark - 1` and `mark`.
 * @typedef {{seat: number, space: number, top: boolean, stands?: number | null}} Token  `stands`: the wrong space on which the camera saw the marker.
 * @typedef {{last_space: number, income: number[], leather: number[], leather_left: number[], tokens: Token[]}} Track
 */

/**
 * Return a function that draws the time track.
 *
 * @param {() => number} columns  Returns the number of spaces in a row for the available width.
 * @returns {(state: PageState, page: Page) => Node[]}
 */
export function trackView(columns) {
  return (state, page) => {
    const table = state.snapshot?.patchwork;
    if (!table) return [];
    const { track, seats } = table;
    const where = seats.map(({ name, time }) => page.say("track.at", { name, space: time }));
    const left = page.say("track.leather", { count: track.leather_left.length });
    const label = [page.say("track.label"), ...where, left].join(" ");
    const mirrored = page.language.dir === "rtl";
    return [
      html("h2.spoken", { id: "track-title" }, page.say("track.title")),
      trackPicture(track, { columns: columns(), mirrored, label, digits: page.language.digits }),
      ...markerHints(track.tokens, state, page),
    ];
  };
}

/**
 * Return the drawing of a time track.
 *
 * @param {Track} track
 * @param {{columns: number, mirrored: boolean, label: string, digits: (value: number) => string}} look
 * @returns {SVGElement}
 */
export function trackPicture(track, { columns, mirrored, label, digits }) {
  const tape = windingTape(track.last_space + 1, columns, mirrored);
  // The path of an animated token.
  const spaces = Array.from({ length: track.last_space + 1 }, (_, space) => tape.space(space)).map(({ x, y }) => `${x},${y}`).join(" ");
  return svg(
    "svg.track",
    { viewBox: `0 0 ${tape.width} ${tape.height + 1}`, role: "img", "aria-label": label, "data-columns": columns, "data-spaces": spaces },
    ...ribbon(tape),
    ticks(tape, track.last_space),
    numbers(tape, track, digits),
    centre(tape, track.last_space),
    ...track.income.map((mark) => placed(tape.border(mark), 0.4, buttonShape())),
    ...track.leather.map((mark) => leather(tape, mark, track.leather_left.includes(mark))),
    ...track.tokens.flatMap((token) => strayMarker(token, track.tokens, tape, { width: SPACE, height: THICKNESS })),
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
 * Return both tokens, the one on top last. On a shared space they are shifted so that both are visible.
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

/**
 * Return the geometry of a tape in alternating rows.
 *
 * @param {number} spaces
 * @param {number} columns  The number of spaces in a row.
 * @param {boolean} mirrored  Whether it starts at the right, for right-to-left languages.
 * @returns {Tape}
 */
function windingTape(spaces, columns, mirrored) {
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
 * @param {number} before  The distance from the edge to the centre of a row's first space.
 * @param {number | null} mirroredIn  The width in which to mirror; null if the tape starts at the left.
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

// Markers that the camera sees on a wrong space of the time board: where they are and where they belong.

const BESIDE = -2;

/**
 * Return hints about markers on wrong spaces, in the order of the seats.
 *
 * @param {readonly Token[]} tokens
 * @param {PageState} state
 * @param {Page} page
 * @returns {HTMLElement[]}
 */
function markerHints(tokens, { snapshot }, page) {
  return tokens.flatMap(({ seat, space, stands }) => {
    const name = snapshot?.patchwork?.seats.find((one) => one.seat === seat)?.name;
    if (typeof stands !== "number" || !name) return [];
    return [html(`p.track-hint.seat-${seat}`, {}, page.say("track.wrong", { name, booked: space, space: stands }))];
  });
}

/**
 * Return an outline of the marker where it is, shifted if another one is on the same space, and a frame around its right space.
 *
 * @param {Token} token
 * @param {readonly Token[]} tokens  The tokens of both seats.
 * @param {Tape} tape
 * @param {{width: number, height: number}} size  The size of a space.
 * @returns {SVGElement[]}
 */
function strayMarker({ seat, space, stands }, tokens, tape, { width, height }) {
  if (typeof stands !== "number") return [];
  const [there, right] = [tape.space(stands), tape.space(space)];
  const shift = tokens.some((other) => other.space === stands) ? BESIDE : 0;
  return [
    svg("rect", { x: right.x - width / 2, y: right.y - height / 2, width, height, rx: 1.5, class: `awaited seat-${seat}` }),
    svg(
      `g.astray.seat-${seat}`,
      { transform: `translate(${there.x + shift} ${there.y + shift})` },
      svg("circle", { r: width * 0.41 }),
      svg("g", { transform: "scale(.56)" }, seatShape(seat)),
    ),
  ];
}
