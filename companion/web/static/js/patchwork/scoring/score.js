/** A finished game of Patchwork in photographs: each quilt enlarged with what was read, what people enter, and the score. */

import { html, svg } from "../../dom.js";
import { ground, HEIGHT, plate, WIDTH, write } from "../../games/paper.js";
import { cellsOf, frameOf, pathOf, photo, sideOf, tappable } from "../../score/photo.js";
import "../../score/texts.js";

/**
 * @typedef {import("../../score/main.js").Work} Work
 * @typedef {import("../../score/photo.js").Point} Point
 * @typedef {{seat: number, photo: number, corners: Point[], rows: string[], doubtful: string[], unclear: boolean, pieces: {patch: string, cells: string[]}[],
 *     patches: number, income: number, income_sure: boolean, empty: number, buttons: number | null, tokens: {value: number, sure: boolean, discs: [number, number, number][]} | null,
 *     bonus: boolean, score: number}} SeatSheet
 */

/** The view of a finished game. @type {import("../../score/main.js").Scoring} */
export const scoring = {
  how: "score.how-game",
  corners: "score.corners-how",
  more: "score.more-game",
  begin: () => ({ seats: [entry(), entry()], tile: null }),
  draw,
  picture,
};

const entry = () => ({ name: "", buttons: null, covered: [], empty: [] });

/** @param {Work} work @param {number} seat */
function nameOf(work, seat) {
  return work.entered.seats[seat - 1].name.trim() || work.page.say("score.player", { seat });
}

/** @param {Work} work */
function draw(work) {
  const { say } = work.page;
  const { seats, full, guessed, hints } = work.sheet;
  return [
    ...hints.map((/** @type {string} */ hint) => html("p.score-warning", {}, hint)),
    ...(guessed ? [html("p.score-note", {}, say("score.guessed"))] : []),
    html("div.score-seats", {}, ...seats.map((/** @type {SeatSheet} */ seat) => card(seat, work))),
    full.length > 0 && seats.length > 1 ? tile(work, seats, full) : null,
    html("p.score-winner", { role: "status" }, outcome(work)),
  ].filter((node) => node !== null);
}

/** @param {Work} work */
function outcome(work) {
  const { say } = work.page;
  const { winner, sure } = work.sheet;
  const seats = /** @type {SeatSheet[]} */ (work.sheet.seats);
  if (seats.length < 2) return seats[0]?.buttons === null ? say("score.enter-one") : "";
  if (winner === null) return say(seats.some(({ buttons }) => buttons === null) ? "score.enter" : "score.tile");
  const [one, other] = seats.map(({ score }) => score).sort((a, b) => b - a);
  if (winner) return say(sure ? "score.wins" : "score.ahead", { name: nameOf(work, winner), one, other });
  return sure ? say("score.tie", { one }) : "";
}

/** @param {SeatSheet} seat @param {Work} work */
function card(seat, work) {
  const { say } = work.page;
  const name = nameOf(work, seat.seat);
  const count = seat.doubtful.length;
  return html(`section.card.score-seat.seat-of-${seat.seat}`, { "aria-label": name },
    photo(work.shot(seat.photo), seat.corners, say("score.quilt", { name }), ...marks(seat, work)),
    html("p.score-note", {}, count ? say("score.check", { count }) : say("score.tap")),
    seat.unclear && html("p.score-warning", {}, say("score.unclear")),
    fields(seat, work),
    sums(seat, work));
}

/** @param {SeatSheet} seat @param {Work} work */
function marks(seat, work) {
  const { say } = work.page;
  const cells = cellsOf(seat.corners);
  const side = sideOf(seat.corners) / 9;
  const at = Object.fromEntries(cells.map((cell) => [cell.name, cell]));
  const seams = seat.pieces.map(({ cells: covered }) => svg("path.score-seam", { d: outlineOf(covered, at) }));
  const tokens = (seat.tokens?.discs ?? []).map(([cx, cy, r]) => svg(`circle.score-token${seat.tokens?.sure ? "" : ".is-unsure"}`, { cx, cy, r: r * 1.15 }));
  const dots = cells.map(({ name, row, column, outline, middle: [cx, cy] }) => {
    const covered = seat.rows[row][column] === "X";
    const doubtful = seat.doubtful.includes(name);
    const label = say(covered ? "score.covered" : "score.bare", { cells: name });
    return svg(`g.score-cell${covered ? ".is-covered" : ""}${doubtful ? ".is-doubtful" : ""}`, tappable(`cell-${seat.seat}-${name}`, label, () => turn(seat, name, covered, work), doubtful),
      svg("path.score-room", { d: pathOf(outline) }), svg("circle.score-dot", { cx, cy, r: side * (covered ? 0.13 : 0.17) }));
  });
  return [...seams, ...tokens, ...dots];
}

/** @param {readonly string[]} covered @param {Record<string, {row: number, column: number, outline: Point[]}>} at */
function outlineOf(covered, at) {
  const own = new Set(covered);
  const beside = [[-1, 0], [0, 1], [1, 0], [0, -1]];
  return covered.flatMap((name) => {
    const { row, column, outline } = at[name];
    return beside.flatMap(([down, right], side) => {
      if (own.has(`${"ABCDEFGHI"[column + right]}${row + 1 + down}`)) return [];
      const [from, to] = [outline[side], outline[(side + 1) % 4]];
      return [`M${from.join(" ")}L${to.join(" ")}`];
    });
  }).join("");
}

/** Correct a cell. @param {SeatSheet} seat @param {string} cell @param {boolean} covered  What it was read as. @param {Work} work */
function turn(seat, cell, covered, work) {
  const mine = work.entered.seats[seat.seat - 1];
  const others = (/** @type {string[]} */ cells) => cells.filter((each) => each !== cell);
  Object.assign(mine, { covered: others(mine.covered), empty: others(mine.empty) });
  mine[covered ? "empty" : "covered"].push(cell);
  work.enter();
}

