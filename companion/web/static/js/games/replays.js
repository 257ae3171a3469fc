/** A replay of a game in the journal from the server, and the button that plays it. */

import { reader } from "../commands.js";
import { html } from "../dom.js";
import "./texts.js";

const PACE_MS = 900;

/** @typedef {import("../views/page.js").Page} Page */

/**
 * Return a game and its states, or null if it cannot be replayed.
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
 * Return a button that plays the replay until it is pressed again, the game ends or the sheet is closed.
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
