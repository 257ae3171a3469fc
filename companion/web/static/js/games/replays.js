/** A game from the journal as the server replays it, and the button that goes through it by itself. */

import { reader } from "../commands.js";
import { html } from "../dom.js";
import "./texts.js";

const PACE_MS = 900;

/** @typedef {import("../views/page.js").Page} Page */

/**
 * Which game it was, and its states; null where it cannot be replayed.
 *
 * @param {number} game
 * @returns {Promise<any>}
 */
export async function fetchReplay(game) {
  try {
    const response = await fetch(`/api/games/${game}/replay`, { headers: reader() });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/**
 * Goes on by itself until it is pressed again, the game ends or the sheet is closed.
 *
 * @param {HTMLInputElement} slider
 * @param {() => void} show
 * @param {Page} page
 */
export function playButton(slider, show, { say }) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let running;
  const button = html("button.plain", { type: "button", "data-key": "play", onclick: () => (running === undefined ? play() : stop()) }, say("replay.play"));
  const stop = () => {
    clearInterval(running);
    running = undefined;
    button.textContent = say("replay.play");
  };
  const step = () => {
    if (!slider.isConnected || slider.value === slider.max) return stop();
    slider.stepUp();
    show();
  };
  const play = () => {
    if (slider.value === slider.max) slider.value = "0";
    running = setInterval(step, PACE_MS);
    button.textContent = say("replay.pause");
    show();
  };
  return button;
}
