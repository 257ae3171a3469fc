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
 * Return the controls of a replay: it plays until it is paused, the game ends or the sheet is closed, and steps decision by decision.
 *
 * @param {HTMLInputElement} slider
 * @param {() => void} show
 * @param {HTMLElement} leave
 * @param {Page} page
 */
export function replayControls(slider, show, leave, page) {
  const { say, language } = page;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let running;
  const button = html("button.plain", { type: "button", "data-key": "play", onclick: () => (running === undefined ? play() : stop()) }, say("replay.play"));
  const stop = () => {
    clearInterval(running);
    running = undefined;
    button.textContent = say("replay.play");
  };
  const go = (/** @type {number} */ by) => {
    slider.stepUp(by);
    show();
  };
  const tick = () => (!slider.isConnected || slider.value === slider.max ? stop() : go(1));
  const play = () => {
    if (slider.value === slider.max) slider.value = "0";
    running = setInterval(tick, PACE_MS);
    button.textContent = say("replay.pause");
    show();
  };
  const step = (/** @type {number} */ by) => (stop(), go(by));
  const onward = language.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const stepper = (/** @type {string} */ key, /** @type {number} */ by, /** @type {string} */ sign) =>
    html("button.plain.replay-step", { type: "button", "data-key": key, "aria-label": say(`replay.${key}`), title: say(`replay.${key}`), onclick: () => step(by) }, sign);
  const controls = html("div.replay-controls", {}, button, stepper("step-back", -1, "\u2039"), slider, stepper("step-on", 1, "\u203a"), leave);
  controls.addEventListener("keydown", (event) => {
    // The slider has these keys itself.
    if (event.target === slider || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    step(event.key === onward ? 1 : -1);
  });
  return controls;
}
