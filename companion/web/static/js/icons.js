/** Icons: buttons, hourglass, leather, the marks of the seats and others. Icons are decoration, hidden from screen readers. */

import { svg } from "./dom.js";

/** The emblems of `calibration/identity.py`, as on mats and labels: seat 1 a ring, seat 2 a star. 10 by 10 about (0, 0). */
const SEAT_FORMS = {
  1: "M-4.7 0a4.7 4.7 0 1 1 9.4 0a4.7 4.7 0 1 1-9.4 0ZM-2.45 0a2.45 2.45 0 1 0 4.9 0a2.45 2.45 0 1 0-4.9 0ZM-1.4 0a1.4 1.4 0 1 1 2.8 0a1.4 1.4 0 1 1-2.8 0Z",
  2: "M0 -5L1.3 -3.14L3.54 -3.54L3.14 -1.3L5 0L3.14 1.3L3.54 3.54L1.3 3.14L0 5L-1.3 3.14L-3.54 3.54L-3.14 1.3L-5 0L-3.14 -1.3L-3.54 -3.54L-1.3 -3.14ZM-0.6 -1.44L-1.63 -1.63L-1.44 -0.6L-2.3 0L-1.44 0.6L-1.63 1.63L-0.6 1.44L0 2.3L0.6 1.44L1.63 1.63L1.44 0.6L2.3 0L1.44 -0.6L1.63 -1.63L0.6 -1.44L0 -2.3Z",
  3: "M0-4.4L4.4 3.4H-4.4Z",
  4: "M0-4.6L3.9 0 0 4.6-3.9 0Z",
};

/**
 * @param {string} box
 * @param {string} kind
 * @param {...SVGElement} content
 */
function icon(box, kind, ...content) {
  return svg("svg", { viewBox: box, class: `icon ${kind}`, "aria-hidden": "true", focusable: "false" }, ...content);
}

/** Return a button of the game as part of a larger drawing, centred on (0, 0) with a radius of 5. */
export function buttonShape() {
  const holes = [-1.3, 1.3].flatMap((x) => [-1.3, 1.3].map((y) => svg("circle", { cx: x, cy: y, r: 0.72, class: "button-hole" })));
  return svg(
    "g.button-shape",
    {},
    svg("circle", { r: 4.7, class: "button-body" }),
    svg("circle", { r: 3.35, class: "button-rim" }),
    ...holes,
  );
}

/** Return the icon of a button of the game. */
export function buttonIcon() {
  return icon("-5 -5 10 10", "icon-button", buttonShape());
}

/** Return an hourglass, the icon of time. */
export function timeIcon() {
  return icon(
    "-5 -5 10 10",
    "icon-time",
    svg("path", { d: "M-2.9-3.9H2.9C2.9-1.5.8-.9.8 0S2.9 1.5 2.9 3.9H-2.9C-2.9 1.5-.8.9-.8 0S-2.9-1.5-2.9-3.9Z", class: "glass" }),
    svg("path", { d: "M-1.9-1.9H1.9C1.5-.9.4-.7 0 .1C-.4-.7-1.5-.9-1.9-1.9ZM-2.2 3.4C-1.8 2.4-.6 2 0 1.5C.6 2 1.8 2.4 2.2 3.4Z", class: "sand" }),
    svg("path", { d: "M-3.6-4.2H3.6M-3.6 4.2H3.6", class: "frame" }),
  );
}

/** Return the icon of a leather patch. */
export function leatherIcon() {
  return icon("-5 -5 10 10", "icon-leather", leatherShape());
}

/** Return a leather patch as part of a larger drawing, centred on (0, 0), 9 wide. */
export function leatherShape() {
  return svg(
    "g.leather-shape",
    {},
    svg("rect", { x: -4.5, y: -4.5, width: 9, height: 9, rx: 1.3, class: "hide" }),
    svg("rect", { x: -3.2, y: -3.2, width: 6.4, height: 6.4, rx: 0.7, class: "hide-stitch" }),
  );
}

/** Return the icon of the special tile for a full 7x7. */
export function tileIcon() {
  const squares = [-3.4, 0.4].flatMap((x) => [-3.4, 0.4].map((y, index) => svg("rect", { x, y, width: 3, height: 3, rx: 0.5, class: index ? "tile-a" : "tile-b" })));
  return icon("-5 -5 10 10", "icon-tile", svg("rect", { x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 1.6, class: "tile-body" }), ...squares);
}

