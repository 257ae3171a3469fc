/** The tab with the present state of every table, and the view of one with its game. */

import { html } from "../dom.js";
import { gamesIn } from "../registry.js";
import { stylesheet } from "../stylesheet.js";

/**
 * @typedef {import("./hall.js").Table} Table
 * @typedef {import("./main.js").Place} Place
 */

/** Return the tab of tables. @param {Place} place @returns {Node[]} */
export function tablesRoom(place) {
  const { hall, say } = place;
  const opened = hall.tables.get(hall.opened);
  if (opened) return [html("p", {}, html("a.plain", { href: "#tables", "data-key": "all" }, say("tables.all"))), html("ul.hall-tables.is-one", {}, tableCard(opened, place))];
  const tables = [...hall.tables.values()].sort((one, other) => one.table.localeCompare(other.table, "en", { numeric: true }));
  if (!tables.length) return [html("p.hall-empty", {}, say("tables.none"))];
  return [html("p.hall-count", {}, thereNow(place)), html("ul.hall-tables", {}, ...tables.map((table) => tableCard(table, place)))];
}

/** Return how many tables are online, as text. @param {Place} place */
export function thereNow({ hall, say }) {
  return say("tables.there", { count: [...hall.tables.values()].filter(({ online }) => online).length });
}

/** Return the card of a table: its state, and its game if there is one. @param {Table} table @param {Place} place */
export function tableCard(table, { hall, say, language }) {
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
