/** Markers that the camera sees on a wrong space of the time board: where they are and where they belong. */

import { html, svg } from "../dom.js";
import { seatShape } from "../icons.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./track.js").Tape} Tape
 * @typedef {import("./track.js").Token} Token
 */

const BESIDE = -2;

/**
 * Return hints about markers on wrong spaces, in the order of the seats.
 *
 * @param {readonly Token[]} tokens
 * @param {PageState} state
 * @param {Page} page
 * @returns {HTMLElement[]}
 */
export function markerHints(tokens, { snapshot }, page) {
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
export function strayMarker({ seat, space, stands }, tokens, tape, { width, height }) {
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
