/** The players' standings over the games in the journal. */

import { html } from "../dom.js";
import "../games/texts.js";

/**
 * @typedef {import("./page.js").Page} Page
 * @typedef {{game: string, name: string, games: number, wins: number, best: number, mean: number}} Standing
 * @typedef {{game: string, players: string[] | null, scores: number[] | null, winner: number | null}} Played
 */

/**
 * Return each player's standing in the finished games of each kind, most wins first, then by mean score.
 *
 * @param {readonly Played[]} games
 * @returns {Standing[]}
 */
export function standings(games) {
  /** @type {Map<string, Standing & {sum: number}>} */
  const found = new Map();
  for (const { game, players, scores, winner } of games) {
    for (const [index, name] of scores && players ? players.entries() : []) {
      const score = /** @type {number[]} */ (scores)[index];
      const old = found.get(`${game} ${name}`) ?? { game, name, games: 0, wins: 0, best: -Infinity, mean: 0, sum: 0 };
      const [count, sum] = [old.games + 1, old.sum + score];
      const wins = old.wins + Number(winner === index + 1);
      found.set(`${game} ${name}`, { game, name, games: count, wins, best: Math.max(old.best, score), mean: sum / count, sum });
    }
  }
  return [...found.values()].sort((one, other) => other.wins - one.wins || other.mean - one.mean);
}

/**
 * Return the table of standings with its heading, or nothing if there are no rows.
 *
 * @param {Standing[]} rows
 * @param {string} kind  The name of the game.
 * @param {boolean} both  Whether there are games of several kinds.
 * @param {Page} page
 * @returns {Node[]}
 */
export function standingsTable(rows, kind, both, { say, language, games: { titleOf } }) {
  if (!rows.length) return [];
  const id = `standings-title-${kind}`;
  const title = both ? say("standings.title-of", { game: titleOf(kind) }) : say("standings.title");
  const heads = ["player", "games", "wins", "best", "mean"].map((what) => html("th", { scope: "col" }, say(`standings.${what}`)));
  const body = rows.map(({ name, games, wins, best, mean }) =>
    html("tr", {}, html("th", { scope: "row" }, name), ...[games, wins, best, Math.round(mean)].map((value) => html("td", {}, language.digits(value)))),
  );
  return [
    html("h3.section-title", { id }, title),
    html("table.standings", { "aria-labelledby": id }, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...body)),
  ];
}

/**
 * Return the players of a game, preceded by the game's title if there are several kinds or the game is not for two.
 *
 * @param {{game: string, players: string[] | null}} game
 * @param {boolean} both  Whether there are games of several kinds.
 * @param {Page} page
 */
export function whoPlayed({ game, players }, both, page) {
  const pair = page.games.isPair(game);
  const [one, other] = players ?? [page.language.unknown, page.language.unknown];
  // The space lets the line break there; otherwise a long name would be broken.
  const kind = both || !pair ? [html(`span.game-kind${pair ? "" : ".of-many"}`, {}, page.games.titleOf(game)), " "] : [];
  // Names are isolated, because two right-to-left names side by side would appear in reverse order.
  const many = (players ?? []).flatMap((name, place) => [place ? page.say("list.comma") : "", html("bdi", {}, name)]);
  return html("span.game-who", {}, ...kind, ...(pair ? [page.say("games.players", { one, other })] : many));
}
