/** A watched table: the camera's picture comes first, with what the companion reads in it, and at the end "Now you". */

import { html } from "./dom.js";
import { part } from "./frame.js";
import { stylesheet } from "./stylesheet.js";
import { CameraView } from "./virtual/camera.js";
import "./virtual/texts.js";

/** @typedef {import("./views/page.js").Page} Page */

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
  const who = html("p.demo-who", {}, say("demo.who"));
  view.card.classList.add("demo-camera");
  view.card.prepend(who);
  view.card.append(now);
  part("turn").before(view.card);
  document.documentElement.dataset.table = "watched";
  store.subscribe(({ snapshot, home }) => (now.hidden = !snapshot?.game?.finished || !home));
  view.start();
}

/** @param {Page} page */
async function begin(page) {
  const { enter } = await import("./home/home.js");
  await enter("here", page);
}
