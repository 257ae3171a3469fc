/** The sections of Kvilt: which element of the page shows what, and on which part of the state it depends. */

import { html } from "../dom.js";
import { rosetteIcon, seatIcon } from "../icons.js";
import { COMMON } from "../sections.js";
import { afterwards, answered, doubtLine, handView, pushButtons, undoing } from "../views/controls.js";
import { canPush } from "../views/page.js";
import { nowLine } from "../views/turn.js";
import { nameOfColour, pencil, pencils, scrap, screenOf } from "./colours.js";
import { seatView } from "./seat.js";
import "./texts.js";
import { liesUnder, marksOn, paints, themeOf, uncountedOn } from "./virtual/paper.js";
import { weaveOf } from "./weaves.js";

/**
 * @typedef {import("../sections.js").Section} Section
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 */

/** The number of sheets drawn so far. */
let drawnSheets = 0;
/** Each sheet's number. @type {WeakMap<KviltSheet, number>} */
const numbers = new WeakMap();

/**
 * Return a number that identifies a sheet; 0 for none.
 *
 * @param {KviltSheet | null} sheet
 */
function numberOf(sheet) {
  // A number, because what a section needs is compared as JSON, and a whole sheet is long.
  if (!sheet) return 0;
  if (!numbers.has(sheet)) numbers.set(sheet, (drawnSheets += 1));
  return numbers.get(sheet);
}

/**
 * Return the sections of the page for a game of Kvilt.
 *
 * @param {() => KviltSheet | null} sheet  Returns the layout of the sheets, or null until it is loaded.
 * @returns {Section[]}
 */
export function kviltSections(sheet) {
  const drawn = () => numberOf(sheet());
  const seats = [1, 2, 3, 4].map((number) => ({
    id: `seat-${number}`,
    draw: seatView(number, sheet),
    needs: (/** @type {Snapshot} */ s, /** @type {import("../store.js").PageState} */ state) => [s.kvilt?.seats[number - 1], s.kvilt?.phase, s.kvilt?.cushions, s.kvilt?.first, s.kvilt?.choice?.regions, s.kvilt?.complaint, s.kvilt?.result, drawn(), themeOf(state, number), marksOn(state, number), uncountedOn(state, number), paints(state, s.kvilt), liesUnder(state) === number],
  }));
  return [
    { id: "turn", draw: turnView, needs: (s) => [s.kvilt?.turn, s.kvilt?.phase, s.kvilt?.round, s.kvilt?.result, s.kvilt?.choice?.says, s.kvilt?.complaint, s.friend?.wish, s.phase, s.table.camera, s.table.awaited] },
    { id: "doubt", draw: complaintView, needs: (s) => [s.kvilt?.complaint] },
    { id: "offers", draw: choiceView(sheet), needs: (s, { me, link }) => [s.kvilt?.choice, s.kvilt?.crop, me, link === "over", drawn()] },
    { id: "controls", draw: pushView, needs: (s, { me, busy, said, link }) => [s.kvilt?.choice, s.phase, s.game, me, busy, said, link === "over"] },
    { id: "result", draw: scoreView, needs: (s, { me, link }) => [s.kvilt?.seats.map(({ name, score }) => [name, score]), s.kvilt?.result, me, link === "over"] },
    ...seats,
    { id: "track", draw: middleView(sheet), needs: (s) => [s.kvilt?.cushions, s.kvilt?.tokens, s.kvilt?.bag, s.kvilt?.phase, s.kvilt?.seats.map(({ name }) => name), drawn()] },
    { id: "hand", draw: (state, page) => handView(state, page), needs: (s, { me, link }) => [Boolean(s.game?.decisions), s.kvilt?.result, me, link === "over"] },
    ...COMMON,
  ];
}

// The round, its phase and whose turn it is.

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

const PHASES = ["scraps", "pencils", "colouring"];

/**
 * Return the line that says whose turn it is, with the phases of the round.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function turnView({ snapshot }, page) {
  const table = snapshot?.kvilt;
  if (!table) return [];
  if (table.result) {
    return [html("div.turn-line", {}, rosetteIcon(), html("h2.turn-name", { id: "turn-title", dir: "auto" }, table.result.says))];
  }
  const mover = table.seats.find(({ seat }) => seat === table.turn);
  return [
    html("div.turn-line", {}, table.turn ? seatIcon(table.turn) : null, html("h2.turn-name", { id: "turn-title" }, page.say("turn.whose", { name: mover?.name ?? "" }))),
    phases(table, page),
    nowLine(snapshot, table.complaint?.says ?? table.choice?.says ?? "", page),
  ];
}

/**
 * @param {import("./contract.js").Kvilt} table
 * @param {Page} page
 */