/**
 * Return a sun for "light", a moon for "dark", and a half-filled disc otherwise.
 *
 * @param {string} theme
 */
export function themeIcon(theme) {
  const rays = "M0-4.8V-3.6M0 4.8V3.6M-4.8 0H-3.6M4.8 0H3.6M-3.4-3.4L-2.6-2.6M3.4 3.4L2.6 2.6M-3.4 3.4L-2.6 2.6M3.4-3.4L2.6-2.6";
  const sun = [svg("circle", { r: 2.4, class: "orb" }), svg("path", { d: rays, class: "rays" })];
  const moon = svg("path", { d: "M1.6-4.2A4.3 4.3 0 1 0 4.2 1.6 3.6 3.6 0 0 1 1.6-4.2Z", class: "orb" });
  const half = [svg("circle", { r: 4, class: "rays" }), svg("path", { d: "M0-4A4 4 0 0 1 0 4Z", class: "orb" })];
  return icon("-5 -5 10 10", "icon-theme", ...(theme === "light" ? sun : theme === "dark" ? [moon] : half));
}

/**
 * Return a loudspeaker, with sound waves or crossed out.
 *
 * @param {boolean} isOn
 */
export function voiceIcon(isOn) {
  const horn = svg("path", { d: "M-4-1.5H-2.2L0.4-3.8V3.8L-2.2 1.5H-4Z", class: "orb" });
  return icon("-5 -5 10 10", "icon-theme", horn, svg("path", { d: isOn ? "M1.8-1.6A2.2 2.2 0 0 1 1.8 1.6M2.9-3A4.2 4.2 0 0 1 2.9 3" : "M1.9-1.4L4.5 1.4M4.5-1.4L1.9 1.4", class: "rays" }));
}

/**
 * Return a thimble, with rays or plain.
 *
 * @param {boolean} isOn
 */
export function tipsIcon(isOn) {
  const thimble = svg("path", { d: "M-2.4 4.2L-1.7-.8Q-1.4-2.4 0-2.4T1.7-.8L2.4 4.2Z", class: isOn ? "orb" : "rays" });
  return icon("-5 -5 10 10", "icon-theme", thimble, svg("path", { d: isOn ? "M0-4.8V-3.6M-3.4-3.6L-2.5-2.7M3.4-3.6L2.5-2.7M-4.6-.6H-3.4M4.6-.6H3.4" : "M-2 2.2H2", class: "rays" }));
}

/** Return the icon of an empty square of a quilt. */
export function emptyIcon() {
  return icon("-5 -5 10 10", "icon-empty", svg("rect", { x: -3.9, y: -3.9, width: 7.8, height: 7.8, rx: 0.9, class: "hole" }));
}

/** Return a rosette, the icon of the winner. */
export function rosetteIcon() {
  const scallops = Array.from({ length: 12 }, (_, index) => {
    const angle = (index * Math.PI) / 6;
    return svg("circle", { cx: (3.3 * Math.cos(angle)).toFixed(2), cy: (3.3 * Math.sin(angle) - 0.6).toFixed(2), r: 1.1, class: "rosette-edge" });
  });
  const ribbons = svg("path", { d: "M-1.8 2L-3 5.2-1.3 4.6-.3 5.6.2 2.4M1.8 2L3 5.2 1.3 4.6.3 5.6-.2 2.4", class: "rosette-ribbon" });
  return icon("-5 -5.6 10 11.6", "icon-rosette", ribbons, ...scallops, svg("circle", { cy: -0.6, r: 3.2, class: "rosette-body" }), svg("path", { d: star(), class: "rosette-star" }));
}

function star() {
  return "M0-2.6L.6-1.2 2-1.1 1-.1 1.3 1.3 0 .6-1.3 1.3-1-.1-2-1.1-.6-1.2Z";
}

/**
 * Return the mark of a seat as part of a larger drawing, centred on (0, 0).
 *
 * @param {number} seat
 */
export function seatShape(seat) {
  return svg("path", { d: SEAT_FORMS[/** @type {1 | 2 | 3 | 4} */ (seat)], class: `seat-shape seat-${seat}` });
}

/**
 * Return the mark of a seat as an icon beside its name.
 *
 * @param {number} seat
 */
export function seatIcon(seat) {
  return icon("-5.4 -5.4 10.8 10.8", "icon-seat", seatShape(seat));
}
