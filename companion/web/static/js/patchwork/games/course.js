/** The course of a game: income, buttons and score over time, and the worth of each purchase. */

import { html } from "../../dom.js";
import { chart } from "../../games/chart.js";
import { ask } from "../../setup/asking.js";
import { stylesheet } from "../../stylesheet.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import { own } from "../state.js";
import "../../games/texts.js";
import "./texts.js";

const LAST_SPACE = 53;

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {{time: number, buttons: number, income: number, empty: number, score: number}} Standing
 * @typedef {{seat: number, patch: string, number: number, space: number, paydays: number, worth: number}} Purchase
 * @typedef {{players: string[], income_marks: number[], seats: Standing[][], purchases: Purchase[]}} Course
 */

/**
 * Fetch the course of a game and draw its charts and purchases into `room`.
 *
 * @param {number} game
 * @param {HTMLElement} room
 * @param {Page} page
 */
export async function courseView(game, room, page) {
  const [answer] = await Promise.all([ask(`/api/games/${game}/course`, page), stylesheet("/static/css/games.css")]);
  if (!answer.ok || !room.isConnected) return;
  const course = /** @type {Course} */ (/** @type {unknown} */ (answer));
  room.replaceChildren(
    html("div.charts", {}, ...["income", "score", "buttons"].map((what) => over(/** @type {keyof Standing} */ (what), course, page))),
    bought(course, page),
  );
}

/**
 * @param {keyof Standing} what
 * @param {Course} course
 * @param {Page} page
 */
function over(what, { players, income_marks: marks, seats }, page) {
  const { say, language } = page;
  const lines = seats.map((stood, index) => ({ seat: index + 1, name: players[index], points: stood.map((each) => /** @type {[number, number]} */ ([each.time, each[what]])) }));
  const ends = lines.map(({ name, points }) => say("course.end", { name, value: language.digits(points[points.length - 1][1]) }));
  return chart({ title: say(`course.${what}`), says: [say(`course.${what}`), ...ends].join(" "), lines, across: [0, LAST_SPACE], axis: say("course.axis"), marks, small: true, steps: true }, page);
}

/**
 * @param {Course} course
 * @param {Page} page
 */
function bought({ purchases, players }, page) {
  const { say, language, state } = page;
  const lists = [1, 2].map((seat) => {
    const mine = purchases.filter((purchase) => purchase.seat === seat);
    const items = mine.map(({ patch, worth, space }) => {
      const { cells, income } = own(state()).box[patch] ?? { cells: [[0, 0]], income: 0 };
      return html(
        "li.bought-item",
        { "aria-label": say("course.purchase", { patch: say(`patch.${patch}`), space, worth: language.digits(worth) }) },
        patchPicture(patch, cells.map(toCell), income),
        html("span.bought-worth", { "aria-hidden": "true" }, language.digits(worth)),
      );
    });
    return html("div", {}, html("h4.bought-who", {}, html("bdi", {}, players[seat - 1])), html("ol.bought-list", {}, ...items));
  });
  return html("section", { "aria-labelledby": "bought-title" }, html("h3.section-title", { id: "bought-title" }, say("course.bought")), html("div.bought", {}, ...lists), html("p.setup-hint", {}, say("statistics.worth-how")));
}
