/** What the camera sees: picture after picture, for as long as somebody can see them. */

import { html } from "../dom.js";
import { canTouch } from "../views/page.js";
import "./texts.js";

/** Between two pictures, in milliseconds; longer where one did not come. */
const [PAUSE_MS, LONG_PAUSE_MS] = [280, 2000];
/** Likewise before the first one, which everybody waits for. */
const FIRST_PAUSE_MS = 500;

/** @typedef {import("../views/page.js").Page} Page */

export class CameraView {
  /**
   * @param {Page} page
   * @param {string} alt  What the picture shows.
   * @param {{input: HTMLInputElement, label: HTMLElement} | null} [reading]  Whether what was read is drawn into it.
   */
  constructor(page, alt, reading = null) {
    this.page = page;
    this.alt = alt;
    this.reading = reading;
    /** The newest picture; before the first, a word that it is awaited. @type {HTMLElement} */
    this.picture = html("span.v-picture.v-awaited", {}, html("span.needle", { "aria-hidden": "true" }), page.say("table.awaited"));
    this.seen = false;
    this.frame = html("button.v-enlarge", { type: "button", "aria-label": page.say("virtual.enlarge"), onclick: () => this.card.classList.toggle("v-large") }, this.picture);
    this.card = this.makeCard();
  }

  makeCard() {
    const { say } = this.page;
    return html(
      "section.card.v-sight",
      { "aria-labelledby": "v-sight-title" },
      html("div.v-sight-head", {}, html("h2.section-title", { id: "v-sight-title" }, say("crop.caption")), this.reading?.label),
      this.frame,
    );
  }

  start() {
    // A page that is busy, as at its start, is told of several changes at once: the last one holds.
    new IntersectionObserver((entries) => (this.seen = entries[entries.length - 1].isIntersecting)).observe(this.frame);
    this.next();
  }

  async next() {
    const awake = this.seen && !document.hidden && this.page.state().link === "open";
    const came = !awake || (await this.load());
    setTimeout(() => this.next(), came ? PAUSE_MS : this.picture instanceof HTMLImageElement ? LONG_PAUSE_MS : FIRST_PAUSE_MS);
  }

  /** Show the newest picture; where none comes the last one stays. Whether one came. */
  async load() {
    const picture = /** @type {HTMLImageElement} */ (html("img.v-picture", { alt: this.alt, width: 1536, height: 864 }));
    picture.src = `/camera.jpg?reading=${Number(this.reading?.input.checked ?? false)}&at=${Date.now()}`;
    try {
      await picture.decode();
    } catch {
      return false;
    }
    this.picture.replaceWith(picture);
    this.picture = picture;
    return true;
  }

  draw() {
    const state = this.page.state();
    this.card.hidden = !state.virtual || !canTouch(state, this.page);
  }
}