function phases({ phase, round }, page) {
  const now = phase === "neutral" ? "pencils" : phase;
  const steps = (now === "counting" ? ["counting"] : PHASES).map((one) => html("li.phase", { "aria-current": one === now ? "step" : null }, page.say(`kvilt.phase-${one}`)));
  return html("ol.phases", { "aria-label": page.say("kvilt.round", { round }) }, html("li.round", {}, page.say("kvilt.round", { round })), ...steps);
}

// The middle of the table: pincushions, scraps and the bag.

/** @typedef {import("./contract.js").Kvilt} Kvilt */

/**
 * Return a function that draws the pincushions, the bag and the scraps.
 *
 * @param {() => KviltSheet | null} sheet
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
function middleView(sheet) {
  return ({ snapshot }, page) => {
    const table = snapshot?.kvilt;
    if (!table || table.phase === "end" || table.phase === "counting") return [];
    const cushions = table.cushions.map((cushion) => cushionOf(cushion, table, sheet(), page));
    return [
      html("h2.section-title", { id: "track-title" }, page.say("kvilt.middle")),
      html("ul.cushions", {}, ...cushions),
      html("p.middle-line", {}, page.say("kvilt.bag", { count: table.bag }), table.phase === "scraps" ? scrapsOf(table, sheet(), page) : null),
    ];
  };
}

/**
 * @param {Kvilt["cushions"][0]} cushion
 * @param {Kvilt} table
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function cushionOf(cushion, table, sheet, page) {
  const owner = table.seats.find(({ seat }) => seat === cushion.owner)?.name;
  const whose = owner ?? (cushion.neutral ? page.say("kvilt.neutral") : page.say("kvilt.cushion", { number: cushion.number }));
  const kind = owner ? ".taken" : cushion.neutral ? ".neutral" : "";
  return html(`li.cushion${kind}`, {}, html("span.cushion-name", {}, whose), pencils(cushion.pencils, sheet, page));
}

/**
 * @param {Kvilt} table
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function scrapsOf({ tokens }, sheet, page) {
  const items = tokens.map((key) => html("li", {}, scrap(screenOf(sheet, key), weaveOf(sheet, key)), html("span.spoken", {}, nameOfColour(sheet, key, page))));
  return html("ul.scraps", { "aria-label": page.say("kvilt.scraps") }, ...items);
}

// The score sheet, during the game and at its end.

/** @typedef {import("./contract.js").KviltSeat} KviltSeat */

/**
 * Return the score sheet of all players.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function scoreView(state, page) {
  const { snapshot } = state;
  const table = snapshot?.kvilt;
  if (!table) return [];
  const { seats, result } = table;
  const rows = seats[0].score.rows.map((_, index) => line(page.say("kvilt.row", { row: index + 1 }), seats, ({ score }) => sign(score.rows[index], score.negative?.includes(index + 1)), page));
  const totals = seats.map(({ seat, score }) => html(`td${result?.winners.includes(seat) ? ".winning" : ""}`, {}, page.language.digits(score.total)));
  return [
    html("h2.section-title", { id: "result-title" }, page.say(result ? "end.sheet" : "kvilt.score")),
    html(
      "table.score-sheet.kvilt-scores",
      { "aria-labelledby": "result-title" },
      html("thead", {}, html("tr", {}, html("td"), ...seats.map(({ seat, name }) => html("th", { scope: "col" }, seatIcon(seat), html("bdi", {}, name))))),
      html(
        "tbody",
        {},
        line(page.say("kvilt.patches"), seats, ({ score }) => score.patches, page),
        ...rows,
        line(page.say("kvilt.spools"), seats, ({ score }) => score.spools, page),
        buttons(seats, page),
      ),
      html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, page.say("end.total")), ...totals)),
    ),
    ...(result ? afterwards(state, page) : []),
  ];
}

/**
 * @param {number} points
 * @param {boolean | undefined} negative
 */
function sign(points, negative) {
  return negative ? -points : points;
}

/**
 * @param {string} name
 * @param {KviltSeat[]} seats
 * @param {(seat: KviltSeat) => number} points
 * @param {Page} page
 */
function line(name, seats, points, page) {
  return html("tr", {}, html("th", { scope: "row" }, name), ...seats.map((seat) => html("td", {}, page.language.digits(points(seat)))));
}

