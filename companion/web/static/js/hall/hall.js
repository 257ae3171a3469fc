/** The state of the hall's page, and the requests and events that update it. */

import { inOrder } from "../order.js";
import { follow as stayConnected } from "../stream.js";

/**
 * @typedef {{seat: number, name: string, score: number}} Seat
 * @typedef {{phase: string, name: string, game: {title: string, name: string} | null, seats: Seat[], turn: number | null, winners: number[], decisions: number, says: string}} State
 * @typedef {{table: string, online: boolean, state: State | null}} Table
 * @typedef {{board: number, table: string | null, first: string, second: string | null, score: number | null, absent: "first" | "second" | "both" | null, from_table: boolean}} Pairing
 * @typedef {{place: number, name: string, points: number, played: number, wins: number, buchholz_cut: number, buchholz: number, sonneborn_berger: number}} Standing
 * @typedef {{id: number, name: string, system: string, rounds: number, closed: boolean}} InShort
 * @typedef {InShort & {players: {number: number, name: string, present: boolean}[], paired: {round: number, games: Pairing[]}[], standings: Standing[]}} Tournament
 * @typedef {{finished_at: string, table: string, title: string, players: string[], scores: number[], winners: number[]}} Result
 * @typedef {{name: string, rating: number, deviation: number}} Rated
 * @typedef {{table: string, text: string}} Announcement
 *
 * @typedef {object} Hall
 * @property {"guest" | "referee" | "director"} role
 * @property {Map<string, Table>} tables
 * @property {Result[]} results
 * @property {Rated[]} players
 * @property {InShort[]} tournaments
 * @property {Tournament | null} tournament  The tournament that is shown.
 * @property {number | null} chosen  The id of the tournament that the user has chosen, or null.
 * @property {string} opened  The table whose game is shown, or "".
 * @property {{game: string, decisions: number} & Record<string, any> | null} game  What is played there, or null if it is not known.
 * @property {string} missing  Why it is not known, or "".
 * @property {Announcement[]} announcements
 * @property {boolean} lost
 * @property {string} refused  Why the last command was refused, or "".
 * @property {Record<"club" | "tournament" | "announcements" | "game", import("../order.js").Order>} orders  The order of the requests for each.
 */

/** The path whose POST begins a tournament. */
const BEGINS = "/api/tournaments";

/** The pause before a game is asked for again, and how often: the hall hears of a decision before it has stored it. */
const [AGAIN_MS, TRIES] = [700, 15];

/** Return the state of a hall before anything has been fetched. @returns {Hall} */
export function emptyHall() {
  const orders = { club: inOrder(), tournament: inOrder(), announcements: inOrder(), game: inOrder() };
  return { role: "guest", tables: new Map(), results: [], players: [], tournaments: [], tournament: null, chosen: null, opened: "", game: null, missing: "", announcements: [], lost: false, refused: "", orders };
}

/** Return whether this page may enter results and announcements. @param {Hall} hall */
export function referees(hall) {
  return hall.role !== "guest";
}

/** Return whether this page may do everything. @param {Hall} hall */
export function directs(hall) {
  return hall.role === "director";
}

/**
 * Follow the hall for as long as the page is open: each table by its own event, everything else when the hall reports a change.
 *
 * @param {Hall} hall
 * @param {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 * @param {(what: "tables" | "table" | "club" | "link", table?: string) => void} changed
 */
