/** The camera's picture, updated for as long as it is visible. */

import { html } from "../dom.js";
import { canTouch } from "../views/page.js";
import { drawPicture } from "./livepicture.js";
import "./texts.js";

/** The pause between two pictures; the longer one after a picture that failed. */
const [PAUSE_MS, LONG_PAUSE_MS] = [280, 2000];
/** The pause between attempts before the first picture; short, because the players wait for it. */
const FIRST_PAUSE_MS = 500;

/** @typedef {import("../views/page.js").Page} Page */

/** A card with the camera's picture. Call `start` to keep the picture up to date. */
export class CameraView {
  /**
   * @param {Page} page
   * @param {string} alt  The alternative text of the picture.
   * @param {{input: HTMLInputElement, label: HTMLElement} | null} [reading]  The switch that draws the reading into the picture.
   */
  constructor(page, alt, reading = null) {
    this.page = page;
    this.reading = reading;
    /** The canvas with the newest picture; before the first, a note that the camera is starting. @type {HTMLCanvasElement} */
    this.canvas = /** @type {HTMLCanvasElement} */ (html("canvas.v-picture", { role: "img", "aria-label": alt, width: 1536, height: 864 }));
    /** @type {HTMLElement} */
    this.picture = html("span.v-picture.v-awaited", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.awaited"));
    this.seen = false;
    this.frame = html("button.v-enlarge", { type: "button", "aria-label": page.say("virtual.enlarge"), onclick: () => this.card.classList.toggle("v-large") }, this.picture);
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.card.classList.remove("v-large"));
    this.card = this.makeCard();
  }

  makeCard() {
    const { say } = this.page;
    return html(
      "section.card.v-camera",
      { "aria-labelledby": "v-camera-title" },
      html("div.v-camera-head", {}, html("h2.section-title", { id: "v-camera-title" }, say("crop.caption")), this.reading?.label),
      this.frame,
    );
  }

  start() {
    // A busy page, as during loading, gets several entries at once; the last one is current.
    new IntersectionObserver((entries) => (this.seen = entries[entries.length - 1].isIntersecting)).observe(this.frame);
    this.next();
  }

  async next() {
    const { link, snapshot } = this.page.state();
    // Who opens the page after the end sees the last picture.
    const changes = link === "open" || (link === "over" && this.picture !== this.canvas);
    const awake = this.seen && !document.hidden && changes && !snapshot?.table.awaited;
    const came = !awake || (await this.load());
    setTimeout(() => this.next(), came ? PAUSE_MS : this.picture === this.canvas ? LONG_PAUSE_MS : FIRST_PAUSE_MS);
  }

  /** Load and show the newest picture. Returns whether it loaded; if not, the last one stays. */
  async load() {
    const came = await drawPicture(this.canvas, `/camera.jpg?reading=${Number(this.reading?.input.checked ?? false)}`);
    if (came && this.picture !== this.canvas) {
      this.picture.replaceWith(this.canvas);
      this.picture = this.canvas;
    }
    return came;
  }

  draw() {
    const state = this.page.state();
    this.card.hidden = !state.virtual || !canTouch(state, this.page);
  }
}
