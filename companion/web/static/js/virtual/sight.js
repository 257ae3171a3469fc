/** What the camera sees: picture after picture, for as long as somebody can see them. */

import { html } from "../dom.js";
import { canTouch } from "../views/page.js";

/** Between two pictures, in milliseconds; longer where one did not come. */
const [PAUSE_MS, LONG_PAUSE_MS] = [280, 2000];

/** @typedef {import("../views/page.js").Page} Page */

export class Sight {
  /**
   * @param {Page} page
   * @param {string} alt  What the picture shows.
   * @param {{input: HTMLInputElement, label: HTMLElement} | null} [reading]  Whether what was read is drawn into it.
   */
  constructor(page, alt, reading = null) {
    this.page = page;
    this.reading = reading;
    this.picture = /** @type {HTMLImageElement} */ (html("img.v-picture", { alt, width: 1536, height: 864 }));
    this.seen = false;
    this.card = this.makeCard();
  }

  makeCard() {
    const { say } = this.page;
    const large = () => this.card.classList.toggle("v-large");
    return html(
      "section.card.v-sight",
      { "aria-labelledby": "v-sight-title" },
      html("div.v-sight-head", {}, html("h2.section-title", { id: "v-sight-title" }, say("crop.caption")), this.reading?.label),
      html("button.v-enlarge", { type: "button", "aria-label": say("virtual.enlarge"), onclick: large }, this.picture),
    );
  }

  start() {
    new IntersectionObserver(([entry]) => (this.seen = entry.isIntersecting)).observe(this.picture);
    this.picture.addEventListener("load", () => setTimeout(() => this.next(), PAUSE_MS));
    this.picture.addEventListener("error", () => setTimeout(() => this.next(), LONG_PAUSE_MS));
    this.next();
  }

  next() {
    const awake = this.seen && !document.hidden && this.page.state().link === "open";
    if (awake) this.picture.src = `/camera.jpg?reading=${Number(this.reading?.input.checked ?? false)}&at=${Date.now()}`;
    else setTimeout(() => this.next(), PAUSE_MS);
  }

  draw() {
    const state = this.page.state();
    this.card.hidden = !state.virtual || !canTouch(state, this.page);
  }
}
