/** The picture in which the circle was seen, with its pieces outlined. */

import { html, svg } from "../../dom.js";
import "./texts.js";

/**
 * @typedef {object} SeenPlace
 * @property {number} place  From 1, clockwise.
 * @property {string | null} patch
 * @property {"sure" | "doubtful" | "answered"} standing
 * @property {string[]} candidates  The likeliest first.
 * @property {boolean} whole  Whether all of it is in the picture.
 * @property {[number, number][]} outline  In pixels of the picture.
 * @property {[number, number]} middle
 *
 * @typedef {object} SeenCircle
 * @property {number} number
 * @property {boolean} known  Whether the game goes by it.
 * @property {string} picture
 * @property {number} width
 * @property {number} height
 * @property {SeenPlace[]} places
 * @property {{place: number, patch: string}[]} behind
 * @property {string[]} missing
 * @property {string[]} notes
 */

const AROUND = 0.35;

/**
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
function outlined({ place, patch, standing, outline, middle: [x, y] }, chosen, width, page, tap) {
  const name = page.say(`seen.place-${standing}`, { place: page.language.digits(place), patch: page.say(patch ? `patch.${patch}` : "seen.unnamed") });
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
    svg("text", { x, y: y + size * 0.3, "font-size": size * 0.9 }, page.language.digits(place)),
  );
}

/**
 * One piece, large.
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
 * @param {number[]} values
 * @returns {[number, number]}
 */
function span(values) {
  return [Math.min(...values), Math.max(...values)];
}
