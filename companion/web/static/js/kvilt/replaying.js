/** The replay of a game of Kvilt from the journal, decision by decision, with every sheet. */

import { fill, html } from "../dom.js";
import { chart } from "../games/chart.js";
import { fetchReplay, replayControls } from "../games/replays.js";
import { seatIcon } from "../icons.js";
import { stylesheet } from "../stylesheet.js";
import { nameOfColour, pencils, scrap, screenOf } from "./colours.js";
import { total } from "./seat.js";
import { sheetPicture } from "./sheet.js";
import { weaveOf } from "./weaves.js";
import "../games/texts.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 * @typedef {import("./contract.js").KviltScore} KviltScore
 * @typedef {{bonus: string | null, hand: string[], open_spools: number, score: KviltScore}} Stood
 * @typedef {{number: number, seat: number | null, round: number, phase: string, turn: number | null, marks: Record<string, string>, seats: Stood[], says: string[]}} Frame
 * @typedef {{seat: number, name: string, colour: string}} Who
 * @typedef {{sheet: KviltSheet | null, seats: Who[], themes: string[], states: Frame[]}} Replay
 */

/**
 * Show the replay of a game of Kvilt, or that it cannot be replayed.
 *
 * @param {number} game
 * @param {import("../games/showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back  Shows the list of games again.
 */
export async function kviltReplay(game, show, page, back) {
  const [found] = await Promise.all([fetchReplay(game), stylesheet("/static/css/kvilt/table.css"), stylesheet("/static/css/games.css")]);
  const replay = /** @type {Replay | null} */ (found);
  const leave = html("button.plain", { type: "button", "data-key": "back", onclick: back }, page.say("replay.back"));
  if (!replay) return void show(html("p.refused", {}, page.say("games.failed")), leave);
  const last = replay.states.length - 1;
  const stage = html("div.replay-stage");
  const course = html("div.charts");
  const slider = /** @type {HTMLInputElement} */ (html("input.replay-slider", { type: "range", min: 0, max: last, value: 0, "aria-label": page.say("replay.slider") }));
  const draw = () => showFrame(replay, slider.valueAsNumber, stage, slider, page);
  slider.addEventListener("input", draw);
  for (const { seat, colour } of replay.seats) for (const part of [stage, course]) part.style.setProperty(`--seat-${seat}`, colour);
  course.append(scores(replay, page));
  if (!show(stage, replayControls(slider, draw, leave, page), course)) return;
  draw();
  slider.focus();
}

/**
 * @param {Replay} replay
 * @param {number} number
 * @param {HTMLElement} stage
 * @param {HTMLInputElement} slider
 * @param {Page} page
 */
function showFrame(replay, number, stage, slider, page) {
  const frame = replay.states[number];
  const step = page.say("replay.step", { number, last: replay.states.length - 1 });
  const when = `${page.say("kvilt.round", { round: frame.round })} · ${page.say(`replay.phase-${frame.phase}`)}`;
  slider.setAttribute("aria-valuetext", [step, when, ...frame.says].join(" "));
  fill(
    stage,
    html("div.replay-sheets", { "data-seats": replay.seats.length }, ...replay.seats.map((who, index) => sheetOf(who, index, replay, number, page))),
    html("p.replay-says", {}, html("strong", {}, step), " ", html("span.replay-when", {}, when), " ", html("span", { dir: "auto" }, frame.says.join(" "))),
  );
}

/**
 * @param {Who} who
 * @param {number} index
 * @param {Replay} replay
 * @param {number} number
 * @param {Page} page
 */
function sheetOf({ seat, name }, index, { sheet, states, themes }, number, page) {
  const frame = states[number];
  const stood = frame.seats[index];
  const marks = marksAt(states, seat, number);
  const count = Object.keys(marks).filter((region) => region.endsWith(".picture")).length;
  const look = sheet && {
    marks,
    theme: themes[index],
    fresh: new Set(frame.seat === seat ? Object.keys(frame.marks) : []),
    asked: /** @type {Set<string>} */ (new Set()),
    openSpools: stood.open_spools,
    rowScores: stood.score.rows,
    digits: page.language.digits,
    label: page.say("kvilt.sheet", { name, count }),
  };
  return html(
    `figure.replay-sheet${frame.turn === seat ? ".moves" : ""}`,
    { "data-seat": seat },
    html("figcaption", {}, seatIcon(seat), html("bdi", {}, name), hand(stood, sheet, page), total(stood.score.total, page)),
    look && sheet ? sheetPicture(sheet, look) : html("p", {}, page.say("replay.no-sheet")),
  );
}

/**
 * @param {Stood} stood
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function hand({ bonus, hand: held }, sheet, page) {
  const says = bonus && page.say("kvilt.bonus", { colour: nameOfColour(sheet, bonus, page) });
  return html("span.replay-hand", {}, says ? html("span.hand-bonus", { title: says }, scrap(screenOf(sheet, bonus), weaveOf(sheet, bonus)), html("span.spoken", {}, says)) : null, pencils(held, sheet, page));
}

/**
 * Return what was coloured on a seat's sheet up to a decision.
 *
 * @param {readonly Frame[]} states
 * @param {number} seat
 * @param {number} number
 */
export function marksAt(states, seat, number) {
  return Object.assign({}, ...states.slice(0, number + 1).map((state) => (state.seat === seat ? state.marks : {})));
}

/**
 * @param {Replay} replay
 * @param {Page} page
 */
function scores({ states, seats }, page) {
  const { say, language } = page;
  const lines = seats.map(({ seat, name }, index) => ({ seat, name, points: states.map(({ number, seats: stood }) => /** @type {[number, number]} */ ([number, stood[index].score.total])) }));
  const ends = lines.map(({ name, points }) => say("course.end", { name, value: language.digits(points[points.length - 1][1]) }));
  return chart({ title: say("course.score"), says: [say("course.score"), ...ends].join(" "), lines, across: [0, states.length - 1], axis: say("replay.slider"), steps: true }, page);
}
