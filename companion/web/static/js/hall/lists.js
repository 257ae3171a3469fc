/** The tabs of results, players and announcements. */

import { fill, html } from "../dom.js";
import { referees } from "./hall.js";

/** @typedef {import("./main.js").Place} Place */

/**
 * Return a table that scrolls on its own if it is too wide.
 *
 * @param {string} label
 * @param {string[]} heads
 * @param {(Node | string)[][]} rows
 */
export function figures(label, heads, rows) {
  return html("div.hall-scroll", { tabindex: 0, role: "region", "aria-label": label },
    html("table.hall-figures", {}, html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))), html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((cell) => html("td", {}, cell)))))));
}

/** Return a link that downloads a list as CSV. @param {string} href @param {Place} place */
export function asCsv(href, { say }) {
  return html("a.plain.hall-csv", { href, download: true }, say("csv"));
}

/** Return the tab of results. @param {Place} place @returns {Node[]} */
export function resultsRoom(place) {
  const { hall, say, language } = place;
  if (!hall.results.length) return [html("p.hall-empty", {}, say("results.none"))];
  const time = new Intl.DateTimeFormat(language.locale, { dateStyle: "short", timeStyle: "short" });
  const rows = hall.results.map((each) => {
    const players = each.players.map((name, at) => {
      const won = each.winners.includes(at + 1);
      return html(`span.hall-player${won ? ".has-won" : ""}`, {}, html("bdi", {}, name), " ", language.digits(each.scores[at] ?? 0), won && html("span.spoken", {}, ` (${say("tables.won")})`));
    });
    return [html("bdi", {}, time.format(new Date(each.finished_at))), html("bdi", {}, nameOf(each.table, place)), html("bdi", {}, each.title), html("span.hall-players", {}, ...players)];
  });
  const heads = ["results.when", "results.table", "results.game", "results.players"].map((key) => say(key));
  return [figures(say("tab.results"), heads, rows), asCsv("/csv/results.csv", place)];
}

/** Return the tab of players, with their ratings. @param {Place} place @returns {Node[]} */
export function playersRoom(place) {
  const { hall, say, language } = place;
  if (!hall.players.length) return [html("p.hall-empty", {}, say("players.none"))];
  const rows = hall.players.map(({ name, rating, deviation }) => [html("bdi", {}, name), language.digits(rating), language.digits(deviation)]);
  const heads = ["players.name", "players.rating", "players.deviation"].map((key) => say(key));
  return [html("p.hall-how", {}, say("players.how", { system: "Glicko-2" })), figures(say("tab.players"), heads, rows), asCsv("/csv/players.csv", place)];
}

/** Return the tab of announcements, with a form for those who may make them. @param {Place} place @returns {Node[]} */
export function announceRoom(place) {
  const { hall, say, command } = place;
  const standing = hall.announcements.map(({ table, text }) =>
    html("li.card.hall-said", {}, html("p", { dir: "auto" }, text), html("p.hall-foot", {}, html("bdi", {}, nameOf(table, place))),
      referees(hall) && html("button.plain", { type: "button", "data-key": `remove-${table}`, onclick: () => command("/api/announcements", { table, text: "" }) }, say("announce.remove"))));
  const none = !standing.length && html("p.hall-empty", {}, say("announce.none"));
  const form = referees(hall) && place.once("announce", () => announceForm(place));
  if (form) offerPlaces(/** @type {HTMLSelectElement} */ (form.querySelector("select")), place);
  return [...(form ? [form] : []), none || html("ul.hall-tables", {}, ...standing)];
}

/** Return the names of all tables by which they are addressed, as the tab of tables orders them. @param {Place} place */
export function inOrder({ hall }) {
  return [...hall.tables.keys()].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

/** Return the name to show for a table. @param {string} table @param {Place} place */
export function nameOf(table, { hall, say }) {
  return table ? hall.tables.get(table)?.state?.name ?? table : say("announce.everywhere");
}

/** @param {Place} place */
function announceForm(place) {
  const { say, command } = place;
  const text = /** @type {HTMLTextAreaElement} */ (html("textarea", { rows: 2, maxlength: 300, required: true, dir: "auto", "data-key": "announce-text" }));
  const where = /** @type {HTMLSelectElement} */ (html("select", { "data-key": "announce-where" }));
  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    const sent = text.value;
    if (await command("/api/announcements", { text: sent, table: where.value })) clear(text, sent);
  }
  return html("form.card.hall-form", { onsubmit: send },
    html("label", {}, html("span", {}, say("announce.text")), text), html("label", {}, html("span", {}, say("announce.where")), where), html("button.plain", {}, say("announce.say")));
}

/**
 * Offer the present tables. The selected table stays even if it has gone, because the menu would fall back to all tables
 * and publish an announcement that was meant for one.
 *
 * @param {HTMLSelectElement} where
 * @param {Place} place
 */
function offerPlaces(where, place) {
  const chosen = where.value;
  const tables = ["", ...new Set([...inOrder(place), chosen].filter(Boolean))].map((table) => [table, nameOf(table, place)]);
  if (JSON.stringify(tables) === where.dataset.offered) return;
  where.dataset.offered = JSON.stringify(tables);
  fill(where, ...tables.map(([table, name]) => html("option", { value: table, selected: table === chosen }, name)));
}

/**
 * Clear a field after its text was sent, unless the text has changed since.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} sent
 */
export function clear(field, sent) {
  if (field.value === sent) field.value = "";
}
