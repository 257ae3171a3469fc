/** The sheet to enter a placement by hand, by tapping squares, if the camera reads it wrongly. */

import { fill, html } from "../dom.js";
import { showSheet } from "../views/dialog.js";
import { incomeIn } from "./box.js";
import { patchPicture, quilt } from "./quilt.js";
import { ALL_CELLS, cellOf, shapedLike, SIDE, toCell } from "./shapes.js";
import { seatOf } from "./state.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Offer} Offer
 * @typedef {{seat: import("../contract.js").Seat, leather: boolean, covered: Set<string>, tapped: Set<string>, patch: string | null}} Correction
 */

/** Open the sheet to enter the placement of the player whose turn it is. @param {Page} page */
export function openSheet(page) {
  const state = page.state();
  const table = state.snapshot?.patchwork;
  const seat = seatOf(state, table?.turn.seat ?? null);
  if (!seat) return;
  const covered = new Set(seat.pieces.flatMap(({ cells }) => cells));
  /** @type {Correction} */
  const correction = { seat, leather: table?.turn.must === "leather", covered, tapped: suggested(state, seat.seat), patch: null };
  const [board, verdict] = [html("div.tap-board"), html("div.tap-verdict", { "aria-live": "polite" })];
  const sheet = showSheet(page, page.say("correct.title", { name: seat.name }), html("p", {}, page.say("correct.how")), board, verdict);
  const draw = () => {
    fill(board, ...tapBoard(correction, page, draw));
    fill(verdict, ...judgement(correction, page, draw, sheet));
  };
  draw();
}

/**
 * Return the squares to start with: those of the current question's shown option, if it is about this seat.
 *
 * @param {import("../views/page.js").PageState} state
 * @param {number} seat
 */
function suggested({ snapshot }, seat) {
  const question = snapshot?.patchwork?.question;
  return new Set(question?.seat === seat ? question.options[question.choice]?.cells ?? [] : []);
}

/**
 * @param {Correction} correction
 * @param {Page} page
 * @param {() => void} draw
 */
function tapBoard(correction, page, draw) {
  const { seat, tapped } = correction;
  const match = matches(correction, page)[0];
  const patch = correction.patch ?? match?.patch ?? (correction.leather ? "leather" : "unknown");
  const proposal = tapped.size ? { patch, cells: [...tapped] } : null;
  const pieces = seat.pieces.map((piece) => ({ ...piece, new: false }));
  const picture = quilt({ pieces, label: page.say("correct.board"), incomeOf: incomeIn(page.state()), proposal });
  return [picture, html("div.tap-cells", { role: "group", "aria-label": page.say("correct.board") }, ...ALL_CELLS.map((name) => tapCell(name, correction, page, draw)))];
}

/**
 * @param {string} name
 * @param {Correction} correction
 * @param {Page} page
 * @param {() => void} draw
 */
function tapCell(name, correction, page, draw) {
  const { tapped, covered } = correction;
  const taken = covered.has(name);
  const toggle = () => {
    if (taken) return;
    if (!tapped.delete(name)) tapped.add(name);
    correction.patch = null;
    draw();
  };
  return html("button.tap-cell", {
    type: "button",
    "data-key": name,
    "aria-label": taken ? page.say("correct.covered", { cell: name }) : name,
    "aria-pressed": tapped.has(name) ? "true" : "false",
    "aria-disabled": taken || null,
    tabindex: name === roving(correction) ? 0 : -1,
    onclick: toggle,
    onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event, name),
  });
}

/** @param {Correction} correction */
function roving({ tapped, covered }) {
  return [...tapped][0] ?? ALL_CELLS.find((name) => !covered.has(name)) ?? ALL_CELLS[0];
}

/**
 * Move the focus over the board by arrow keys.
 *
 * @param {KeyboardEvent} event
 * @param {string} name
 */
function walk(event, name) {
  /** @type {Record<string, number>} */
  const steps = { ArrowUp: -SIDE, ArrowDown: SIDE, ArrowLeft: -1, ArrowRight: 1 };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const [here, there] = [ALL_CELLS.indexOf(name), ALL_CELLS.indexOf(name) + step];
  const sameRow = Math.floor(here / SIDE) === Math.floor(there / SIDE);
  if (Math.abs(step) === 1 && !sameRow) return;
  const target = ALL_CELLS[there];
  if (target) /** @type {HTMLElement | null} */ (document.querySelector(`.tap-cell[data-key="${target}"]`))?.focus();
}

/**
 * Return the patches on offer with the shape of the tapped squares.
 *
 * @param {Correction} correction
 * @param {Page} page
 * @returns {Offer[]}
 */
function matches({ tapped, leather }, page) {
  return leather ? [] : shapedLike([...tapped].map(cellOf), page.state().snapshot?.patchwork?.offers ?? []);
}

/**
 * @param {Correction} correction
 * @param {Page} page
 * @param {() => void} draw
 * @param {HTMLDialogElement} sheet
 */
function judgement(correction, page, draw, sheet) {
  const found = matches(correction, page);
  const complete = correction.leather ? correction.tapped.size === 1 : found.length > 0;
  const chosen = correction.leather ? null : correction.patch ?? (found.length === 1 ? found[0].patch : null);
  const ready = complete && (correction.leather || chosen !== null);
  const send = async () => {
    if (!ready) return;
    const answer = await page.commands.override(correction.seat.seat, [...correction.tapped], chosen);
    if (answer.ok) sheet.close();
    else fill(refusal, answer.error ?? "");
  };
  const refusal = html("p.refused", { role: "alert" });
  return [
    html("p.tap-says", {}, verdictOf(correction, found, page)),
    found.length > 1 ? html("div.twins", { role: "group", "aria-label": page.say("correct.which") }, ...found.map((offer) => twin(offer, chosen, page, () => { correction.patch = offer.patch; draw(); }))) : null,
    refusal,
    html("button.push.push-confirm", { type: "button", "data-key": "send", "aria-disabled": !ready || null, onclick: send }, html("span.push-name", {}, page.say("correct.send"))),
  ];
}

/**
 * @param {Correction} correction
 * @param {Offer[]} found
 * @param {Page} page
 */
function verdictOf({ tapped, leather, seat }, found, page) {
  if (!tapped.size) return page.say("correct.start");
  if (leather) return page.say(tapped.size === 1 ? "correct.leather" : "correct.one-square");
  if (!found.length) return page.say("correct.no-match", { count: tapped.size });
  if (found.length > 1) return page.say("correct.which");
  return page.say(found[0].affordable ? "correct.match" : "correct.match-dear", { patch: page.say(`patch.${found[0].patch}`), count: found[0].buttons, name: seat.name });
}

/**
 * Return a button that chooses one of several patches of the same shape.
 *
 * @param {{patch: string, cells: [number, number][], buttons: number, time: number, income: number}} offer
 * @param {string | null} chosen
 * @param {Page} page
 * @param {() => void} choose
 */
export function twin(offer, chosen, page, choose) {
  return html(
    "button.option",
    { type: "button", "data-key": `twin-${offer.patch}`, "aria-pressed": offer.patch === chosen ? "true" : "false", onclick: choose },
    patchPicture(offer.patch, offer.cells.map(toCell), offer.income),
    html("span.option-says", {}, page.say("correct.label", { patch: page.say(`patch.${offer.patch}`), buttons: offer.buttons, time: offer.time })),
  );
}
