/** The hall's page: tabs, and the view of the selected one below them. */

import { fill, html } from "../dom.js";
import { keep, remembered } from "../keeping.js";
import { codeFor, languageOf, LANGUAGES } from "../language.js";
import { gamesIn } from "../registry.js";
import { ask as askFor } from "../setup/asking.js";
import { stylesheet } from "../stylesheet.js";
import { emptyHall, fetchGame, follow, referees, refresh, send } from "./hall.js";
import { announceRoom, playersRoom, resultsRoom } from "./lists.js";
import "./texts.js";
import { tournamentRoom } from "./tournament.js";

/**
 * @typedef {object} Place  What each tab's view receives.
 * @property {import("./hall.js").Hall} hall
 * @property {import("../language.js").Language["say"]} say
 * @property {import("../language.js").Language} language
 * @property {(path: string, body?: object) => Promise<import("../setup/asking.js").Answer>} ask
 * @property {(path: string, body: object) => Promise<Record<string, any> | null>} command  Resolves to null if the command was refused; the page shows why.
 * @property {(key: string, make: () => HTMLElement) => HTMLElement} once  Creates an element with text fields once and returns the same one later, so that text being typed survives.
 * @property {() => void} redraw
 */

/** @typedef {import("./hall.js").Hall} Hall */

/** The tabs. `needs` returns the data that a view depends on. @type {Record<string, {draw: (place: Place) => Node[], needs: (hall: Hall) => unknown}>} */
const ROOMS = {
  tables: { draw: tablesRoom, needs: (hall) => (hall.tables.has(hall.opened) ? [hall.opened] : [...hall.tables.values()]) },
  tournament: { draw: tournamentRoom, needs: (hall) => [hall.role, hall.chosen, hall.tournaments, hall.tournament, called(hall)] },
  results: { draw: resultsRoom, needs: ({ results }) => results },
  players: { draw: playersRoom, needs: ({ players }) => players },
  announce: { draw: announceRoom, needs: (hall) => [hall.role, hall.announcements, called(hall)] },
};

/** Return the tables with their names. @param {Hall} hall */
const called = ({ tables }) => [...tables.values()].map(({ table, state }) => [table, state?.name]);

const language = await languageOf(codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]), "-whole");
const { say } = language;
const hall = emptyHall();
/** @type {Map<string, HTMLElement>} */
const made = new Map();
/** Whether a redraw is scheduled. */
let due = false;
/** The data of the drawn view. It is redrawn only after a change, because the user may have a menu open in it. */
let drawn = "";
/** The data of the drawn tabs. */
let tabs = "";

/** @type {Place} */
const place = {
  hall,
  say,
  language,
  ask: (path, body) => askFor(path, /** @type {any} */ ({ language, say }), body),
  command,
  once(key, make) {
    const found = made.get(key) ?? make();
    made.set(key, found);
    return found;
  },
  redraw,
};

label();
addEventListener("hashchange", () => {
  hall.refused = "";
  open();
  draw();
});
hall.opened = openedTable();
refresh(hall, place.ask).then(draw);
follow(hall, place.ask, (what, table) => {
  if (what === "table" && table) drawTable(table);
  else redraw();
  if (what === "tables" || table === hall.opened || what === "link") fetchOpened();
});

/** Follow the address to the table that it names, or away from it. */
function open() {
  if (hall.opened === openedTable()) return;
  [hall.opened, hall.game, hall.missing] = [openedTable(), null, ""];
  fetchOpened();
}

function fetchOpened() {
  const { opened } = hall;
  fetchGame(hall, place.ask, () => drawTable(opened));
}

/** @param {string} path @param {object} body */
async function command(path, body) {
  const answer = await send(hall, place.ask, path, body);
  // Redraw always, so that a menu with a refused choice returns to its old value.
  drawn = "";
  redraw();
  return answer.ok ? answer : null;
}

function label() {
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  document.title = say("hall.title");
  fill(part("title"), say("hall.title"));
  fill(part("skip"), say("hall.skip"));
  fill(part("language-name"), say("hall.language"));
  fill(part("language"), ...LANGUAGES.map(({ code, name }) => html("option", { value: code, selected: code === language.code, lang: code }, name)));
  part("language").addEventListener("change", (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    keep("language", value);
    location.assign(`/?language=${value}${location.hash}`);
  });
}

/** Schedule a redraw for the next frame, once for several changes. */
function redraw() {
  if (due) return;
  due = true;
  requestAnimationFrame(draw);
}

function draw() {
  due = false;
  const tab = chosen();
  drawTabs(tab);
  drawRoom(tab);
  part("role").textContent = hall.role === "guest" ? "" : say(`hall.${hall.role}`);
  put("banner", hall.lost ? say("hall.lost") : "");
  put("refused", hall.refused);
  fill(part("announcements"), ...hall.announcements.filter(({ table }) => !table).map(({ text }) => html("p", { dir: "auto" }, text)));
}

/** @param {string} tab */
function drawTabs(tab) {
  const shown = Object.keys(ROOMS).filter((name) => name !== "announce" || referees(hall));
  const needed = JSON.stringify([tab, shown]);
  if (needed === tabs) return;
  tabs = needed;
  fill(part("tabs"), html("ul", {}, ...shown.map((name) => html("li", {}, html("button.plain", { type: "button", onclick: () => location.assign(`#${name}`), "data-key": `tab-${name}`, "aria-current": name === tab ? "page" : null }, say(`tab.${name}`))))));
}

