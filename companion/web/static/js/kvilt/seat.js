/** A player: the sheet, the bonus colour, the pencils in hand, and the score. */

import { html, svg } from "../dom.js";
import { seatIcon } from "../icons.js";
import { nameOfColour, pencils, scrap, screenOf } from "./colours.js";
import { sheetPicture } from "./sheet.js";
import { liesUnder, marksOn, paints, themeOf, uncountedOn } from "./virtual/paper.js";
import { weaveOf } from "./weaves.js";
import "./texts.js";

/**
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 * @typedef {import("./contract.js").KviltSeat} KviltSeat
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

/**
 * Return a function that draws a seat.
 *
 * @param {number} number
 * @param {() => KviltSheet | null} sheet
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
export function seatView(number, sheet) {
  return (state, page) => {
    const { snapshot } = state;
    const seat = snapshot?.kvilt?.seats[number - 1];
    if (!snapshot?.kvilt || !seat) return [];
    const layout = sheet();
    return [heading(seat, snapshot.kvilt, liesUnder(state) === number, page), hand(seat, neutralFor(seat, snapshot.kvilt), layout, page), layout && picture(seat, layout, state, page), layout && uncounted(seat, layout, state, page)];
  };
}

/**
 * @param {KviltSeat} seat
 * @param {import("./contract.js").Kvilt} table
 * @param {boolean} lies  Whether the sheet is under the camera of the virtual table.
 * @param {Page} page
 */
function heading(seat, { first, result }, lies, page) {
  const wins = result?.winners.includes(seat.seat);
  return html(
    "header.seat-head",
    {},
    seatIcon(seat.seat),
    html("h2.seat-name", { id: `seat-${seat.seat}-title`, dir: "auto" }, seat.name),
    first === seat.seat ? html("span.badge.bonus", { title: page.say("kvilt.first") }, buttonToken(), html("span", {}, page.say("kvilt.first"))) : null,
    total(seat.score.total, page),
    wins ? html("span.badge.turn-badge", {}, page.say("seat.wins")) : null,
    seat.moves && !result ? html("span.badge.turn-badge", {}, page.say("seat.moves")) : null,
    seat.done ? html("span.badge.bonus", {}, page.say("kvilt.done")) : null,
    lies ? html("span.badge.k-lies", {}, page.say("paint.lies")) : null,
  );
}

/**
 * Return a player's points.
 *
 * @param {number} points
 * @param {Page} page
 */
export function total(points, page) {
  return html("span.seat-total", {}, html("span", { "aria-hidden": "true" }, page.language.digits(points)), html("span.spoken", {}, ` ${page.say("kvilt.total", { count: points })}`));
}

/** Return the token of the first player. */
function buttonToken() {
  return svg("svg.icon", { viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 4.4, fill: "var(--button)" }), svg("circle", { cx: 3.7, cy: 5, r: 0.8, fill: "var(--button-hole)" }), svg("circle", { cx: 6.3, cy: 5, r: 0.8, fill: "var(--button-hole)" }));
}

/**
 * Return the pencils of the neutral pincushion for the player who colours, or null for others.
 *
 * @param {KviltSeat} seat
 * @param {import("./contract.js").Kvilt} table
 */
function neutralFor(seat, { phase, cushions }) {
  return seat.moves && phase === "colouring" ? (cushions.find(({ neutral }) => neutral)?.pencils ?? null) : null;
}

/**
 * @param {KviltSeat} seat
 * @param {string[] | null} neutral
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function hand(seat, neutral, sheet, page) {
  const name = seat.bonus && nameOfColour(sheet, seat.bonus, page);
  const bonus = seat.bonus ? html("span.hand-bonus", { title: page.say("kvilt.bonus", { colour: name ?? "" }) }, scrap(screenOf(sheet, seat.bonus), weaveOf(sheet, seat.bonus)), html("span.spoken", {}, page.say("kvilt.bonus", { colour: name ?? "" }))) : null;
  const others = neutral && html("span.hand-neutral", {}, page.say("kvilt.neutral"), pencils(neutral, sheet, page));
  return html("div.hand-line", {}, bonus, pencils(seat.hand, sheet, page), pencils(seat.spent, sheet, page, true), others);
}

/**
 * @param {KviltSeat} seat
 * @param {KviltSheet} sheet
 * @param {PageState} state
 * @param {Page} page
 */
function picture(seat, sheet, state, page) {
  const { snapshot } = state;
  const { choice, complaint } = snapshot?.kvilt ?? {};
  const regions = choice?.seat === seat.seat ? choice.regions : complaint?.seat === seat.seat ? complaint.regions : [];
  const marks = marksOn(state, seat.seat) ?? { ...uncountedOn(state, seat.seat), ...seat.marks };
  const pictures = Object.keys(marks).filter((name) => name.endsWith(".picture")).length;
  return sheetPicture(sheet, {
    marks,
    theme: themeOf(state, seat.seat),
    fresh: new Set(seat.new),
    unseen: new Set(Object.keys(marks).filter((region) => marks[region] !== seat.marks[region])),
    asked: new Set(regions),
    openSpools: seat.open_spools,
    rowScores: seat.score.rows,
    digits: page.language.digits,
    label: page.say("kvilt.sheet", { name: seat.name, count: pictures }),
    labelOf: paints(state, snapshot?.kvilt) ? (region) => named(region, marks, seat.seat, sheet, page) : null,
  });
}

/**
 * Return the line that names the marks on the paper that do not count, or null.
 *
 * @param {KviltSeat} seat
 * @param {KviltSheet} sheet
 * @param {PageState} state
 * @param {Page} page
 */
function uncounted(seat, sheet, state, page) {
  const names = Object.keys(uncountedOn(state, seat.seat)).map((region) => sheet.names?.[region] ?? region);
  return names.length ? html("p.middle-line", { dir: "auto" }, page.say("kvilt.uncounted", { regions: names.join(page.say("list.comma")) })) : null;
}

/**
 * Return the key of a region and its label for the keyboard: its name and its colour.
 *
 * @param {string} region
 * @param {Record<string, string>} marks
 * @param {number} seat
 * @param {KviltSheet} sheet
 * @param {Page} page
 */
function named(region, marks, seat, sheet, page) {
  const name = sheet.names?.[region] ?? region;
  const colour = marks[region] ? nameOfColour(sheet, marks[region], page) : page.say("paint.white");
  const whole = Boolean(marks[region.replace(/\.picture$/, ".background")]) && region.endsWith(".picture");
  return { key: `seat-${seat}-${region}`, label: page.say(whole ? "paint.region-whole" : "paint.region", { name, colour }) };
}
