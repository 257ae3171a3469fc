/** The games in the journal: to watch again, to take away, and what the players have made of them. */

import { reader } from "../commands.js";
import { fill, html } from "../dom.js";
import { showSheet } from "./dialog.js";
import { replayView } from "./replaying.js";

/**
 * @typedef {import("./page.js").Page} Page
 * @typedef {{id: number, game: string, started_at: string, players: string[] | null, decisions: number, finished: boolean,
 *     scores: number[] | null, winner: number | null, live: boolean, error: string | null}} Game
 * @typedef {{name: string, games: number, wins: number, best: number, sum: number}} Standing
 */

/** @param {Page} page */
export async function openSheet(page) {
  const room = html("div.games", { "aria-live": "polite" }, page.say("games.loading"));
  const sheet = showSheet(page, page.say("games.title"), room);
  sheet.classList.add("wide");
  const games = await fetchGames();
  fill(room, ...(games ? overview(games, room, page) : [html("p.refused", {}, page.say("games.failed"))]));
}

/** @returns {Promise<Game[] | null>} */
async function fetchGames() {
  try {
    const response = await fetch("/api/games", { headers: reader() });
    return response.ok ? (await response.json()).games : null;
  } catch {
    return null;
  }
}

/**
 * @param {Game[]} games
 * @param {HTMLElement} room
 * @param {Page} page
 * @returns {Node[]}
 */
function overview(games, room, page) {
  if (!games.length) return [html("p", {}, page.say("games.none"))];
  const kinds = ["patchwork", "kvilt"].filter((kind) => games.some(({ game }) => game === kind));
  const both = kinds.length > 1;
  const back = () => fill(room, ...overview(games, room, page));
  const items = games.map((game) => gameItem(game, { watch: () => watch(game, room, page, back), share: () => share(game, room, page, back) }, both, page));
  const figures = html("button.plain", { type: "button", "data-key": "statistics", onclick: () => statistics(room, page, back) }, page.say("games.statistics"));
  return [
    html("div.games-head", {}, figures),
    html("ol.game-list", {}, ...items),
    ...["patchwork", "kvilt"].flatMap((kind) => standingsTable(standings(games.filter(({ game }) => game === kind)), kind, both, page)),
    html("p.takeaways", {}, ...kinds.map((kind) => html("a", { href: `/api/games.csv?game=${kind}`, download: true }, both ? page.say("games.all-csv-of", { game: page.say(`game.${kind}`) }) : page.say("games.all-csv")))),
  ];
}

/**
 * @param {Game} game
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function watch(game, room, page, back) {
  if (game.game !== "kvilt") return replayView(game.id, room, page, back);
  const { kviltReplay } = await import("../kvilt/replaying.js");
  await kviltReplay(game.id, room, page, back);
}

/**
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function statistics(room, page, back) {
  const { statisticsView } = await import("../games/statistics.js");
  await statisticsView(room, page, back);
}

/**
 * @param {Game} game
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function share(game, room, page, back) {
  const { sharingView } = await import("../games/sharing.js");
  await sharingView(game, room, page, back);
}

/**
 * @param {Game} game
 * @param {{watch: () => void, share: () => void}} acts
 * @param {boolean} both  Whether there are games of both kinds.
 * @param {Page} page
 */
function gameItem(game, acts, both, page) {
  const [one, other] = game.players ?? ["?", "?"];
  const date = new Date(game.started_at).toLocaleString(page.language.code, { dateStyle: "medium", timeStyle: "short" });
  const kvilt = game.game === "kvilt";
  const links = html(
    "span.takeaways",
    {},
    html("a", { href: `/api/games/${game.id}/record.jsonl`, download: true }, page.say("games.record")),
    html("a", { href: `/api/games/${game.id}/decisions.csv`, download: true }, page.say("games.csv")),
  );
  const players = (game.players ?? []).join(page.say("list.comma"));
  const names = kvilt ? page.say("games.replay-game", { players, date }) : page.say("games.replay-one", { one, other, date });
  const again = game.decisions > 0 && html("button.plain", { type: "button", "data-key": `game-${game.id}`, "aria-label": names, onclick: acts.watch }, page.say("games.replay"));
  const picture = game.scores && html("button.plain", { type: "button", "data-key": `share-${game.id}`, "aria-label": kvilt ? page.say("share.game", { players, date }) : page.say("share.one", { one, other, date }), onclick: acts.share }, page.say("share.picture"));
  return html(
    `li.game-item${kvilt ? ".of-kvilt" : ""}`,
    {},
    html("span.game-who", {}, both || kvilt ? html(`span.game-kind${kvilt ? ".of-kvilt" : ""}`, {}, page.say(`game.${game.game}`)) : null, kvilt ? players : page.say("games.players", { one, other })),
    html("span.game-score", {}, outcome(game, page)),
    html("span.game-when", {}, date),
    ...(game.error ? [html("span.refused", {}, page.say("games.broken"))] : [links, html("span.game-acts", {}, picture, again)]),
  );
}

/**
 * @param {Game} game
 * @param {Page} page
 */
function outcome({ scores, live, decisions }, page) {
  if (scores && scores.length > 2) return scores.map(page.language.digits).join(" : ");
  if (scores) return page.say("games.score", { one: scores[0], other: scores[1] });
  return page.say(live ? "games.live" : "games.cut-off", { count: decisions });
}

/**
 * What each player has made of the finished games, the most wins first.
 *
 * @param {readonly Game[]} games
 * @returns {Standing[]}
 */
export function standings(games) {
  /** @type {Map<string, Standing>} */
  const found = new Map();
  for (const { players, scores, winner } of games) {
    for (const [index, name] of scores && players ? players.entries() : []) {
      const score = /** @type {number[]} */ (scores)[index];
      const old = found.get(name) ?? { name, games: 0, wins: 0, best: -Infinity, sum: 0 };
      const wins = old.wins + Number(winner === index + 1);
      found.set(name, { name, games: old.games + 1, wins, best: Math.max(old.best, score), sum: old.sum + score });
    }
  }
  return [...found.values()].sort((one, other) => other.wins - one.wins || other.sum / other.games - one.sum / one.games);
}

/**
 * @param {Standing[]} rows
 * @param {string} kind  Which game it is.
 * @param {boolean} both  Whether there are games of both.
 * @param {Page} page
 * @returns {Node[]}
 */
function standingsTable(rows, kind, both, { say, language }) {
  if (!rows.length) return [];
  const id = `standings-title-${kind}`;
  const title = both ? say("standings.title-of", { game: say(`game.${kind}`) }) : say("standings.title");
  const heads = ["player", "games", "wins", "best", "mean"].map((what) => html("th", { scope: "col" }, say(`standings.${what}`)));
  const body = rows.map(({ name, games, wins, best, sum }) =>
    html("tr", {}, html("th", { scope: "row" }, name), ...[games, wins, best, Math.round(sum / games)].map((value) => html("td", {}, language.digits(value)))),
  );
  return [
    html("h3.section-title", { id }, title),
    html("table.standings", { "aria-labelledby": id }, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...body)),
  ];
}