export function follow(hall, ask, changed) {
  /** Tables whose event has come since the list was last requested; their events are newer than the answer. @type {Set<string>} */
  const fresh = new Set();
  let asked = 0;

  stayConnected("/api/events", listen, () => lose(true));

  /** @type {Parameters<typeof stayConnected>[1]} */
  function listen(source, { settled }) {
    /** @type {Set<string>} */
    const heard = new Set();
    source.addEventListener("tables", ({ data }) => {
      const { tables } = JSON.parse(data);
      for (const name of tables) if (!heard.has(name)) source.addEventListener(`table-${name}`, hear);
      for (const name of tables) heard.add(name);
      list(tables);
    });
    source.addEventListener("changed", () => refresh(hall, ask).then(() => changed("club")));
    source.addEventListener("open", () => {
      settled();
      lose(false);
    });
  }

  /** @param {MessageEvent} event */
  function hear({ data }) {
    const table = JSON.parse(data);
    const known = hall.tables.has(table.table);
    fresh.add(table.table);
    hall.tables.set(table.table, table);
    changed(known ? "table" : "tables", table.table);
  }

  /** @param {string[]} names */
  async function list(names) {
    for (const name of hall.tables.keys()) if (!names.includes(name)) hall.tables.delete(name);
    fresh.clear();
    const mine = ++asked;
    const answer = await ask("/api/tables");
    // A newer list has been requested since, and its answer counts.
    if (!answer.ok || mine !== asked) return;
    for (const table of answer.tables) if (!fresh.has(table.table)) hall.tables.set(table.table, table);
    changed("tables");
  }

  /** @param {boolean} lost */
  function lose(lost) {
    if (lost === hall.lost) return;
    hall.lost = lost;
    changed("link");
    // Changes during the interruption were not reported.
    if (!lost) refresh(hall, ask).then(() => changed("club"));
  }
}

/**
 * Fetch everything except the tables.
 *
 * @param {Hall} hall
 * @param {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 */
export async function refresh(hall, ask) {
  const [isNewest, isNewestAnnounced] = [hall.orders.club(), hall.orders.announcements()];
  const [me, results, players, tournaments, announcements] = await Promise.all(
    ["/api/me", "/api/results", "/api/players", "/api/tournaments", "/api/announcements"].map((path) => ask(path)),
  );
  if (announcements.ok && isNewestAnnounced()) hall.announcements = announcements.announcements;
  if (!isNewest()) return;
  if (me.ok) hall.role = me.role;
  if (results.ok) hall.results = results.results;
  if (players.ok) hall.players = players.players;
  if (tournaments.ok) hall.tournaments = tournaments.tournaments;
  await look(hall, ask, hall.chosen ?? hall.tournament?.id ?? hall.tournaments[0]?.id ?? null);
}

/**
 * Fetch a tournament to show; nothing happens if `id` is null.
 *
 * @param {Hall} hall
 * @param {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 * @param {number | null} id
 */
export async function look(hall, ask, id) {
  if (id === null) return;
  const isNewest = hall.orders.tournament();
  const answer = await ask(`/api/tournaments/${id}`);
  if (answer.ok && isNewest()) hall.tournament = answer.tournament;
}

/**
 * Fetch the game of the opened table, again while the table has decided more than is stored.
 *
 * @param {Hall} hall
 * @param {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 * @param {() => void} changed
 * @param {number} tries
 */
export async function fetchGame(hall, ask, changed, tries = TRIES) {
  const [{ opened }, isNewest] = [hall, hall.orders.game()];
  if (!hall.tables.get(opened)?.state?.game) return;
  const answer = await ask(`/api/tables/${encodeURIComponent(opened)}/game`);
  if (hall.opened !== opened || !isNewest()) return;
  [hall.game, hall.missing] = answer.ok ? [answer.game, ""] : [null, answer.error ?? ""];
  changed();
  if (!tries || hall.game?.decisions === hall.tables.get(opened)?.state?.decisions) return;
  setTimeout(() => hall.opened === opened && isNewest() && fetchGame(hall, ask, changed, tries - 1), AGAIN_MS);
}

/**
 * Send a command and take the changes from its answer, unless the answer to a later request was accepted already.
 *
 * @param {Hall} hall
 * @param {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 * @param {string} path
 * @param {object} body
 */
export async function send(hall, ask, path, body) {
  const [isNewest, isNewestAnnounced] = [hall.orders.tournament(), hall.orders.announcements()];
  const answer = await ask(path, body);
  hall.refused = answer.ok ? "" : answer.error ?? "";
  const { tournament, announcements } = answer;
  if (tournament && path === BEGINS) hall.chosen = tournament.id;
  if (tournament && tournament.id === (hall.chosen ?? tournament.id) && isNewest()) hall.tournament = tournament;
  if (announcements && isNewestAnnounced()) hall.announcements = announcements;
  return answer;
}
