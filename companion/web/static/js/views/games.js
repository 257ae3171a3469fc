/** The sheet with the games in the journal: replays, downloads and the players' standings. */

import { reader } from "../commands.js";
import { fill, html } from "../dom.js";
import { scoredGames } from "../games/scored.js";
import { showIn } from "../games/showing.js";
import { rosetteIcon } from "../icons.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "./dialog.js";
import { canSetUp, canTouch } from "./page.js";
import { standings, standingsTable, whoPlayed } from "./standings.js";
import "../games/texts.js";

/**
 * @typedef {import("./page.js").Page} Page
 * @typedef {{id: number, game: string, started_at: string, players: string[] | null, decisions: number, finished: boolean,
 *     scores: number[] | null, winner: number | null, live: boolean, error: string | null}} Game
 * @typedef {import("./standings.js").Standing} Standing
 * @typedef {import("../games/scored.js").Scored} Scored
 * @typedef {{games: Game[], more: boolean, standings: Standing[] | null, scored?: Scored[]}} Lot  Some games; `standings` cover all games and are null if `games` is complete.
 */

const AT_ONCE = 50;

/** Open the list of games. @param {Page} page */
export async function openSheet(page) {
  const room = html("div.games", { "aria-live": "polite" }, page.say("games.loading"));
  const sheet = showSheet(page, page.say("games.title"), room);
  sheet.classList.add("wide");
  await stylesheet("/static/css/games.css");
  await list(room, page);
}

/**
 * @param {HTMLElement} room
 * @param {Page} page
 */
async function list(room, page) {
  const show = showIn(room);
  const lot = await fetchGames();
  show(...(lot ? overview(lot, room, page) : [html("p.refused", {}, page.say("games.failed"))]));
}

/**
 * @param {number} [before]  The id of a game: fetch only older ones.
 * @returns {Promise<Lot | null>}
 */
async function fetchGames(before) {
  try {
    const response = await fetch(`/api/games?limit=${AT_ONCE}${before ? `&before=${before}` : ""}`, { headers: reader() });
    if (!response.ok) return null;
    const { games, more = false, standings = null, scored = [] } = await response.json();
    return { games, more, standings, scored };
  } catch {
    return null;
  }
}

/**
 * @param {Lot} lot
 * @param {HTMLElement} room
 * @param {Page} page
 * @returns {Node[]}
 */
function overview(lot, room, page) {
  const { games } = lot;
  const scored = scoredGames(lot.scored ?? [], canTouch(page.state(), page), page, () => list(room, page));
  if (!games.length) return [html("p", {}, page.say("games.none")), ...scored];
  const kinds = kindsIn(games, page);
  const both = kinds.length > 1;
  const back = () => showIn(room)(...overview(lot, room, page));
  const older = html("button.plain", { type: "button", "data-key": "older", onclick: () => addOlder(lot, room, page) }, page.say("games.older"));
  const figuresOf = (/** @type {string} */ kind) => (lot.standings ?? standings(games)).filter(({ game }) => game === kind);
  const deletes = canTouch(page.state(), page);
  // Deleting the game on the table starts another one in its place.
  const begins = canSetUp(page.state(), page);
  const acts = (/** @type {Game} */ game) => ({
    watch: () => watch(game, room, page, back),
    share: () => share(game, room, page, back),
    remove: deletes && (begins || !game.live) ? () => remove(game, room, page, back) : null,
  });
  const items = games.map((game) => gameItem(game, acts(game), both, page));
  const names = [...new Set([...games.flatMap(({ players }) => players ?? []), ...(lot.standings ?? []).map(({ name }) => name), ...(lot.scored ?? []).flatMap(({ players }) => players.filter(Boolean))])];
  const forgets = deletes && html("button.plain", { type: "button", "data-key": "forget", onclick: () => forget(names, room, page, back) }, page.say("forget.title"));
  const figures = html("button.plain", { type: "button", "data-key": "statistics", onclick: () => statistics(room, page, back) }, page.say("games.statistics"));
  return [
    html("div.games-head", {}, figures),
    html("ol.game-list", {}, ...items),
    ...(lot.more ? [older] : []),
    ...scored,
    ...kindsIn([...games, ...(lot.standings ?? [])], page).flatMap((kind) => standingsTable(figuresOf(kind), kind, both, page)),
    html("p.takeaways", {}, ...kinds.map((kind) => html("a", { href: `/api/games.csv?game=${kind}`, download: true }, both ? page.say("games.all-csv-of", { game: page.games.titleOf(kind) }) : page.say("games.all-csv")))),
    ...(forgets ? [html("p.games-end", {}, forgets)] : []),
  ];
}

/**
 * Return the names of the games that were played, first those with a module.
 *
 * @param {readonly {game: string}[]} played
 * @param {Page} page
 */
function kindsIn(played, { games: { names } }) {
  const found = new Set(played.map(({ game }) => game));
  return [...names.filter((name) => found.has(name)), ...[...found].filter((name) => !names.includes(name))];
}

