/** The rules in two minutes, with drawings: of the game at the table, or of all games if there is none. */

import { html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "../views/dialog.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 *
 * @typedef {object} Chapter
 * @property {string} title
 * @property {string[]} [says]  The sentences, in order.
 * @property {{sign: Node, says: string}[]} [signs]  What each sign means.
 * @property {Node} [picture]
 *
 * @typedef {{title: string, lead: string, chapters: Chapter[]}} Rules
 */

/**
 * Return whether there are rules to show.
 *
 * @param {Page} page
 */
export function hasRules({ games, state }) {
  const { game } = state().snapshot ?? {};
  return !game || games.names.includes(game.name);
}

/** Open the rules. @param {Page} page */
export async function openSheet(page) {
  const { game } = page.state().snapshot ?? {};
  const names = game ? [game.name] : page.games.names;
  const [read] = await Promise.all([Promise.all(names.map((name) => rulesOf(name, page))), stylesheet("/static/css/rules.css")]);
  const found = read.flatMap((rules) => rules ?? []);
  const alone = found.length === 1;
  const sheet = showSheet(page, alone ? found[0].title : page.say("rules.title"), ...found.map((rules) => drawn(rules, alone)));
  sheet.classList.add("rules-sheet");
}

/**
 * @param {string} name  The name of a game.
 * @param {Page} page
 * @returns {Promise<Rules | null>}
 */
async function rulesOf(name, page) {
  const { rules } = await page.games.partsOf(name);
  return rules ? (await rules())(page) : null;
}

/**
 * @param {Rules} rules
 * @param {boolean} alone  Whether they are the only rules, so that the sheet has their title.
 */
function drawn({ title, lead, chapters }, alone) {
  return html("section.rules", {}, alone ? null : html("h3.rules-game", {}, title), html("p.rules-lead", {}, lead), ...chapters.map(chapterOf));
}

/** @param {Chapter} chapter */
function chapterOf({ title, says = [], signs = [], picture }) {
  const sentences = says.length > 1 ? html("ol.rules-says", {}, ...says.map((one) => html("li", {}, one))) : says.length && html("p.rules-says", {}, says[0]);
  return html(
    `div.rules-chapter${picture ? ".drawn" : ""}`,
    {},
    html("h3", {}, title),
    signs.length > 0 && html("ul.rules-signs", {}, ...signs.map((one) => html("li", {}, html("span.rules-sign", { "aria-hidden": "true" }, one.sign), html("span", {}, one.says)))),
    sentences,
    picture && html("div.rules-picture", { "aria-hidden": "true" }, picture),
  );
}
