/** The time track, the last events, the strip, and the score sheet. */

import { html } from "../dom.js";
import { seatIcon } from "../icons.js";
import { openSheet } from "../sheets.js";
import { trackPicture } from "../track.js";
import { canSetUp, nameOf } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/** So many events; what follows from one stands with it. */
const NEWS_SHOWN = { board: 6, watch: 6, tv: 2 };

/**
 * What is wrong, without the names that the faults of a sheet have in records.
 *
 * @param {string} says
 */
export function plainly(says) {
  return says.replace(/[\u2066-\u2068]?E_[A-Z_]+\u2069?: */g, "");
}

/**
 * @param {() => number} columns  Spaces a row, for the room there is.
 * @returns {(state: PageState, page: Page) => Node[]}
 */
export function trackView(columns) {
  return (state, page) => {
    const track = state.snapshot?.track;
    if (!track) return [];
    const where = state.snapshot?.seats.map(({ name, time }) => page.say("track.at", { name, space: time })) ?? [];
    const left = page.say("track.leather", { count: track.leather_left.length });
    const label = [page.say("track.label"), ...where, left].join(" ");
    const mirrored = page.language.dir === "rtl";
    return [
      html("h2.spoken", { id: "track-title" }, page.say("track.title")),
      trackPicture(track, { columns: columns(), mirrored, label, digits: page.language.digits }),
    ];
  };
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
export function newsView(state, page) {
  const news = (state.snapshot?.news ?? []).filter(({ kind }) => kind !== "turn");
  if (!news.length) return [];
  const events = [...new Set(news.map(({ first }) => first))].slice(-NEWS_SHOWN[page.view]).reverse();
  const ended = page.view === "tv" && Boolean(state.snapshot?.result);
  const items = events.map((event, place) => {
    const [main, ...following] = news.filter(({ first }) => first === event);
    // Who has won stands large above; the line has room for what it was won by.
    const rest = ended && place === 0 ? following.slice(0, -1) : following;
    const follows = rest.map(({ says }) => html("span.news-follows", { dir: "auto" }, plainly(says)));
    return html(`li.news-item.news-${main.kind}`, {}, html("span", { dir: "auto" }, plainly(main.says)), ...follows);
  });
  return [html("h2.section-title", { id: "news-title" }, page.say("news.title")), html("ol.news-list", {}, ...items)];
}

/**
 * The strip of lights, drawn as it shines on the table.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function stripView(state, page) {
  if (!state.strip.length) return [];
  const pixels = state.strip.map((colour) => {
    const pixel = html("span.pixel");
    pixel.style.backgroundColor = colour;
    if (colour !== "#000000") pixel.style.boxShadow = `0 0 .5em ${colour}`;
    return pixel;
  });
  return [html("div.strip", { role: "img", "aria-label": page.say("strip.label"), dir: "ltr" }, ...pixels)];
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
export function resultView(state, page) {
  const result = state.snapshot?.result;
  if (!result) return [];
  const heads = result.sheet.map(({ seat }) => html("th", { scope: "col" }, seatIcon(seat), nameOf(state, seat)));
  const rows = result.sheet[0].lines.map((line, index) => sheetRow(line.what, result, index, page));
  const again = canSetUp(state, page) && html("button.push.push-confirm.again", { type: "button", "data-key": "again", onclick: () => openSheet("setup", page) }, html("span.push-name", {}, page.say("end.again")));
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
    again || null,
    page.view !== "tv" && html("p.share-line", {}, html("button.plain", { type: "button", "data-key": "share", onclick: () => openSheet("share", page) }, page.say("share.title"))),
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
