/** The tab of a tournament: rounds, standings, and the controls of referees and the director. */

import { html } from "../dom.js";
import { directs, look, referees } from "./hall.js";
import { clear, figures, inOrder, nameOf } from "./lists.js";

/**
 * @typedef {import("./main.js").Place} Place
 * @typedef {import("./hall.js").Tournament} Tournament
 * @typedef {import("./hall.js").Pairing} Pairing
 */

/** Return the tab of the tournament, with a form to begin one for those who may. @param {Place} place @returns {Node[]} */
export function tournamentRoom(place) {
  const { hall, say } = place;
  const shown = hall.tournament;
  return [
    ...(hall.tournaments.length > 1 && shown ? [chooser(place, shown)] : []),
    ...(shown ? oneTournament(shown, place) : [html("p.hall-empty", {}, say("tournament.none"))]),
    ...(directs(hall) ? [place.once("begin", () => beginForm(place))] : []),
  ];
}

/** @param {Place} place @param {Tournament} shown */
function chooser({ hall, say, ask, redraw }, shown) {
  const select = html("select", { "data-key": "which", onchange: async (event) => {
    hall.chosen = Number(event.target.value);
    await look(hall, ask, hall.chosen);
    redraw();
  } }, ...hall.tournaments.map(({ id, name }) => html("option", { value: id, selected: id === (hall.chosen ?? shown.id) }, name)));
  return html("label.hall-which", {}, html("span", {}, say("tournament.which")), select);
}

/** @param {Tournament} shown @param {Place} place @returns {Node[]} */
function oneTournament(shown, place) {
  const { say, hall } = place;
  const about = [say(`tournament.${shown.system}`), say("tournament.rounds", { count: shown.rounds }), ...(shown.closed ? [say("tournament.closed")] : [])];
  const rounds = [...shown.paired].reverse().map(({ round, games }) => html("section.card", {}, html("h3", {}, say("tournament.round", { number: round })),
    html("ol.hall-games", {}, ...games.map((game) => pairing(shown, round, game, place)))));
  return [
    html("div", {}, html("h2", {}, html("bdi", {}, shown.name)), html("p.hall-how", {}, about.join(" · "))),
    ...(directs(hall) ? [directing(shown, place)] : []),
    html("div.hall-two", {}, html("div.hall-rounds", {}, ...rounds), standings(shown, place)),
    ...(directs(hall) && !shown.closed ? [who(shown, place)] : []),
  ];
}

/** @param {Tournament} shown @param {Place} place */
function standings(shown, { say, language }) {
  const swiss = shown.system === "swiss";
  const columns = /** @type {[string, "points" | "played" | "wins" | "buchholz_cut" | "buchholz" | "sonneborn_berger"][]} */ ([
    ["points", "points"], ["played", "played"], ["wins", "wins"], ...(swiss ? [["cut", "buchholz_cut"], ["buchholz", "buchholz"]] : []), ["berger", "sonneborn_berger"],
  ]);
  const half = new Intl.NumberFormat(language.code, { maximumFractionDigits: 2 });
  const rows = shown.standings.map((each) => [language.digits(each.place), html("bdi", {}, each.name), ...columns.map(([, key]) => half.format(each[key]))]);
  const heads = [say("tournament.place"), say("players.name"), ...columns.map(([key]) => say(`tournament.${key}`))];
  const folder = `/csv/tournaments/${shown.id}`;
  return html("section.card", {}, html("h3", {}, say("tournament.standings")), figures(say("tournament.standings"), heads, rows),
    html("p.hall-buttons", {}, html("a.plain.hall-csv", { href: `${folder}/standings.csv`, download: true }, `${say("tournament.standings")}: ${say("csv")}`),
      html("a.plain.hall-csv", { href: `${folder}/pairings.csv`, download: true }, `${say("tournament.pairings")}: ${say("csv")}`)));
}

/** @param {Tournament} shown @param {number} round @param {Pairing} game @param {Place} place */
function pairing(shown, round, game, place) {
  const { say, hall, language } = place;
  if (game.second === null) return html("li.hall-game", {}, html("span.hall-pair", {}, html("bdi", {}, game.first), " ", html("span.hall-foot", {}, say("tournament.bye"))));
  const where = directs(hall) && !shown.closed && game.score === null ? whereOf(shown, round, game, place) : game.table && html("bdi.hall-where", {}, nameOf(game.table, place));
  const pair = html("span.hall-pair", {}, html("bdi", {}, game.first), " – ", html("bdi", {}, game.second));
  const may = referees(hall) && !shown.closed;
  return html("li.hall-game", {}, where, pair, may ? resultOf(shown, round, game, place) : html("span.hall-result", {}, written(game, say, language)), game.from_table && html("span.hall-foot", {}, say("tournament.from-table")));
}

/** @param {Tournament} shown @param {number} round @param {Pairing} game @param {Place} place */
function whereOf(shown, round, game, place) {
  const { say, command } = place;
  const tables = [...new Set([...inOrder(place), ...(game.table ? [game.table] : [])])];
  const options = ["", ...tables].map((table) => html("option", { value: table, selected: table === (game.table ?? "") }, table ? nameOf(table, place) : say("tournament.no-table")));
  return html("select.hall-where", {
    "data-key": `table-${round}-${game.board}`,
    "aria-label": say("tournament.table-of", { one: game.first, other: game.second ?? "" }),
    onchange: (event) => command(`/api/tournaments/${shown.id}/table`, { round, board: game.board, table: event.target.value || null }),
  }, ...options);
}

/** Signs of a game that was not played, as in tables of chess. */
const FORFEITS = { first: "− : +", second: "+ : −", both: "− : −" };