/**
 * Return the line of the buttons, each worth as much as the smallest row.
 *
 * @param {KviltSeat[]} seats
 * @param {Page} page
 */
function buttons(seats, { say, language }) {
  const cells = seats.map(({ score, buttons: [count, each] }) => {
    const factors = `${language.digits(count)} × ${language.digits(each)}`;
    const product = html("small", {}, "= ", html("bdi", { dir: "ltr" }, factors));
    return html("td", {}, language.digits(score.buttons), ...(count ? [" ", product] : []));
  });
  return html("tr", {}, html("th", { scope: "row" }, say("kvilt.buttons")), ...cells);
}

// The current choice in Kvilt: the options, a complaint about a sheet, and the three push-buttons.

/** @typedef {import("./contract.js").KviltOption} KviltOption */

/**
 * Return a function that draws the options of the current choice.
 *
 * @param {() => KviltSheet | null} sheet
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
function choiceView(sheet) {
  return (state, page) => {
    const choice = state.snapshot?.kvilt?.choice;
    if (!choice) return [];
    const options = choice.options.map((option, index) => optionCard(option, index, choice, state, page, sheet()));
    const none = choice.asks === "doubt" && canPush(state, page);
    return [
      html("h2.section-title.kvilt-asks", { id: "offers-title" }, page.say(`kvilt.asks-${choice.asks}`), choice.drawn ? inHand(choice.drawn, sheet(), page) : null),
      html("div.kvilt-ask", {}, crop(state, page), html(`ul.kvilt-options.of-${choice.asks}`, {}, ...options)),
      none ? html("button.plain", { type: "button", "data-key": "none", onclick: () => page.commands.answer(null) }, page.say("kvilt.look-again")) : null,
    ];
  };
}

/**
 * Return the drawn pencil, shown beside the question where to place it.
 *
 * @param {string} colour
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function inHand(colour, sheet, page) {
  return html("span.in-hand", {}, pencil(screenOf(sheet, colour), weaveOf(sheet, colour)), nameOfColour(sheet, colour, page));
}

/**
 * Return the camera's picture of the regions in question, for readers who may see its pictures.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function crop({ snapshot, me }, page) {
  const path = snapshot?.kvilt?.crop;
  if (!path || !me.can_see_camera) return null;
  const image = html("img", { src: path, alt: page.say("kvilt.crop"), width: 480 });
  const figure = html("figure.crop.kvilt-crop", {}, image, html("figcaption", {}, page.say("crop.caption")));
  image.addEventListener("error", () => figure.remove(), { once: true });
  return figure;
}

/**
 * @param {KviltOption} option
 * @param {number} index
 * @param {import("./contract.js").KviltChoice} choice
 * @param {PageState} state
 * @param {Page} page
 * @param {KviltSheet | null} sheet
 */
function optionCard(option, index, choice, state, page, sheet) {
  const chosen = index === choice.shown;
  const look = choice.asks === "token" ? scrap : pencil;
  const pictures = option.colours.map((key) => look(screenOf(sheet, key), weaveOf(sheet, key)));
  const content = [pictures.length ? html("span.option-pencils", {}, ...pictures) : null, html("span.option-says", { dir: "auto" }, option.says)];
  if (!canPush(state, page)) return html("li.option", { "aria-current": chosen }, ...content);
  const take = () => page.commands.answer(index);
  return html("li", {}, html("button.option", { type: "button", "data-key": `option-${index}`, "aria-current": chosen, onclick: take }, ...content));
}

/**
 * Return the current complaint.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function complaintView({ snapshot }, page) {
  const complaint = snapshot?.kvilt?.complaint;
  if (!complaint) return [];
  return [html("h2.doubt-title.complains", { id: "doubt-title" }, page.say("complaint.title"))];
}

/**
 * Return the push-buttons for readers with the table's key, and the answer to the last press.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function pushView(state, page) {
  const { snapshot, said } = state;
  if (!canPush(state, page) || !snapshot?.game) return [];
  const choice = snapshot.kvilt?.choice;
  // The page shows the choice already.
  const isNews = said && (said.refused || (said.text !== choice?.says && choice?.asks !== "take-back"));
  const does = {
    undo: undoing(state, page),
    advance: { sense: page.say("kvilt.advance"), idle: !choice || choice.options.length < 2 },
    confirm: { sense: choice?.options[choice.shown]?.says ?? "", idle: !choice },
  };
  return [doubtLine(state), isNews ? answered(state) : null, pushButtons(does, state, page)];
}
