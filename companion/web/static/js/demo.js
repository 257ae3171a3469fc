/** A watched table: the camera's picture comes first, with what the companion reads in it, and at the end "Now you". */

import { send } from "./commands.js";
import { fill, html } from "./dom.js";
import { part } from "./frame.js";
import { stylesheet } from "./stylesheet.js";
import { CameraView } from "./virtual/camera.js";
import { tableOf } from "./views/page.js";
import "./virtual/texts.js";

/** @typedef {import("./views/page.js").Page} Page */

const SPEEDS = [0.5, 1, 2];

/**
 * Show the camera's picture above the quilts, and say who plays.
 *
 * @param {Page} page
 */
export async function open(page) {
  const { say, store } = page;
  await stylesheet("/static/css/virtual.css");
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked: true }));
  const view = new CameraView(page, say("virtual.camera-alt"), { input, label: html("label.v-check", {}, input, say("virtual.reading")) });
  const now = html("button.push.push-confirm", { type: "button", "data-key": "now-you", hidden: true, onclick: () => begin(page) }, html("span.push-name", {}, say("demo.now-you")));
  const who = html("p.demo-who", { role: "status" });
  const tempo = tempoView(page);
  view.card.classList.add("demo-camera");
  view.card.prepend(who);
  view.card.append(tempo, now);
  part("turn").before(view.card);
  document.documentElement.dataset.table = "watched";
  store.subscribe(({ snapshot, home }) => {
    const isOver = Boolean(snapshot?.game?.finished);
    now.hidden = !isOver || !home;
    tempo.hidden = isOver;
    const says = say(isOver ? (home ? "demo.end" : "demo.who") : tableOf(snapshot)?.complaint ? "demo.slip" : "demo.who");
    if (who.textContent !== says) fill(who, says);
  });
  view.start();
}

/**
 * Return the buttons that let the simulated players pause, and play slower or faster.
 *
 * @param {Page} page
 */
function tempoView({ say, state }) {
  const wanted = { speed: 1, paused: false, ...state().me.tempo };
  const pause = html("button.plain", { type: "button", "data-key": "pause", onclick: () => change({ paused: !wanted.paused }) });
  const speeds = SPEEDS.map((speed) => html("button.plain.demo-speed", { type: "button", "data-key": `speed-${speed}`, onclick: () => change({ speed, paused: false }) }, say("demo.speed", { speed })));
  const draw = () => {
    fill(pause, say(wanted.paused ? "demo.go-on" : "demo.pause"));
    speeds.forEach((button, index) => (button.ariaPressed = String(SPEEDS[index] === wanted.speed)));
  };
  /** @param {{speed?: number, paused?: boolean}} how */
  const change = async (how) => {
    Object.assign(wanted, how);
    draw();
    await send("/api/tempo", wanted).catch(() => null);
  };
  draw();
  return html("div.demo-tempo", { role: "group", "aria-label": say("demo.tempo") }, pause, ...speeds);
}

/** @param {Page} page */
async function begin(page) {
  const { enter } = await import("./home/home.js");
  await enter("here", page);
}
