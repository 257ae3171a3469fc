/** Whose turn it is and why, the payments of the last decision, and the result. */

import { html } from "../dom.js";
import { rosetteIcon, seatIcon } from "../icons.js";
import { nameOf } from "../views/page.js";
import { nowLine } from "../views/turn.js";
import { own, seatOf } from "./state.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Money} Money
 */

/**
 * Return the line that says whose turn it is and why, or the result.
 *
 * @param {PageState} state
 * @param {Page} page
 * @returns {(Node | null | false)[]}
 */
export function turnView(state, page) {
  const { snapshot } = state;
  const table = snapshot?.patchwork;
  if (!table) return [];
  if (table.result) return [...ended(table.result, state, page), nowLine(snapshot, snapshot.table.waiting_for, page)];
  const { seat, must } = table.turn;
  return [
    html(
      "div.turn-line",
      {},
      seat ? seatIcon(seat) : null,
      html("h2.turn-name", { id: "turn-title" }, page.say(must === "leather" ? "turn.leather" : "turn.whose", { name: nameOf(state, seat) })),
    ),
    html("p.turn-why", {}, why(state, page)),
    doing(snapshot, state, page),
  ];
}

/**
 * @param {import("../contract.js").Snapshot} snapshot
 * @param {PageState} state
 * @param {Page} page
 */
function doing(snapshot, state, page) {
  // The panel of the circle already says that the camera is looking.
  if (snapshot.table.camera && own(state).looking && !snapshot.game?.decisions) return null;
  return nowLine(snapshot, snapshot.table.waiting_for, page);
}

/**
 * @param {import("../contract.js").Result} result
 * @param {PageState} state
 * @param {Page} page
 */
function ended(result, state, page) {
  const totals = [...result.sheet].sort((one, other) => Number(other.seat === result.winner) - Number(one.seat === result.winner));
  const values = { name: nameOf(state, result.winner), won: totals[0].total, lost: totals[1].total };
  return [
    html("div.turn-line", {}, rosetteIcon(), html("h2.turn-name", { id: "turn-title" }, page.say(result.tie ? "end.tie" : "end.wins", values))),
    html("p.turn-why", {}, page.say(!result.tie ? "end.score" : result.first_home === result.winner ? "end.tie-score" : "end.tie-score-last", values)),
  ];
}

/**
 * Return why it is this player's turn, from the tokens' positions.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function why(state, page) {
  const { snapshot } = state;
  const table = snapshot?.patchwork;
  const mover = seatOf(state, table?.turn.seat ?? null);
  const other = table?.seats.find(({ seat }) => seat !== mover?.seat);
  if (!table || !mover || !other) return "";
  const values = { name: mover.name, other: other.name, mine: mover.time, theirs: other.time };
  if (table.turn.must === "leather") return page.say("why.leather", values);
  if (snapshot?.game?.decisions === 0) return page.say("why.first", values);
  if (other.time === table.track.last_space) return page.say("why.last", values);
  return page.say(mover.time < other.time ? "why.behind" : "why.top", values);
}

/**
 * Return the payments of the last decision.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function moneyView(state, page) {
  const money = (state.snapshot?.patchwork?.money ?? []).filter(({ buttons }) => buttons > 0);
  if (!money.length) return [];
  return [html("h2.spoken", { id: "money-title" }, page.say("money.title")), html("ul.money", {}, ...money.map((entry, index) => line(entry, index, state, page)))];
}

/**
 * Return the tokens of a payment; only the first one names the player.
 *
 * @param {Money} entry
 * @param {number} index
 * @param {PageState} state
 * @param {Page} page
 */
function line({ seat, kind, tokens }, index, state, page) {
  const listed = tokens.map(([value, count]) => page.say("money.tokens", { count, value })).join(page.say("list.comma"));
  const says = page.say(`${index ? "money-then" : "money"}.${kind}`, { name: nameOf(state, seat) });
  return html(
    `li.money-line.money-${kind}`,
    {},
    html("span.money-says", {}, index ? null : seatIcon(seat), says),
    html("span.tokens", { "aria-hidden": "true" }, ...tokens.map(([value, count]) => tokenPile(value, count, page))),
    html("span.spoken", {}, listed),
  );
}

/**
 * @param {number} value
 * @param {number} count
 * @param {Page} page
 */
function tokenPile(value, count, { language }) {
  return html("span.pile", {}, html("span.pile-count", {}, `${language.digits(count)}\u2009×`), html(`span.coin.coin-${value}`, {}, language.digits(value)));
}
