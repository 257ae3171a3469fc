/** A picture of a finished game of Kvilt to share: every sheet with its total. */

import { reader } from "../commands.js";
import { html } from "../dom.js";
import { drawnPicture } from "../games/drawing.js";
import { ground, HEIGHT, plate, WIDTH, write } from "../games/paper.js";
import { fetchReplay } from "../games/replays.js";
import { stylesheet } from "../stylesheet.js";
import { marksAt } from "./replaying.js";
import { sheetPicture } from "./sheet.js";

const [LEFT, TOP, GAP] = [50, 196, 28];
const HEAD = 62;

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./replaying.js").Replay} Replay
 */

/**
 * Return a PNG of a finished game, or null if the game or its sheet cannot be loaded.
 *
 * @param {{id: number, started_at: string}} game
 * @param {Page} page
 * @returns {Promise<Blob | null>}
 */
export async function kviltPicture({ id, started_at: started }, page) {
  const [replay, answer] = await Promise.all([fetchReplay(id), fetch(`/api/games/${id}`, { headers: reader() }), stylesheet("/static/css/kvilt/table.css")]);
  if (!replay?.sheet || !answer.ok) return null;
  const { result } = (await answer.json()).game;
  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width: WIDTH, height: HEIGHT }));
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  await document.fonts.ready;
  ground(ink);
  ink.fillStyle = "#2c211a";
  write(ink, result?.says ?? "", WIDTH / 2, 96, "600 54px", "center", page, WIDTH - 160);
  ink.fillStyle = "#6d5a49";
  write(ink, new Date(started).toLocaleDateString(page.language.locale, { dateStyle: "long" }), WIDTH / 2, 146, "400 30px", "center", page);
  write(ink, "Quilt Companion", WIDTH / 2, HEIGHT - 42, "500 24px", "center", page);
  for (const index of replay.seats.keys()) await side(ink, replay, index, result?.winners ?? [], page);
  return new Promise((ready) => canvas.toBlob(ready, "image/png"));
}

/**
 * Draw a player's sheet: two are side by side, more are in two rows.
 *
 * @param {CanvasRenderingContext2D} ink
 * @param {Replay} replay
 * @param {number} index
 * @param {number[]} winners
 * @param {Page} page
 */
async function side(ink, { sheet, seats, states, themes }, index, winners, page) {
  if (!sheet) return;
  const { seat, name, colour } = seats[index];
  const last = states[states.length - 1];
  const stood = last.seats[index];
  const marks = marksAt(states, seat, states.length - 1);
  const drawing = sheetPicture(sheet, { marks, theme: themes[index], fresh: new Set(), asked: new Set(), openSpools: stood.open_spools, rowScores: stood.score.rows, digits: page.language.digits, label: "" });
  const { width, height } = /** @type {SVGSVGElement} */ (drawing).viewBox.baseVal;
  const rows = seats.length > 2 ? 2 : 1;
  const room = { wide: (WIDTH - 2 * LEFT - GAP) / 2, high: (HEIGHT - TOP - 92 - (rows - 1) * GAP) / rows };
  const wide = Math.min(room.wide - 28, ((room.high - HEAD - 18) * width) / height);
  const high = (wide * height) / width;
  const alone = index === seats.length - 1 && seats.length % 2 === 1;
  const left = alone ? (WIDTH - room.wide) / 2 : LEFT + (index % 2) * (room.wide + GAP);
  const top = TOP + Math.floor(index / 2) * (room.high + GAP) + (rows === 1 ? (room.high - high - HEAD - 18) / 3 : 0);
  ink.fillStyle = "#fcf7ec";
  plate(ink, left, top, room.wide, high + HEAD + 18, 24);
  ink.fillStyle = colour;
  plate(ink, left, top, room.wide, 10, 5);
  const rtl = page.language.dir === "rtl";
  const [start, end] = rtl ? [left + room.wide - 22, left + 22] : [left + 22, left + room.wide - 22];
  ink.fillStyle = "#2c211a";
  write(ink, name, start, top + 48, "600 34px", rtl ? "right" : "left", page, room.wide - 200);
  ink.fillStyle = winners.includes(seat) ? "#97352d" : "#2c211a";
  write(ink, page.language.digits(stood.score.total), end, top + 50, "600 46px", rtl ? "left" : "right", page);
  ink.drawImage(await drawnPicture(drawing, 2 * Math.round(wide), colour, 2 * Math.round(high)), left + (room.wide - wide) / 2, top + HEAD, wide, high);
}
