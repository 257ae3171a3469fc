/** Coloured sheets of Kvilt in photographs: what was read drawn on each, the places to check, and the score. */

import { html, svg } from "../../dom.js";
import { pathOf, photo, sideOf, tappable } from "../../score/photo.js";
import "../../score/texts.js";

/**
 * @typedef {import("../../score/main.js").Work} Work
 * @typedef {import("../../score/photo.js").Point} Point
 * @typedef {{region: string, name: string, outline: Point[], colour: string | null, doubtful: boolean}} Region
 * @typedef {{photo: number, regions: Region[], colours: {key: string, screen: string, name: string}[], lines: [string, number][], total: number, remarks: string[]}} Sheet
 */

/** The region whose colour is being chosen, by the number of its sheet. @type {{sheet: number, region: string} | null} */
let chosen = null;

/** The view of coloured sheets. @type {import("../../score/main.js").Scoring} */
export const scoring = {
  how: "score.how-sheets",
  more: "score.more-sheets",
  corners: "score.corners-sheet",
  cornerNames: ["1", "2", "3", "4"],
  begin: () => ({ seats: Array.from({ length: 4 }, () => ({ name: "", colours: {} })) }),
  draw,
};

/** @param {Work} work */
function draw(work) {
  const sheets = /** @type {Sheet[]} */ (work.sheet.sheets);
  const best = Math.max(...sheets.map(({ total }) => total));
  const winners = sheets.filter(({ total }) => total === best);
  const says = sheets.length > 1 && winners.length === 1 ? work.page.say("score.wins-one", { name: nameOf(work, sheets.indexOf(winners[0])), one: best }) : "";
  return [html("div.score-seats", {}, ...sheets.map((sheet, number) => card(sheet, number, work))), html("p.score-winner", { role: "status" }, says)];
}

/** @param {Work} work @param {number} number */
function nameOf(work, number) {
  return work.entered.seats[number].name.trim() || work.page.say("score.player", { seat: number + 1 });
}

/** @param {Sheet} sheet @param {number} number @param {Work} work */
function card(sheet, number, work) {
  const { say, language } = work.page;
  const mine = work.entered.seats[number];
  const doubts = sheet.regions.filter(({ doubtful }) => doubtful).length;
  const name = html("input", { value: mine.name, maxlength: 24, autocomplete: "off", "data-key": `name-${number + 1}`, placeholder: say("score.player", { seat: number + 1 }), onchange: () => {
    mine.name = /** @type {HTMLInputElement} */ (name).value;
    work.enter();
  } });
  const row = (/** @type {string} */ what, /** @type {number} */ points) => html("tr", {}, html("th", { scope: "row" }, what), html("td", {}, language.digits(points)));
  return html("section.card.score-seat", { "aria-label": nameOf(work, number) },
    photo(work.shot(sheet.photo), sheet.regions.flatMap(({ outline }) => outline), say("score.sheet", { name: nameOf(work, number) }), ...sheet.regions.map((region) => mark(region, sheet, number, work))),
    doubts > 0 && html("p.score-note", {}, say("score.sheet-check", { count: doubts })),
    palette(sheet, number, work),
    html("label.score-field", {}, html("span", {}, say("score.name")), name),
    html("table.score-sums", {}, html("tbody", {}, ...sheet.lines.map(([what, points]) => row(what, points))), html("tfoot", {}, row(say("score.total"), sheet.total))),
    sheet.remarks.length > 0 && html("ul.score-remarks", {}, ...sheet.remarks.map((remark) => html("li", {}, remark))));
}

/** @param {Region} region @param {Sheet} sheet @param {number} number @param {Work} work */
function mark(region, { colours }, number, work) {
  const { outline, colour, doubtful, name } = region;
  const screen = colours.find(({ key }) => key === colour)?.screen ?? null;
  const [cx, cy] = [0, 1].map((axis) => (Math.min(...outline.map((point) => point[axis])) + Math.max(...outline.map((point) => point[axis]))) / 2);
  const act = () => ((chosen = { sheet: number, region: region.region }), work.draw());
  return svg(`g.score-region${doubtful ? ".is-doubtful" : ""}`, tappable(`region-${number}-${region.region}`, name, act, doubtful),
    svg("path.score-room", { d: pathOf(outline) }),
    screen && !region.region.endsWith("background") ? svg("circle.score-pencil", { cx, cy, r: Math.min(9, sideOf(outline) / 4), fill: screen }) : "");
}

/** @param {Sheet} sheet @param {number} number @param {Work} work */
function palette({ regions, colours }, number, work) {
  const { say } = work.page;
  const region = chosen?.sheet === number && regions.find((each) => each.region === chosen?.region);
  if (!region) return null;
  const choice = (/** @type {string} */ key, /** @type {string} */ name, /** @type {string | null} */ screen) =>
    html("button.plain", { type: "button", "data-key": `colour-${key || "white"}`, "aria-pressed": (region.colour ?? "") === key, onclick: () => {
      work.entered.seats[number].colours[region.region] = key;
      chosen = null;
      work.enter();
    } }, screen ? svg("svg.icon", { viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 4.5, fill: screen })) : "", ` ${name}`);
  return html("div.score-palette", { role: "group", "aria-label": say("score.sheet-colour", { name: region.name }) },
    html("p", {}, say("score.sheet-colour", { name: region.name })),
    html("div.score-buttons", {}, ...colours.map(({ key, name, screen }) => choice(key, name, screen)), choice("", say("score.white"), null)));
}
