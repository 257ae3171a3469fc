/** Animations of a move: the patch flies to its quilt, tokens move space by space, buttons count up, leather is celebrated. */

import { svg } from "../dom.js";
import { tabletop } from "./state.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("../contract.js").Seat} Seat
 */

const WALK_MS = 90;
const LONGEST_WALK_MS = 1200;
const LAID_MS = 420;
const FLIGHT_MS = 650;
const COUNT_MS = 700;
const BITS = 14;
const LEATHER = "leather";
const COLOURS = ["#b4483f", "#dba63f", "#4f739f", "#94ab80", "#d58f92"];

/** The last position of each patch on offer, by id, in the page's coordinates. @type {Map<string, DOMRect>} */
let offered = new Map();

/**
 * Animate the moves of the game. Only changes after the page was opened are animated, nothing waits for an animation, and
 * none is shown if the reader prefers reduced motion.
 *
 * @param {Page} page
 */
export function feelMoves(page) {
  /** @type {Snapshot | null} */
  let before = null;
  page.store.subscribe(({ snapshot }) => {
    const last = before;
    before = snapshot;
    if (!snapshot || last === snapshot || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    // In the next frame the page has drawn the new state.
    requestAnimationFrame(() => {
      if (last?.game?.id === snapshot.game?.id) snapshot.patchwork?.seats.forEach((seat) => follow(seat, /** @type {Snapshot} */ (last), page));
      offered = new Map([...document.querySelectorAll("#offers .offer-cloth .piece, #offers .leather-due .icon")].map(whereDrawn));
    });
  });
}

/**
 * @param {Element} cloth
 * @returns {[string, DOMRect]}
 */
function whereDrawn(cloth) {
  const { x, y, width, height } = cloth.getBoundingClientRect();
  return [cloth.getAttribute("data-patch") ?? "leather", new DOMRect(x + scrollX, y + scrollY, width, height)];
}

/**
 * @param {Seat} seat
 * @param {Snapshot} last
 * @param {Page} page
 */
function follow(seat, last, page) {
  const was = last.patchwork?.seats.find((one) => one.seat === seat.seat);
  if (!was) return;
  if (seat.time > was.time) walk(seat.seat, was.time, seat.time);
  if (seat.buttons > was.buttons) count(seat.seat, was.buttons, seat.buttons, page);
  if (seat.pieces.length > was.pieces.length) lay(seat, page);
}

/**
 * @param {number} seat
 * @param {number} from
 * @param {number} to
 */
function walk(seat, from, to) {
  const token = document.querySelector(`#track .token.seat-${seat}`);
  const spaces = (document.querySelector("#track [data-spaces]")?.getAttribute("data-spaces") ?? "").split(" ").slice(from, to);
  // Where the track is not drawn there is nothing to walk on.
  if (!token || !spaces.every((place) => place.includes(","))) return;
  const steps = spaces.map((place) => ({ transform: `translate(${place.replace(",", "px, ")}px)` }));
  token.animate([...steps, {}], { duration: Math.min(WALK_MS * steps.length, LONGEST_WALK_MS), easing: "ease-in-out" });
}

/**
 * @param {number} seat
 * @param {number} from
 * @param {number} to
 * @param {Page} page
 */
function count(seat, from, to, page) {
  const figure = document.querySelector(`#seat-${seat} .figure.main dd`);
  const number = figure?.lastChild;
  if (!figure || number?.nodeType !== Node.TEXT_NODE) return;
  const begin = performance.now();
  const goal = number.textContent;
  const step = (/** @type {number} */ now) => {
    const share = Math.min((now - begin) / COUNT_MS, 1);
    if (!figure.isConnected) return;
    number.textContent = share < 1 ? page.language.digits(Math.round(from + (to - from) * share)) : goal;
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  figure.animate([{ scale: 1 }, { scale: 1.18 }, { scale: 1 }], { duration: COUNT_MS });
}

/**
 * @param {Seat} seat
 * @param {Page} page
 */
function lay({ seat, pieces }, page) {
  const last = pieces[pieces.length - 1];
  const piece = /** @type {SVGGElement | null} */ (byHand(seat, last, page) ?? [...document.querySelectorAll(`#seat-${seat} svg.quilt .piece`)].at(-1) ?? null);
  if (!piece) return;
  // A player has already laid a piece of a virtual table there by hand.
  if (!piece.closest(".v-board") && !fly(piece)) comeDown(piece);
  if (last.patch === LEATHER) celebrate(piece);
}

/**
 * Return the element of a recorded piece on a virtual table, or null.
 *
 * @param {number} seat
 * @param {Seat["pieces"][number]} piece
 * @param {Page} page
 */
function byHand(seat, { patch, cells }, page) {
  const lying = tabletop(page.state())?.pieces.find((one) => one.seat === seat && one.patch === patch && one.cells[0] === cells[0]);
  return lying ? document.querySelector(`#seat-${seat} .v-board [data-piece="${lying.piece}"]`) : null;
}

/** @param {SVGGElement} piece */
function comeDown(piece) {
  piece.style.transformBox = "fill-box";
  piece.style.transformOrigin = "center";
  piece.animate([{ transform: "translateY(-30px) scale(1.25) rotate(-4deg)", opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: LAID_MS, easing: "cubic-bezier(.2,.8,.3,1.15)" });
}

/**
 * Fly a copy above the page from the patch's offer to the piece, which appears when the copy arrives.
 *
 * @param {SVGGElement} piece
 * @returns {boolean}  Whether a copy flies; it does not if either end is outside the window.
 */
function fly(piece) {
  const from = offered.get(piece.dataset.patch ?? "");
  const to = piece.getBoundingClientRect();
  if (!from?.width || !isInSight(to) || !isInSight(new DOMRect(from.x - scrollX, from.y - scrollY, from.width, from.height))) return false;
  const { x, y, width, height } = piece.getBBox();
  const copy = svg("svg.flight", { viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true" }, piece.cloneNode(true));
  copy.style.cssText = `left:${to.x}px;top:${to.y}px;width:${to.width}px;height:${to.height}px`;
  document.body.append(copy);
  const away = `translate(${from.x - scrollX + (from.width - to.width) / 2 - to.x}px, ${from.y - scrollY + (from.height - to.height) / 2 - to.y}px)`;
  piece.animate([{ opacity: 0 }, { opacity: 0 }], { duration: FLIGHT_MS });
  const begin = { transform: `${away} scale(${Math.min(from.width / to.width, from.height / to.height)})` };
  const half = { transform: `${away} scale(1.25) rotate(-4deg)`, offset: 0.25 };
  copy.animate([begin, half, { transform: "none" }], { duration: FLIGHT_MS, easing: "ease-in-out" }).finished.then(() => copy.remove());
  return true;
}

/** @param {DOMRect} place  In the window's coordinates. */
function isInSight({ top, bottom }) {
  return bottom > 0 && top < innerHeight;
}

/**
 * Let snips of thread fly up and disappear.
 *
 * @param {Element} piece
 */
function celebrate(piece) {
  const { left, top, width, height } = piece.getBoundingClientRect();
  for (let bit = 0; bit < BITS; bit += 1) {
    const snip = document.createElement("i");
    snip.className = "snip";
    snip.setAttribute("aria-hidden", "true");
    snip.style.cssText = `left:${left + width / 2}px;top:${top + height / 2}px;background:${COLOURS[bit % COLOURS.length]}`;
    document.body.append(snip);
    const angle = (bit / BITS) * 2 * Math.PI;
    const away = `translate(${60 * Math.cos(angle)}px, ${60 * Math.sin(angle) - 30}px) rotate(${200 + 40 * bit}deg)`;
    snip.animate([{ transform: "none", opacity: 1 }, { transform: away, opacity: 0 }], { duration: 900, easing: "ease-out" }).finished.then(() => snip.remove());
  }
}
