/** Which real tokens go over the table for the last decision. */

import { html } from "../dom.js";
import { seatIcon } from "../icons.js";
import { nameOf } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 * @typedef {import("../contract.js").Money} Money
 */

/**
 * @param {PageState} state
 * @param {Page} page
 */
export function moneyView(state, page) {
  const money = (state.snapshot?.money ?? []).filter(({ buttons }) => buttons > 0);
  if (!money.length) return [];
  return [html("h2.spoken", { id: "money-title" }, page.say("money.title")), html("ul.money", {}, ...money.map((entry, index) => line(entry, index, state, page)))];
}

/**
 * The tokens of one payment; after the first the name goes without saying.
 *
 * @param {Money} entry
 * @param {number} index
 * @param {PageState} state
 * @param {Page} page
 */
function line({ seat, kind, tokens }, index, state, page) {
  const told = tokens.map(([value, count]) => page.say("money.tokens", { count, value })).join(page.say("list.comma"));
  const says = page.say(`${index ? "money-then" : "money"}.${kind}`, { name: nameOf(state, seat) });
  return html(
    `li.money-line.money-${kind}`,
    {},
    html("span.money-says", {}, index ? null : seatIcon(seat), says),
    html("span.tokens", { "aria-hidden": "true" }, ...tokens.map(([value, count]) => tokenPile(value, count, page))),
    html("span.spoken", {}, told),
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