/** @param {string} tab */
function drawRoom(tab) {
  const needed = JSON.stringify([tab, ROOMS[tab].needs(hall)]);
  if (needed === drawn) return;
  drawn = needed;
  const opened = new Set([...part("room").querySelectorAll("details[open]")].map((each) => each.getAttribute("data-key")));
  fill(part("room"), ...ROOMS[tab].draw(place));
  for (const each of part("room").querySelectorAll("details")) if (opened.has(each.getAttribute("data-key"))) each.open = true;
}

/** @param {string} name */
function drawTable(name) {
  const table = hall.tables.get(name);
  const card = part("room").querySelector(`[data-table="${CSS.escape(name)}"]`);
  if (!table || !card) return;
  card.replaceWith(tableCard(table, place));
  const count = part("room").querySelector(".hall-count");
  if (count) fill(count, thereNow(place));
}

function chosen() {
  const [name] = location.hash.slice(1).split("/");
  return name in ROOMS ? name : "tables";
}

/** Return the table that the address names, or "". */
function openedTable() {
  const [tab, table = ""] = location.hash.slice(1).split("/");
  return tab === "tables" ? decodeURIComponent(table) : "";
}

/** @param {string} id @param {string} says */
function put(id, says) {
  part(id).textContent = says;
  part(id).hidden = !says;
}

/** @param {string} id @returns {HTMLElement} */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

// The tab with the present state of every table, and the view of one with its game.

/** @typedef {import("./hall.js").Table} Table */

/** Return the tab of tables. @param {Place} place @returns {Node[]} */
function tablesRoom(place) {
  const { hall, say } = place;
  const opened = hall.tables.get(hall.opened);
  if (opened) return [html("p", {}, html("a.plain", { href: "#tables", "data-key": "all" }, say("tables.all"))), html("ul.hall-tables.is-one", {}, tableCard(opened, place))];
  const tables = [...hall.tables.values()].sort((one, other) => one.table.localeCompare(other.table, "en", { numeric: true }));
  if (!tables.length) return [html("p.hall-empty", {}, say("tables.none"))];
  return [html("p.hall-count", {}, thereNow(place)), html("ul.hall-tables", {}, ...tables.map((table) => tableCard(table, place)))];
}

/** Return how many tables are online, as text. @param {Place} place */
function thereNow({ hall, say }) {
  return say("tables.there", { count: [...hall.tables.values()].filter(({ online }) => online).length });
}

/** Return the card of a table: its state, and its game if there is one. @param {Table} table @param {Place} place */
function tableCard(table, { hall, say, language }) {
  const { state, online } = table;
  const isOpened = hall.opened === table.table;
  const name = state?.name ?? table.table;
  const phase = !online ? "away" : state?.phase ?? "waiting";
  const opens = state?.game && !isOpened;
  const title = html("h2", {}, opens ? html("a.hall-opens", { href: `#tables/${encodeURIComponent(table.table)}` }, html("bdi", {}, name)) : html("bdi", {}, name));
  const head = html("div.hall-table-head", {}, title, html(`span.hall-phase.is-${phase}`, {}, say(`tables.${phase}`)));
  if (!state?.game) return card(table, phase, head);
  const seats = state.seats.map((seat, index) => {
    const turn = online && state.turn === seat.seat && state.phase !== "finished";
    const won = state.winners.includes(seat.seat);
    const line = html(`div.hall-seat${turn ? ".has-turn" : ""}${won ? ".has-won" : ""}`, {},
      html("bdi.hall-name", {}, seat.name), (turn || won) && html("span.hall-mark", {}, say(won ? "tables.won" : "tables.turn")), html("span.hall-score", {}, language.digits(seat.score)));
    return html("li", {}, line, isOpened && html("div.hall-quilt", { "data-quilt": index }));
  });
  const foot = html("p.hall-foot", {}, html("bdi", {}, state.game.title), " · ", say("tables.decisions", { count: state.decisions }));
  const shown = card(table, phase, head, html("ul.hall-seats", {}, ...seats), foot);
  if (isOpened) lay(shown, state, hall);
  return shown;
}

/**
 * Put the quilts or sheets of the opened table's game into its card, as soon as they are drawn.
 *
 * @param {HTMLElement} shown
 * @param {import("./hall.js").State} state
 * @param {import("./hall.js").Hall} hall
 */
async function lay(shown, { seats, winners }, { game, missing }) {
  if (missing) shown.append(html("p.hall-foot", { role: "status" }, missing));
  if (!game) return;
  const says = game.decisions_list?.at(-1)?.says ?? [];
  shown.append(html("p.hall-says", { dir: "auto", role: "status" }, says.join(" ")));
  const [parts] = await Promise.all([gamesIn(String).partsOf(game.game), ...["cloth", "games"].map((name) => stylesheet(`/static/css/${name}.css`))]);
  const winner = winners.length === 1 ? winners[0] : null;
  const pictures = (await parts.thumbnail?.({ details: game, winner, names: seats.map(({ name }) => name) })) ?? [];
  pictures.forEach((picture, index) => shown.querySelector(`[data-quilt="${index}"]`)?.append(picture));
}

/** @param {Table} table @param {string} phase @param {...Node} children */
function card(table, phase, ...children) {
  return html(`li.card.hall-table.is-${phase}`, { "data-table": table.table }, ...children);
}