/**
 * Add older games below those shown. The standings, which cover all games, stay.
 *
 * @param {Lot} lot
 * @param {HTMLElement} room
 * @param {Page} page
 */
async function addOlder(lot, room, page) {
  const show = showIn(room);
  const next = await fetchGames(lot.games[lot.games.length - 1].id);
  if (!next) return;
  const known = lot.games.length;
  const shown = show(...overview({ ...next, games: [...lot.games, ...next.games], standings: lot.standings, scored: lot.scored }, room, page));
  if (shown) /** @type {HTMLElement | null} */ (room.querySelectorAll(".game-item")[known]?.querySelector("button, a"))?.focus();
}

/**
 * @param {Game} game
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function watch(game, room, page, back) {
  const show = showIn(room);
  await (await page.games.partsOf(game.game)).replay?.(game.id, show, page, back);
}

/**
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function statistics(room, page, back) {
  const show = showIn(room);
  const { statisticsView } = await import("../games/statistics.js");
  await statisticsView(show, page, back);
}

/**
 * @param {Game} game
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function share(game, room, page, back) {
  const show = showIn(room);
  const { sharingView } = await import("../games/sharing.js");
  await sharingView(game, show, page, back);
}

/**
 * @param {Game} game
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function remove(game, room, page, back) {
  const show = showIn(room);
  const { deletingView } = await import("../games/deleting.js");
  await deletingView(game, show, page, back, () => list(room, page));
}

/**
 * @param {readonly string[]} names
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => void} back
 */
async function forget(names, room, page, back) {
  const show = showIn(room);
  const { forgettingView } = await import("../games/deleting.js");
  await forgettingView(names, show, page, back, () => list(room, page));
}

/**
 * @param {Game} game
 * @param {{watch: () => void, share: () => void, remove: (() => void) | null}} acts  Null for an action that is not allowed.
 * @param {boolean} both  Whether the list has games of several kinds.
 * @param {Page} page
 */
function gameItem(game, acts, both, page) {
  const [one, other] = game.players ?? [page.language.unknown, page.language.unknown];
  const date = new Date(game.started_at).toLocaleString(page.language.locale, { dateStyle: "medium", timeStyle: "short" });
  const pair = page.games.isPair(game.game);
  const drawn = page.games.names.includes(game.game);
  const links = html(
    "span.takeaways",
    {},
    html("a", { href: `/api/games/${game.id}/record.jsonl`, download: true }, page.say("games.record")),
    html("a", { href: `/api/games/${game.id}/decisions.csv`, download: true }, page.say("games.csv")),
  );
  const players = (game.players ?? []).join(page.say("list.comma"));
  const names = pair ? page.say("games.replay-one", { one, other, date }) : page.say("games.replay-game", { players, date });
  const again = drawn && game.decisions > 0 && html("button.plain", { type: "button", "data-key": `game-${game.id}`, "aria-label": names, onclick: acts.watch }, page.say("games.replay"));
  const picture = drawn && game.scores && html("button.plain", { type: "button", "data-key": `share-${game.id}`, "aria-label": pair ? page.say("share.one", { one, other, date }) : page.say("share.game", { players, date }), onclick: acts.share }, page.say("share.picture"));
  const gone = acts.remove && html("button.plain", { type: "button", "data-key": `delete-${game.id}`, "aria-label": page.say("delete.one", { players: players || page.language.unknown, date }), onclick: acts.remove }, page.say("delete.game"));
  return html(
    `li.game-item${pair ? ".of-pair" : ".of-many"}${drawn ? ".drawn" : ""}`,
    {},
    drawn ? thumbnail(game, page) : null,
    whoPlayed(game, both, page),
    html("span.game-score", {}, outcome(game, page)),
    winnerOf(game, page),
    html("span.game-when", {}, date),
    ...(game.error ? [html("span.refused", {}, page.say("games.broken")), html("span.game-acts", {}, gone)] : [links, html("span.game-acts", {}, picture, again, gone)]),
  );
}

/**
 * Return a place for the final position, which is drawn as soon as it is scrolled into view.
 *
 * @param {Game} game
 * @param {Page} page
 */
function thumbnail(game, page) {
  const room = html("span.game-thumb", { "aria-hidden": "true", "data-seats": game.players?.length ?? 2 });
  if (!game.scores) return room;
  const watcher = new IntersectionObserver(async ([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    watcher.disconnect();
    const [parts, response] = await Promise.all([page.games.partsOf(game.game), fetch(`/api/games/${game.id}`).catch(() => null)]);
    if (!parts.thumbnail || !response?.ok) return;
    fill(room, ...(await parts.thumbnail({ details: (await response.json()).game, winner: game.winner, names: [] })));
  });
  watcher.observe(room);
  return room;
}

/**
 * @param {Game} game
 * @param {Page} page
 */
function winnerOf({ players, scores, winner }, page) {
  const name = winner && players?.[winner - 1];
  if (!name || !scores) return null;
  const tied = scores.filter((score) => score === Math.max(...scores)).length > 1;
  return html("span.game-won", {}, rosetteIcon(), page.say(tied ? "games.won-tie" : "games.won", { name }));
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
