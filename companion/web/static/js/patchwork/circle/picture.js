/** The picture from which the circle was read, with its pieces outlined. */

import { html, svg } from "../../dom.js";
import "./texts.js";

/**
 * @typedef {object} SeenPlace
 * @property {number} place  Its number from 1, clockwise as the camera read it.
 * @property {number} ordinal  Its number in the order that players have confirmed since.
 * @property {string | null} patch
 * @property {"sure" | "doubtful" | "answered"} standing
 * @property {string[]} candidates  The most likely first.
 * @property {boolean} whole  Whether the whole piece is in the picture.
 * @property {[number, number][]} outline  In pixels of the picture.
 * @property {[number, number]} middle
 *
 * @typedef {object} UnclearStretch
 * @property {number} place  The first place of the stretch.
 * @property {number[][]} ways  The possible orders of its places; the one read by the camera is first.
 *
 * @typedef {object} SeenCircle
 * @property {number} number
 * @property {boolean} known  Whether the game uses it.
 * @property {string} picture
 * @property {number} width
 * @property {number} height
 * @property {SeenPlace[]} places
 * @property {UnclearStretch[]} unclear
 * @property {{place: number, patch: string}[]} behind
 * @property {string[]} missing
 * @property {string[]} notes
 */

const AROUND = 0.35;

/**
 * Return the picture of the circle with an outline around each piece.
 *
 * @param {SeenCircle} circle
 * @param {number | null} chosen
 * @param {import("../../views/page.js").Page} page
 * @param {(place: number) => void} tap
 */
export function circlePicture(circle, chosen, page, tap) {
  const { picture, width, height, places } = circle;
  // The chosen one last, so that nothing covers its outline.
  const drawn = [...places].sort((a, b) => Number(a.place === chosen) - Number(b.place === chosen));
  return html(
    "div.seen-picture",
    { dir: "ltr" },
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": page.say("seen.title") },
      svg("image", { href: picture, width, height }),
      ...drawn.map((place) => outlined(place, place.place === chosen, width, page, tap)),
    ),
  );
}

/**
 * @param {SeenPlace} place
 * @param {boolean} chosen
 * @param {number} width
 * @param {import("../../views/page.js").Page} page
 * @param {(place: number) => void} tap
 */
function outlined({ place, ordinal, patch, standing, outline, middle: [x, y] }, chosen, width, page, tap) {
  const name = page.say(`seen.place-${standing}`, { place: page.language.digits(ordinal), patch: page.say(patch ? `patch.${patch}` : "seen.unnamed") });
  const size = width / 34;
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap(place);
  };
  return svg(
    `g.seen-place.${standing}`,
    { role: "button", tabindex: 0, "data-key": `place-${place}`, "aria-label": name, "aria-pressed": chosen, onclick: () => tap(place), onkeydown: press },
    svg("title", {}, name),
    svg("polygon", { points: outline.map((point) => point.join(",")).join(" "), "vector-effect": "non-scaling-stroke" }),
    svg("circle", { cx: x, cy: y, r: size * 0.7 }),
    svg("text", { x, y: y + size * 0.3, "font-size": size * 0.9 }, page.language.digits(ordinal)),
  );
}

/**
 * Return an enlarged view of a piece.
 *
 * @param {SeenCircle} circle
 * @param {SeenPlace} place
 */
export function closeup({ picture, width, height }, { outline }) {
  const [left, right] = span(outline.map(([x]) => x));
  const [top, bottom] = span(outline.map(([, y]) => y));
  const side = Math.max(right - left, bottom - top) * (1 + AROUND);
  const box = [(left + right - side) / 2, (top + bottom - side) / 2, side, side].map((value) => value.toFixed(1));
  return svg("svg.seen-closeup", { viewBox: box.join(" "), "aria-hidden": "true", focusable: "false" }, svg("image", { href: picture, width, height }));
}

/**
 * Return the picture of a stretch with the line of a possible order, from the piece before it to the piece after it.
 *
 * @param {SeenCircle} circle
 * @param {number[]} way
 * @param {import("../../language.js").Language} language
 */
export function wayPicture({ picture, width, height, places, unclear }, way, language) {
  const { ways: [seen] } = /** @type {UnclearStretch} */ (unclear.find(({ ways }) => ways.includes(way)));
  const at = (/** @type {number} */ place) => places[(place - 1 + places.length) % places.length];
  const shown = [seen[0] - 1, ...seen, seen[seen.length - 1] + 1].map(at);
  const [left, right] = span(shown.flatMap(({ outline }) => outline.map(([x]) => x)));
  const [top, bottom] = span(shown.flatMap(({ outline }) => outline.map(([, y]) => y)));
  const line = [at(seen[0] - 1), ...way.map(at), at(seen[seen.length - 1] + 1)].map(({ middle }) => middle);
  const size = Math.max(right - left, bottom - top) / 18;
  const points = line.map((point) => point.join(",")).join(" ");
  return svg(
    "svg.seen-way",
    { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, "aria-hidden": "true", focusable: "false" },
    svg("image", { href: picture, width, height }),
    svg("polyline.seen-edge", { points, "stroke-width": size * 0.6 }),
    svg("polyline", { points, "stroke-width": size / 3 }),
    ...way.map((place, number) => {
      const [x, y] = at(place).middle;
      return svg("g", {}, svg("circle", { cx: x, cy: y, r: size, "stroke-width": size / 6 }), svg("text", { x, y: y + size * 0.45, "font-size": size * 1.3 }, language.digits(number + 1)));
    }),
  );
}

/**
 * @param {number[]} values
 * @returns {[number, number]}
 */
function span(values) {
  return [Math.min(...values), Math.max(...values)];
}
