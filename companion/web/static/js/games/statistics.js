/** Statistics over the games in the journal: records, players, and the game's own figures. */

import { html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { stylesheet } from "../stylesheet.js";
import "../setup/texts.js";
import "./texts.js";

/** The figures of a game without statistics of its own. @type {import("../registry.js").Figures} */
const PLAIN = { columns: { games: "standings.games", won: "standings.wins", best: "standings.best", mean: "standings.mean" }, tables: ["games", "players"] };

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{id: number, started_at: string, players: string[], scores: number[], winner: number}} Played
 * @typedef {{name: string} & Record<string, number>} PlayerFigures
 * @typedef {{game: string, games: Played[], players: PlayerFigures[], records: {kind: string, value: number, name: string, game_id: number}[], played: Record<string, number>}} Statistics
 */

/**
 * Show the statistics of a game.
 *
 * @param {import("./showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back
 * @param {string} [wanted]  The game's name; by default the game at the table, or else the first of the page's.
 */
export async function statisticsView(show, page, back, wanted = page.state().snapshot?.game?.name ?? page.games.names[0]) {
  const { say } = page;
  const leave = html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("replay.back"));
  show(html("p", { role: "status" }, say("statistics.loading")));
  const [answer] = await Promise.all([ask(`/api/statistics?game=${wanted}`, page), stylesheet("/static/css/games.css")]);
  if (!answer.ok) return void show(html("p.refused", { role: "alert" }, answer.error ?? ""), leave);
  const figures = /** @type {Statistics} */ (/** @type {unknown} */ (answer));
  const { game } = figures;
  const turn = (/** @type {string} */ other) => statisticsView(show, page, back, other);
  if (!figures.games.length) return void show(gamesToChoose(game, figures, turn, page), html("p", {}, say("statistics.none")), leave);
  const { columns, tables, course, more } = (await (await page.games.partsOf(game)).figures?.()) ?? PLAIN;
  const last = await more?.(figures, page);
  show(
    gamesToChoose(game, figures, turn, page),
    html("div.statistics", {}, recordCards(figures, page), course?.(figures, page), players(figures, columns, page), last),
    html("p.takeaways", {}, ...tables.map((what) => html("a", { href: `/api/${what}.csv?game=${game}`, download: true }, say(`statistics.csv-${what}`)))),
    leave,
  );
  /** @type {HTMLElement} */ (leave).focus({ preventScroll: true });
}

/**
 * Return the buttons that choose the game, or null if only one was played.
 *
 * @param {string} game
 * @param {Statistics} figures
 * @param {(game: string) => void} turn
 * @param {Page} page
 */
function gamesToChoose(game, { played }, turn, { say, games }) {
  const kinds = Object.keys(played ?? {}).filter((kind) => played[kind] || kind === game);
  if (kinds.length < 2) return null;
  const buttons = kinds.map((kind) => html("button.plain", { type: "button", "data-key": `kind-${kind}`, "aria-pressed": kind === game, onclick: () => turn(kind) }, games.titleOf(kind)));
  return html("div.kinds", { role: "group", "aria-label": say("setup.game") }, ...buttons);
}

/**
 * @param {Statistics} figures
 * @param {Page} page
 */
function recordCards({ records }, { say, language }) {
  const cards = records.filter(({ kind }) => language.knows(`record.${kind}`)).map(({ kind, value, name }) =>
    html("li.record-card", {}, html("span.record-what", {}, say(`record.${kind}`)), html("span.record-value", {}, language.digits(value)), html("span.record-who", {}, html("bdi", {}, name))),
  );
  return html("section", { "aria-labelledby": "records-title" }, html("h3.section-title", { id: "records-title" }, say("statistics.records")), html("ul.record-cards", {}, ...cards));
}

/**
 * @param {Statistics} figures
 * @param {Record<string, string>} columns  The key of each heading's text, by the name of the figure.
 * @param {Page} page
 */
function players({ players: rows }, columns, { say, language }) {
  // On a phone each row is a card with its figures beneath each other, which must not take the table's meaning from it: hence the roles.
  const heads = ["standings.player", ...Object.values(columns)].map((text) => html("th", { scope: "col", role: "columnheader" }, say(text)));
  const figures = (/** @type {PlayerFigures} */ row) => Object.entries(columns).map(([column, text]) =>
    html("td", { role: "cell", "data-what": say(text) }, language.digits(Math.round(row[column]))),
  );
  const body = rows.map((row) => html("tr", { role: "row" }, html("th", { scope: "row", role: "rowheader" }, html("bdi", {}, row.name)), ...figures(row)));
  return html(
    "section",
    { "aria-labelledby": "players-title" },
    html("h3.section-title", { id: "players-title" }, say("standings.title")),
    html(
      "table.standings.in-cards",
      { role: "table", "aria-labelledby": "players-title" },
      html("thead", { role: "rowgroup" }, html("tr", { role: "row" }, ...heads)),
      html("tbody", { role: "rowgroup" }, ...body),
    ),
  );
}
