/** The score sheet. */

import { html } from "../dom.js";
import { seatIcon } from "../icons.js";
import { afterwards } from "../views/controls.js";
import { nameOf } from "../views/page.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

/**
 * Return the score sheet of a finished game, or nothing before the end.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function resultView(state, page) {
  const result = state.snapshot?.patchwork?.result;
  if (!result) return [];
  const heads = result.sheet.map(({ seat }) => html("th", { scope: "col" }, seatIcon(seat), nameOf(state, seat)));
  const rows = result.sheet[0].lines.map((line, index) => sheetRow(line.what, result, index, page));
  const totals = result.sheet.map(({ total, seat }) => html(`td${seat === result.winner ? ".winning" : ""}`, {}, page.language.digits(total)));
  return [
    html("h2.section-title", { id: "result-title" }, page.say("end.sheet")),
    html(
      "table.score-sheet",
      { "aria-labelledby": "result-title" },
      html("thead", {}, html("tr", {}, html("td"), ...heads)),
      html("tbody", {}, ...rows),
      html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, page.say("end.total")), ...totals)),
    ),
    ...afterwards(state, page),
  ];
}

/**
 * @param {string} what
 * @param {import("../contract.js").Result} result
 * @param {number} index
 * @param {Page} page
 */
function sheetRow(what, result, index, page) {
  const cells = result.sheet.map(({ lines }) => {
    const { count, points } = lines[index];
    const detail = what === "empty" ? html("span.sheet-detail", {}, page.say("end.times", { count })) : null;
    return html("td", {}, detail, " ", page.language.digits(points));
  });
  return html("tr", {}, html("th", { scope: "row" }, page.say(`end.${what}`)), ...cells);
}
