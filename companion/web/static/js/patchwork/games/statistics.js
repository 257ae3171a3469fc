/** Statistics over many games of Patchwork: the scores, game by game, and the worth of the patches. */

import { html } from "../../dom.js";
import { chart } from "../../games/chart.js";
import { fetchBox } from "../box.js";
import { hangCloth } from "../fabrics.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import { own } from "../state.js";
import "./texts.js";

const SCORES_SHOWN = 30;
const PATCHES_SHOWN = 8;
const COLUMNS = ["games", "won", "best", "mean", "income", "empty", "patches", "bonuses", "streak"];

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {{patch: string, bought: number, won: number, space: number, worth: number, worth_a_space: number}} PatchFigures
 * @typedef {import("../../games/statistics.js").Statistics & {patches: PatchFigures[]}} Statistics
 */

/** Patchwork's part of the statistics. @type {import("../../registry.js").Figures} */
export const figures = {
  columns: Object.fromEntries(COLUMNS.map((column) => [column, `player.${column}`])),
  tables: ["games", "players", "patches"],
  course: scores,
  more: async (figures, page) => {
    hangCloth();
    await fetchBox(page);
    return patches(figures, page);
  },
};

/**
 * Return a chart of the winners' and losers' scores in the last games, or null for fewer than two games.
 *
 * @param {Statistics} figures
 * @param {Page} page
 */
function scores({ games }, page) {
  const shown = games.slice(-SCORES_SHOWN);
  if (shown.length < 2) return null;
  const { say, language } = page;
  const first = games.length - shown.length + 1;
  const of = (/** @type {number} */ index) => shown.map(({ scores: both, winner }, at) => /** @type {[number, number]} */ ([first + at, both[index === 0 ? winner - 1 : 2 - winner]]));
  const mean = Math.round(shown.reduce((sum, { scores: both }) => sum + both[0] + both[1], 0) / (2 * shown.length));
  return chart(
    {
      title: say("statistics.scores"),
      says: say("statistics.scores-say", { count: shown.length, mean: language.digits(mean) }),
      lines: [
        { seat: 1, sign: "won", name: say("statistics.winner"), points: of(0) },
        { seat: 2, sign: "lost", name: say("statistics.loser"), points: of(1) },
      ],
      across: [first, games.length],
      axis: say("statistics.axis-games"),
    },
    page,
  );
}

/**
 * Return the patches that were worth most and least to their buyers.
 *
 * @param {Statistics} figures
 * @param {Page} page
 */
function patches({ patches: rows }, page) {
  const known = rows.filter(({ patch }) => own(page.state()).box[patch]);
  const half = Math.min(PATCHES_SHOWN, Math.floor(known.length / 2));
  const list = (/** @type {string} */ id, /** @type {string} */ title, /** @type {PatchFigures[]} */ shown) =>
    shown.length > 0 && html("section", { "aria-labelledby": id }, html("h3.section-title", { id }, title), html("ol.worth-list", {}, ...shown.map((each) => patchItem(each, page))));
  return html(
    "div.worths",
    {},
    list("best-title", page.say("statistics.best"), known.slice(0, half || 1)),
    list("least-title", page.say("statistics.least"), half ? known.slice(-half).reverse() : []),
    html("p.setup-hint", {}, page.say("statistics.worth-how")),
  );
}

/**
 * @param {PatchFigures} figures
 * @param {Page} page
 */
function patchItem({ patch, bought, won, worth }, page) {
  const { cells, income } = own(page.state()).box[patch];
  return html(
    "li.worth-item",
    {},
    html("span.worth-cloth", {}, patchPicture(patch, cells.map(toCell), income)),
    html("span.worth-value", {}, page.language.digits(Math.round(10 * worth) / 10)),
    html("span.worth-how", {}, html("span.worth-name", {}, page.say(`patch.${patch}`)), " ", page.say("statistics.bought", { count: bought, won })),
  );
}
