/** What a move feels like: cloth comes down, tokens walk their spaces, buttons are counted, leather is a small feast. */

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("../contract.js").Seat} Seat
 */

const WALK_MS = 90;
const LONGEST_WALK_MS = 1200;
const LAID_MS = 420;
const COUNT_MS = 700;
const BITS = 14;
const COLOURS = ["#b4483f", "#dba63f", "#4f739f", "#94ab80", "#d58f92"];

/**
 * Follow the game; nothing moves that was there when the page was opened, nothing waits for it, and where motion is
 * unwanted nothing moves at all.
 *
 * @param {Page} page
 */
export function feelMoves(page) {
  /** @type {Snapshot | null} */
  let before = null;
  page.store.subscribe(({ snapshot }) => {
    const last = before;
    before = snapshot;
    if (!last || !snapshot || last === snapshot || last.game?.id !== snapshot.game?.id) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    // By then the page has drawn what is new.
    requestAnimationFrame(() => snapshot.seats.forEach((seat) => follow(seat, last, page)));
  });
}

/**
 * @param {Seat} seat
 * @param {Snapshot} last
 * @param {Page} page
 */
function follow(seat, last, page) {
  const was = last.seats.find((one) => one.seat === seat.seat);
  if (!was) return;
  if (seat.time > was.time) walk(seat.seat, was.time, seat.time);
  if (seat.buttons > was.buttons) count(seat.seat, was.buttons, seat.buttons, page);
  if (seat.pieces.length > was.pieces.length) lay(seat.seat);
}

/**
 * @param {number} seat
 * @param {number} from
 * @param {number} to
 */
function walk(seat, from, to) {
  const token = document.querySelector(`#track .token.seat-${seat}`);
  const spaces = (document.querySelector("#track [data-spaces]")?.getAttribute("data-spaces") ?? "").split(" ").slice(from, to);
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

/** @param {number} seat */
function lay(seat) {
  const pieces = document.querySelectorAll(`#seat-${seat} svg.quilt .piece`);
  const piece = /** @type {SVGElement | undefined} */ (pieces[pieces.length - 1]);
  if (!piece || piece.closest(".v-board")) return celebrate(document.querySelector(`#seat-${seat} .v-board .leather:last-of-type`));
  piece.style.transformBox = "fill-box";
  piece.style.transformOrigin = "center";
  piece.animate([{ transform: "translateY(-30px) scale(1.25) rotate(-4deg)", opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: LAID_MS, easing: "cubic-bezier(.2,.8,.3,1.15)" });
  if (piece.classList.contains("leather")) celebrate(piece);
}

/**
 * Snips of thread fly up, once, and are gone.
 *
 * @param {Element | null} piece
 */
function celebrate(piece) {
  if (!piece?.classList.contains("leather")) return;
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
