/** The tab with the present state of every table. */

import { html } from "../dom.js";

/**
 * @typedef {import("./hall.js").Table} Table
 * @typedef {import("./main.js").Place} Place
 */

/** Return the tab of tables. @param {Place} place @returns {Node[]} */
export function tablesRoom(place) {
  const { hall, say } = place;
  const tables = [...hall.tables.values()].sort((one, other) => one.table.localeCompare(other.table, "en", { numeric: true }));
  if (!tables.length) return [html("p.hall-empty", {}, say("tables.none"))];
  return [html("p.hall-count", {}, thereNow(place)), html("ul.hall-tables", {}, ...tables.map((table) => tableCard(table, place)))];
}

/** Return how many tables are online, as text. @param {Place} place */
export function thereNow({ hall, say }) {
  return say("tables.there", { count: [...hall.tables.values()].filter(({ online }) => online).length });
}

/** Return the card of a table: its state, and its game if there is one. @param {Table} table @param {Place} place */
export function tableCard(table, { say, language }) {
  const { state, online } = table;
  const name = state?.name ?? table.table;
  const phase = !online ? "away" : state?.phase ?? "waiting";
  const title = html("h2", {}, html("bdi", {}, name));
  const head = html("div.hall-table-head", {}, title, html(`span.hall-phase.is-${phase}`, {}, say(`tables.${phase}`)));
  if (!state?.game) return card(table, phase, head);
  const seats = state.seats.map((seat) => {
    const turn = online && state.turn === seat.seat && state.phase !== "finished";
    const won = state.winners.includes(seat.seat);
    return html(`li.hall-seat${turn ? ".has-turn" : ""}${won ? ".has-won" : ""}`, {},
      html("bdi.hall-name", {}, seat.name), (turn || won) && html("span.hall-mark", {}, say(won ? "tables.won" : "tables.turn")), html("span.hall-score", {}, language.digits(seat.score)));
  });
  const foot = html("p.hall-foot", {}, html("bdi", {}, state.game.title), " · ", say("tables.decisions", { count: state.decisions }));
  return card(table, phase, head, html("ul.hall-seats", {}, ...seats), foot);
}

/** @param {Table} table @param {string} phase @param {...Node} children */
function card(table, phase, ...children) {
  return html(`li.card.hall-table.is-${phase}`, { "data-table": table.table }, ...children);
}
