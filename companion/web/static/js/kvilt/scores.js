/** The score sheet, during the game and at its end. */

import { html } from "../dom.js";
import { seatIcon } from "../icons.js";
import { afterwards } from "../views/controls.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./contract.js").KviltSeat} KviltSeat
 */

/**
 * Return the score sheet of all players.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function scoreView(state, page) {
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