/** @param {SeatSheet} seat @param {Work} work */
function fields(seat, work) {
  const { say } = work.page;
  const mine = work.entered.seats[seat.seat - 1];
  const { tokens } = seat;
  const seen = tokens ? say(tokens.sure ? "score.buttons-counted" : "score.buttons-unsure", { value: tokens.value }) : say("score.buttons-none");
  const name = html("input", { value: mine.name, maxlength: 24, autocomplete: "off", "data-key": `name-${seat.seat}`, placeholder: say("score.player", { seat: seat.seat }), onchange: () => {
    mine.name = /** @type {HTMLInputElement} */ (name).value;
    work.enter();
  } });
  const buttons = html("input", { type: "number", inputmode: "numeric", min: 0, max: 999, value: seat.buttons ?? "", "data-key": `buttons-${seat.seat}`, onchange: () => {
    const { value } = /** @type {HTMLInputElement} */ (buttons);
    mine.buttons = value === "" ? null : Math.max(0, Math.min(999, Math.round(Number(value))));
    work.enter();
  } });
  return html("div.score-fields", {},
    html("label.score-field", {}, html("span", {}, say("score.name")), name),
    html("label.score-field", {}, html("span", {}, say("score.buttons")), buttons, html("small", {}, seen)));
}

/** @param {SeatSheet} seat @param {Work} work */
function sums({ empty, bonus, buttons, score, income, income_sure: isSure, patches }, { page: { say, language } }) {
  const row = (/** @type {string} */ what, /** @type {string} */ points) => html("tr", {}, html("th", { scope: "row" }, what), html("td", {}, points));
  const total = buttons === null ? `${language.digits(score)} (${say("score.without-buttons")})` : language.digits(score);
  return html("table.score-sums", {}, html("tbody", {},
    row(say("score.buttons"), buttons === null ? language.unknown : language.digits(buttons)),
    bonus ? row(say("score.bonus"), language.digits(7)) : "",
    row(say("score.empty", { count: empty }), language.digits(empty ? -2 * empty : 0))),
    html("tfoot", {}, row(say("score.total"), total)),
    html("caption", {}, say(isSure ? "score.income" : "score.income-unsure", { income, count: patches })));
}

/** @param {Work} work @param {SeatSheet[]} seats @param {number[]} full */
function tile(work, seats, full) {
  const { say } = work.page;
  const owner = work.entered.tile ?? seats.find(({ bonus }) => bonus)?.seat ?? null;
  const choice = (/** @type {number} */ seat, /** @type {string} */ text) =>
    html("label.score-check", {}, html("input", { type: "radio", name: "tile", checked: owner === seat, "data-key": `tile-${seat}`, onchange: () => ((work.entered.tile = seat), work.enter()) }), text);
  return html("section.card.score-tile", { role: "radiogroup", "aria-labelledby": "tile-title" }, html("h2.section-title", { id: "tile-title" }, say("score.tile")), ...full.map((seat) => choice(seat, nameOf(work, seat))), choice(0, say("score.nobody")));
}

/**
 * Return a PNG of the quilts in the photographs with their scores.
 *
 * @param {Work} work
 * @returns {Promise<Blob | null>}
 */
async function picture(work) {
  const { page } = work;
  const { seats } = work.sheet;
  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width: WIDTH, height: HEIGHT }));
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  await document.fonts.ready;
  ground(ink);
  ink.fillStyle = "#2c211a";
  write(ink, outcome(work), WIDTH / 2, 116, "600 60px", "center", page, WIDTH - 160);
  for (const [index, seat] of seats.entries()) await side(ink, seat, seats.length > 1 ? (index ? WIDTH - 760 : 60) : (WIDTH - 700) / 2, work);
  ink.fillStyle = "#6d5a49";
  write(ink, "Quilt Companion", WIDTH / 2, HEIGHT - 42, "500 24px", "center", page);
  return new Promise((ready) => canvas.toBlob(ready, "image/png"));
}

/** @param {CanvasRenderingContext2D} ink @param {SeatSheet} seat @param {number} left @param {Work} work */
async function side(ink, seat, left, work) {
  const { page } = work;
  const [top, wide] = [250, 700];
  ink.fillStyle = "#fcf7ec";
  plate(ink, left - 14, top - 84, wide + 28, wide + 172, 26);
  ink.fillStyle = "#2c211a";
  const rtl = page.language.dir === "rtl";
  write(ink, nameOf(work, seat.seat), rtl ? left + wide : left, top - 16, "600 40px", rtl ? "right" : "left", page, wide - 180);
  write(ink, page.language.digits(seat.score), rtl ? left : left + wide, top - 12, "600 58px", rtl ? "left" : "right", page);
  const { address, size } = work.shot(seat.photo);
  const [x, y, width, height] = frameOf(seat.corners, size);
  const image = new Image();
  image.src = address;
  await image.decode();
  const scale = image.naturalWidth / size[0];
  const fit = wide / Math.max(width, height);
  ink.drawImage(image, x * scale, y * scale, width * scale, height * scale, left + (wide - width * fit) / 2, top + 10 + (wide - height * fit) / 2, width * fit, height * fit);
  ink.fillStyle = "#5c4c40";
  const figures = [`${page.say("score.buttons")} ${seat.buttons === null ? page.language.unknown : page.language.digits(seat.buttons)}`, page.say("score.empty", { count: seat.empty }), ...(seat.bonus ? [page.say("score.bonus")] : [])];
  write(ink, figures.join(" · "), left + wide / 2, top + wide + 60, "400 28px", "center", page, wide);
}
