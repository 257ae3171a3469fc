/** The picture of a game of Patchwork to share: both final quilts as the camera saw them, or drawn if no picture was kept. */

import { html } from "../../dom.js";
import { drawnPicture } from "../../games/drawing.js";
import { ground, HEIGHT, plate, WIDTH, write } from "../../games/paper.js";
import { fetchBox, incomeIn } from "../box.js";
import { hangCloth } from "../fabrics.js";
import { quilt } from "../quilt.js";
import "../texts.js";
import "./texts.js";

const QUILT = 700;
const TOP = 268;

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("../../contract.js").Seat} Seat
 * @typedef {{id: number, started_at: string, winner: number, tie: boolean, seats: Seat[]}} Finished
 */

/**
 * Return a PNG of a finished game, or null if the game cannot be loaded.
 *
 * @param {{id: number, started_at: string, winner: number | null}} game
 * @param {Page} page
 * @returns {Promise<Blob | null>}
 */
export async function sharePicture({ id, started_at: started, winner }, page) {
  hangCloth();
  const [response] = await Promise.all([fetch(`/api/games/${id}/replay`), fetchBox(page)]);
  if (!response.ok) return null;
  const { states } = await response.json();
  const { seats } = states[states.length - 1];
  const [first, second] = seats;
  const finished = { id, started_at: started, winner: winner ?? 1, tie: first.score === second.score, seats };
  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width: WIDTH, height: HEIGHT }));
  await document.fonts.ready;
  await paint(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), finished, page);
  return new Promise((ready) => canvas.toBlob(ready, "image/png"));
}

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {Finished} finished
 * @param {Page} page
 */
async function paint(ink, finished, page) {
  ground(ink);
  headline(ink, finished, page);
  for (const [index, seat] of finished.seats.entries()) {
    const left = index === 0 ? 60 : WIDTH - 60 - QUILT;
    await side(ink, seat, left, finished, page);
  }
  ink.fillStyle = "#6d5a49";
  write(ink, "Quilt Companion", WIDTH / 2, HEIGHT - 42, "500 24px", "center", page);
}

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {Finished} finished
 * @param {Page} page
 */
function headline(ink, { winner, tie, seats, started_at: started }, page) {
  const { name } = seats[winner - 1];
  ink.fillStyle = "#2c211a";
  write(ink, page.say(tie ? "end.tie" : "end.wins", { name }), WIDTH / 2, 108, "600 64px", "center", page);
  ink.fillStyle = "#6d5a49";
  write(ink, new Date(started).toLocaleDateString(page.language.locale, { dateStyle: "long" }), WIDTH / 2, 158, "400 30px", "center", page);
}

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {Seat} seat
 * @param {number} left
 * @param {Finished} finished
 * @param {Page} page
 */
async function side(ink, seat, left, { id, winner }, page) {
  const wins = seat.seat === winner;
  ink.fillStyle = "#fcf7ec";
  plate(ink, left - 14, TOP - 84, QUILT + 28, QUILT + 172, 26);
  ink.fillStyle = seat.colour;
  plate(ink, left - 14, TOP - 84, QUILT + 28, 12, 6);
  ink.fillStyle = "#2c211a";
  const rtl = page.language.dir === "rtl";
  write(ink, seat.name, rtl ? left + QUILT : left, TOP - 16, "600 40px", rtl ? "right" : "left", page, QUILT - 180);
  ink.fillStyle = wins ? "#97352d" : "#2c211a";
  write(ink, page.language.digits(seat.score), rtl ? left : left + QUILT, TOP - 12, "600 58px", rtl ? "left" : "right", page);
  ink.drawImage(await pictureOf(id, seat, page), left, TOP + 10, QUILT, QUILT);
  ink.fillStyle = "#5c4c40";
  const figures = page.say("share.figures", { buttons: seat.buttons, empty: seat.empty, bonus: seat.bonus ? page.say("share.bonus") : "" });
  write(ink, figures, left + QUILT / 2, TOP + QUILT + 60, "400 28px", "center", page, QUILT);
}

/**
 * Return the camera's picture of a quilt, or a drawing of it if no picture was kept.
 *
 * @param {number} id
 * @param {Seat} seat
 * @param {Page} page
 */
async function pictureOf(id, seat, page) {
  const response = await fetch(`/api/games/${id}/quilts/${seat.seat}.jpg`).catch(() => null);
  if (response?.ok) return createImageBitmap(await response.blob());
  const picture = quilt({ pieces: seat.pieces.map((piece) => ({ ...piece, new: false })), label: "", incomeOf: incomeIn(page.state()), plain: true });
  picture.classList.add(`seat-of-${seat.seat}`);
  return drawnPicture(picture, 2 * QUILT, seat.colour);
}
