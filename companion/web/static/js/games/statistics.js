/** Statistics over the games in the journal: scores, records, players, and what the patches were worth. */

import { fill, html } from "../dom.js";
import { patchPicture } from "../quilt.js";
import { ask } from "../setup/asking.js";
import { toCell } from "../shapes.js";
import { stylesheet } from "../stylesheet.js";
import { chart } from "./chart.js";

const SCORES_SHOWN = 30;
const PATCHES_SHOWN = 8;
const COLUMNS = ["games", "won", "best", "mean", "income", "empty", "patches", "bonuses", "streak"];
const KVILT_COLUMNS = ["games", "won", "best", "mean", "rows", "patches", "spools", "buttons", "streak"];

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{id: number, started_at: string, players: string[], scores: number[], winner: number}} Played
 * @typedef {{name: string, games: number, won: number, best: number, mean: number, income: number, empty: number, patches: number, bonuses: number, streak: number}} PlayerFigures
 * @typedef {{patch: string, bought: number, won: number, space: number, worth: number, worth_a_space: number}} PatchFigures
 * @typedef {{game: string, games: Played[], players: PlayerFigures[], patches: PatchFigures[], records: {kind: string, value: number, name: string, game_id: number}[], played: Record<string, number>}} Statistics
 */

/**
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 * @param {string} [wanted]  Of which games; of those that are played now where nothing is said.
 */
export async function statisticsView(room, page, back, wanted = page.state().snapshot?.kvilt ? "kvilt" : "patchwork") {
  const { say } = page;
  const leave = html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("replay.back"));
  fill(room, html("p", { role: "status" }, say("statistics.loading")));
  const [answer] = await Promise.all([ask(`/api/statistics?game=${wanted}`, page), stylesheet("/static/css/games.css")]);
  if (!answer.ok) return fill(room, html("p.refused", { role: "alert" }, answer.error ?? ""), leave);
  const figures = /** @type {Statistics} */ (/** @type {unknown} */ (answer));
  const { game } = figures;
  const turn = (/** @type {string} */ other) => statisticsView(room, page, back, other);
  if (!figures.games.length) return fill(room, gamesToChoose(game, figures, turn, page), html("p", {}, say("statistics.none")), leave);
  const kvilt = game === "kvilt";
  const columns = kvilt ? KVILT_COLUMNS : COLUMNS;
  const tables = kvilt ? ["games", "players"] : ["games", "players", "patches"];
  fill(
    room,
    gamesToChoose(game, figures, turn, page),
    html("div.statistics", {}, recordCards(figures, page), kvilt ? null : scores(figures, page), players(figures, columns, kvilt ? "kvilt-player" : "player", page), kvilt ? null : patches(figures, page)),
    html("p.takeaways", {}, ...tables.map((what) => html("a", { href: `/api/${what}.csv?game=${game}`, download: true }, say(`statistics.csv-${what}`)))),
    leave,
  );
  /** @type {HTMLElement} */ (leave).focus({ preventScroll: true });
}

/**
 * Which game's figures are shown; nothing where only one was played.
 *
 * @param {string} game
 * @param {Statistics} figures
 * @param {(game: string) => void} turn
 * @param {Page} page
 */
function gamesToChoose(game, { played }, turn, { say }) {
  const kinds = Object.keys(played ?? {}).filter((kind) => played[kind] || kind === game);
  if (kinds.length < 2) return null;
  const buttons = kinds.map((kind) => html("button.plain", { type: "button", "data-key": `kind-${kind}`, "aria-pressed": kind === game, onclick: () => turn(kind) }, say(`game.${kind}`)));
  return html("div.kinds", { role: "group", "aria-label": say("setup.game") }, ...buttons);
}

/**
 * @param {Statistics} figures
 * @param {Page} page
 */
function recordCards({ records }, { say, language }) {
  const cards = records.map(({ kind, value, name }) =>
    html("li.record-card", {}, html("span.record-what", {}, say(`record.${kind}`)), html("span.record-value", {}, language.digits(value)), html("span.record-who", {}, html("bdi", {}, name))),
  );
  return html("section", { "aria-labelledby": "records-title" }, html("h3.section-title", { id: "records-title" }, say("statistics.records")), html("ul.record-cards", {}, ...cards));
}

/**
 * The scores of the last games: winner's and loser's.
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
        { seat: 1, name: say("statistics.winner"), points: of(0) },
        { seat: 2, name: say("statistics.loser"), points: of(1) },
      ],
      across: [first, games.length],
      axis: say("statistics.axis-games"),
    },
    page,
  );
}

/**
 * @param {Statistics} figures
 * @param {readonly string[]} columns
 * @param {"player" | "kvilt-player"} texts  Where the columns' names stand.
 * @param {Page} page
 */
function players({ players: rows }, columns, texts, { say, language }) {
  const heads = columns.map((column) => html("th", { scope: "col" }, texts === "player" ? say(`player.${column}`) : say(`kvilt-player.${column}`)));
  const body = rows.map((row) =>
    html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, row.name)), ...columns.map((column) => html("td", {}, language.digits(Math.round(/** @type {any} */ (row)[column]))))),
  );
  return html(
    "section",
    { "aria-labelledby": "players-title" },
    html("h3.section-title", { id: "players-title" }, say("standings.title")),
    html(
      "div.table-room",
      { tabindex: 0, role: "group", "aria-labelledby": "players-title" },
      html("table.standings", {}, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, say("standings.player")), ...heads)), html("tbody", {}, ...body)),
    ),
  );
}

/**
 * The patches that were worth most and least to who bought them.
 *
 * @param {Statistics} figures
 * @param {Page} page
 */
function patches({ patches: rows }, page) {
  const known = rows.filter(({ patch }) => page.state().box[patch]);
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
  const { cells, income } = page.state().box[patch];
  return html(
    "li.worth-item",
    {},
    html("span.worth-cloth", {}, patchPicture(patch, cells.map(toCell), income)),
    html("span.worth-value", {}, page.language.digits(Math.round(10 * worth) / 10)),
    html("span.worth-how", {}, html("span.worth-name", { dir: "ltr" }, patch), " ", page.say("statistics.bought", { count: bought, won })),
  );
}
