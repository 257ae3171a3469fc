/** The replay of a game of Patchwork from the journal, decision by decision. */

import { fill, html } from "../dom.js";
import { fetchReplay, replayControls } from "../games/replays.js";
import { seatIcon } from "../icons.js";
import { fetchBox, incomeIn } from "./box.js";
import { hangCloth } from "./fabrics.js";
import { quilt } from "./quilt.js";
import { quiltLabel } from "./seat.js";
import { trackPicture } from "./track.js";
import "../games/texts.js";
import "./games/texts.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Seat} Seat
 * @typedef {{number: number, seats: Seat[], track: import("./track.js").Track, says: string[]}} Frame
 */

/**
 * Show the replay of a game of Patchwork, or that it cannot be replayed.
 *
 * @param {number} game
 * @param {import("../games/showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back  Shows the list of games again.
 */
export async function replayView(game, show, page, back) {
  hangCloth();
  const [frames] = await Promise.all([fetchFrames(game), fetchBox(page)]);
  const leave = html("button.plain", { type: "button", "data-key": "back", onclick: back }, page.say("replay.back"));
  if (!frames) return void show(html("p.refused", {}, page.say("games.failed")), leave);
  const stage = html("div.replay-stage");
  const slider = /** @type {HTMLInputElement} */ (
    html("input.replay-slider", { type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": page.say("replay.slider") })
  );
  const draw = () => showFrame(frames[slider.valueAsNumber], frames.length - 1, stage, slider, page);
  slider.addEventListener("input", draw);
  const course = html("div.course");
  for (const { seat, colour } of frames[0].seats) for (const part of [stage, course]) part.style.setProperty(`--seat-${seat}`, colour);
  const go = (/** @type {number} */ decision) => {
    slider.value = String(decision - 1);
    draw();
    stage.scrollIntoView({ block: "nearest" });
  };
  const ended = isOver(frames[frames.length - 1]);
  const analysis = ended && (await import("./games/analysis.js")).analysisRoom(game, frames[0].seats.map(({ name }) => name), go, page);
  if (!show(stage, replayControls(slider, draw, leave, page), analysis || "", course)) return;
  import("./games/course.js").then(({ courseView }) => courseView(game, course, page));
  draw();
  slider.focus();
}

/**
 * Return whether a game has ended: both tokens are on the last space.
 *
 * @param {Frame} frame
 */
function isOver({ seats, track }) {
  return seats.every(({ time }) => time === track.last_space);
}

/**
 * @param {number} game
 * @returns {Promise<Frame[] | null>}
 */
async function fetchFrames(game) {
  return (await fetchReplay(game))?.states ?? null;
}

/**
 * @param {Frame} frame
 * @param {number} last
 * @param {HTMLElement} stage
 * @param {HTMLInputElement} slider
 * @param {Page} page
 */
function showFrame(frame, last, stage, slider, page) {
  const step = page.say("replay.step", { number: frame.number, last });
  slider.setAttribute("aria-valuetext", [step, ...frame.says].join(" "));
  const look = { columns: 18, mirrored: page.language.dir === "rtl", label: page.say("track.label"), digits: page.language.digits };
  fill(
    stage,
    html("div.replay-quilts", {}, ...frame.seats.map((seat) => seatPicture(seat, page))),
    trackPicture(frame.track, look),
    html("p.replay-says", {}, html("strong", {}, step), " ", html("span", { dir: "auto" }, frame.says.join(" "))),
  );
}

/**
 * @param {Seat} seat
 * @param {Page} page
 */
function seatPicture(seat, page) {
  const figures = page.say("replay.figures", { count: seat.buttons, income: seat.income, score: seat.score });
  return html(
    `figure.replay-seat.seat-of-${seat.seat}`,
    {},
    html("figcaption", {}, seatIcon(seat.seat), " ", seat.name, html("span.replay-figures", {}, figures)),
    quilt({ pieces: seat.pieces, label: quiltLabel(seat, page), incomeOf: incomeIn(page.state()), plain: true }),
  );
}
