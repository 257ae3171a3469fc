/** A player's quilt with its figures. */

import { html } from "../dom.js";
import { buttonIcon, emptyIcon, leatherIcon, seatIcon, tileIcon } from "../icons.js";
import { incomeIn } from "./box.js";
import { quilt } from "./quilt.js";
import { seatOf } from "./state.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Seat} Seat
 */

/**
 * Return a function that draws a seat.
 *
 * @param {number} number  1 or 2.
 * @returns {(state: PageState, page: Page) => (HTMLElement | SVGElement | null)[]}
 */
export function seatView(number) {
  return (state, page) => {
    const seat = seatOf(state, number);
    return seat ? [heading(seat, state, page), quiltOf(seat, state, page), figures(seat, page), nextMarks(seat, page)] : [];
  };
}

/**
 * @param {Seat} seat
 * @param {PageState} state
 * @param {Page} page
 */
function heading(seat, state, page) {
  const wins = state.snapshot?.patchwork?.result?.winner === seat.seat;
  return html(
    "header.seat-head",
    {},
    seatIcon(seat.seat),
    html("h2.seat-name", { id: `seat-${seat.seat}-title`, dir: "auto" }, seat.name),
    seat.bonus ? html("span.badge.bonus", { title: page.say("seat.bonus") }, tileIcon(), html("span", { "aria-hidden": "true" }, page.say("seat.bonus-short")), html("span.spoken", {}, page.say("seat.bonus"))) : null,
    wins ? html("span.badge.turn-badge", {}, page.say("seat.wins")) : null,
    seat.moves && !state.snapshot?.game?.finished ? html("span.badge.turn-badge", {}, page.say("seat.moves")) : null,
  );
}

/**
 * @param {Seat} seat
 * @param {PageState} state
 * @param {Page} page
 */
function quiltOf(seat, state, page) {
  const { question, foreseen, proposed } = state.snapshot?.patchwork ?? {};
  const shown = question?.seat === seat.seat ? question.options[question.choice] : foreseen ?? proposed;
  const awaited = shown && (shown.seat ?? question?.seat) === seat.seat ? shown : null;
  return quilt({
    pieces: seat.pieces,
    label: quiltLabel(seat, page),
    incomeOf: incomeIn(state),
    language: page.language,
    ...marksOn(seat.seat, state.snapshot),
    proposal: awaited?.cells?.length ? { patch: awaited.patch ?? "leather", cells: awaited.cells } : null,
  });
}

/**
 * Return the cells to mark on a seat's quilt for a question or complaint. A complaint may be about either player's quilt.
 *
 * @param {number} seat
 * @param {import("../contract.js").Snapshot | null | undefined} snapshot
 * @returns {{marked: string[], markedAs: "question" | "complaint"}}
 */
export function marksOn(seat, snapshot) {
  const { question, complaint } = snapshot?.patchwork ?? {};
  if (question?.seat === seat) return { marked: question.cells ?? [], markedAs: "question" };
  return { marked: complaint?.quilt === seat ? complaint.cells : [], markedAs: "complaint" };
}

/**
 * Return the description of a quilt for screen readers.
 *
 * @param {Seat} seat
 * @param {Page} page
 */
export function quiltLabel(seat, page) {
  const names = seat.pieces.map(({ patch }) => page.say(patch === "leather" ? "offers.wins-leather" : `patch.${patch}`)).join(", ");
  const covered = page.say("seat.quilt", { name: seat.name, covered: 81 - seat.empty });
  return names ? `${covered} ${names}.` : covered;
}

/**
 * @param {Seat} seat
 * @param {Page} page
 */
function figures(seat, page) {
  const { say, language } = page;
  return html(
    "dl.figures",
    {},
    figure(buttonIcon(), say("seat.buttons"), language.digits(seat.buttons), "main"),
    figure(null, say("seat.score"), language.digits(seat.score), "main score"),
    figure(null, say("seat.income"), seat.income ? say("offers.plus", { income: seat.income }) : language.digits(0)),
    figure(emptyIcon(), say("seat.empty"), language.digits(seat.empty)),
  );
}

/**
 * @param {Node | null} icon
 * @param {string} name
 * @param {string} value
 * @param {string} [kind]
 */
function figure(icon, name, value, kind = "") {
  return html(`div.figure${kind && `.${kind.replace(" ", ".")}`}`, {}, html("dt", {}, name), html("dd", {}, icon, value));
}

/**
 * @param {Seat} seat
 * @param {Page} page
 */
function nextMarks(seat, page) {
  if (!seat.next_marks.length) return null;
  const marks = seat.next_marks.slice(0, 2).map(({ steps, income, leather }) =>
    html(
      "li",
      {},
      leather ? leatherIcon() : buttonIcon(),
      page.say(`seat.mark-${leather ? "leather" : income ? "income" : "unpaid"}`, { count: steps, income }),
    ),
  );
  return html("ul.next-marks", { "aria-label": page.say("seat.marks") }, ...marks);
}