/** @param {Pairing} game @param {Place["say"]} say @param {Place["language"]} language */
function written({ score, absent }, say, language) {
  if (score === null) return say("tournament.open");
  if (absent) return html("bdi", { dir: language.dir }, FORFEITS[absent]);
  const half = new Intl.NumberFormat(language.code);
  // The first figure belongs to the first player in either writing direction.
  return html("bdi", { dir: language.dir }, `${half.format(score)} : ${half.format(1 - score)}`);
}

/** @param {Tournament} shown @param {number} round @param {Pairing} game @param {Place} place */
function resultOf(shown, round, game, { say, language, command }) {
  const half = new Intl.NumberFormat(language.code);
  const options = [null, 1, 0.5, 0].map((score) =>
    html("option", { value: score ?? "", selected: score === game.score && !game.absent }, score === null ? say("tournament.open") : `${half.format(score)} : ${half.format(1 - score)}`));
  const missing = /** @type {const} */ ([["second", game.second ?? ""], ["first", game.first], ["both", ""]]).map(([absent, name]) =>
    html("option", { value: absent, selected: absent === game.absent }, `${FORFEITS[absent]} ${absent === "both" ? say("tournament.nobody") : say("tournament.absent", { name })}`));
  return html("select.hall-enter", {
    "data-key": `result-${round}-${game.board}`,
    "aria-label": say("tournament.result-of", { one: game.first, other: game.second ?? "" }),
    onchange: (event) => command(`/api/tournaments/${shown.id}/result`, { round, board: game.board, ...entered(event.target.value) }),
  }, ...options, ...missing);
}

/** Return a chosen result as the hall takes it. @param {string} value */
function entered(value) {
  if (value in FORFEITS) return { score: null, absent: value };
  return { score: value === "" ? null : Number(value) };
}

/** @param {Tournament} shown @param {Place} place */
function directing(shown, { say, command }) {
  const act = (/** @type {string} */ name) => html("button.plain", { type: "button", "data-key": name, onclick: () => command(`/api/tournaments/${shown.id}/${name}`, {}) }, say(`do.${name}`));
  const decided = shown.paired.some(({ games }) => games.some(({ score, absent }) => score !== null && !absent));
  const names = shown.closed ? ["reopen"] : [...(shown.paired.length < shown.rounds ? ["pair"] : []), ...(shown.paired.length ? ["unpair", "close"] : []), ...(decided ? [] : ["remove"])];
  return html("div.hall-buttons", {}, ...names.map(act));
}

/** @param {Tournament} shown @param {Place} place */
function who(shown, place) {
  const { say, command } = place;
  const items = shown.players.map(({ number, name, present }) => html(`li.hall-who${present ? "" : ".is-away"}`, {}, html("bdi", {}, name),
    html("button.plain", { type: "button", "data-key": `present-${number}`, onclick: () => command(`/api/tournaments/${shown.id}/present`, { number, present: !present }) }, say(present ? (shown.system === "swiss" ? "do.rests" : "do.leaves") : "do.back"))));
  const name = /** @type {HTMLInputElement} */ (html("input", { maxlength: 40, required: true, dir: "auto", "data-key": "late" }));
  const late = place.once(`late-${shown.id}`, () => html("form.hall-late", { onsubmit: async (event) => {
    event.preventDefault();
    const sent = name.value;
    if (await command(`/api/tournaments/${shown.id}/players`, { name: sent })) clear(name, sent);
  } }, html("label", {}, html("span", {}, say("do.late")), name), html("button.plain", {}, say("do.enter"))));
  return html("details.card", { "data-key": "who" }, html("summary", {}, say("do.who")), html("ul.hall-present", {}, ...items), late);
}

/** @param {Place} place */
function beginForm({ say, command }) {
  const name = /** @type {HTMLInputElement} */ (html("input", { maxlength: 40, required: true, dir: "auto", "data-key": "begin-name" }));
  const system = /** @type {HTMLSelectElement} */ (html("select", { "data-key": "begin-system" }, ...["swiss", "round-robin"].map((each) => html("option", { value: each }, say(`tournament.${each}`)))));
  const rounds = /** @type {HTMLInputElement} */ (html("input", { type: "number", min: 1, max: 30, value: 5, "data-key": "begin-rounds" }));
  const asked = html("label", {}, html("span", {}, say("do.rounds")), rounds);
  // Where everybody meets everybody, the players give the number of rounds.
  system.addEventListener("change", () => (asked.hidden = system.value !== "swiss"));
  const players = /** @type {HTMLTextAreaElement} */ (html("textarea", { rows: 6, required: true, dir: "auto", "data-key": "begin-players" }));
  // There are at most as many rounds as opponents; with an odd number of players one sits out each round.
  let wished = Number(rounds.value);
  rounds.addEventListener("input", () => (wished = Number(rounds.value)));
  players.addEventListener("input", () => {
    const count = players.value.split("\n").filter((each) => each.trim()).length;
    if (count > 1) rounds.value = String(Math.min(wished, count + (count % 2) - 1));
  });
  /** @param {Event} event */
  async function begin(event) {
    event.preventDefault();
    const [called, entered] = [name.value, players.value];
    const listed = entered.split("\n").map((each) => each.trim()).filter(Boolean);
    const begun = await command("/api/tournaments", { name: called, system: system.value, rounds: Number(rounds.value), players: listed });
    if (begun) [clear(name, called), clear(players, entered)];
  }
  const field = (/** @type {string} */ key, /** @type {Node} */ input) => html("label", {}, html("span", {}, say(key)), input);
  return html("details.card", { "data-key": "begin" }, html("summary", {}, say("do.begin")),
    html("form.hall-form", { onsubmit: begin }, field("do.name", name), field("do.system", system), asked, field("do.players", players), html("button.plain", {}, say("do.begin"))));
}
