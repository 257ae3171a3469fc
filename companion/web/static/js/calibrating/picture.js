/** The live picture with a grid over each board, whose corners are moved by touch, mouse or arrow keys. */

import { fill, html, svg } from "../dom.js";
import { nameOf } from "../views/page.js";
import { drawInto, drawPicture } from "../virtual/livepicture.js";
import { gridPath } from "./projecting.js";
import "./texts.js";

const CORNERS = ["A1", "I1", "I9", "A9"];
const LOUPE_ZOOM = 3;

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./projecting.js").Point} Point
 * @typedef {import("./sheet.js").View} View
 */

/** The live picture, or a photograph, with a grid over each board and a handle at each corner. */
export class Picture {
  /**
   * @param {Page} page
   * @param {(seat: number, corners: Point[]) => void} moved  Called with a board's corners after the user has moved one.
   * @param {string} [photograph]  The address of a photograph to show instead of the live picture.
   * @param {readonly string[]} [names]  Of the corners.
   */
  constructor(page, moved, photograph, names = CORNERS) {
    this.page = page;
    this.names = names;
    this.photograph = photograph;
    this.moved = moved;
    this.canvas = /** @type {HTMLCanvasElement} */ (html("canvas.calibration-image", { role: "img", "aria-label": page.say("calibrate.picture") }));
    this.grids = svg("svg.calibration-grids", { "aria-hidden": "true" });
    this.handles = html("div.calibration-handles", { dir: "ltr" });
    this.lens = /** @type {HTMLCanvasElement} */ (html("canvas"));
    this.loupe = html("div.loupe", { "aria-hidden": "true", hidden: true }, this.lens);
    this.element = html("div.calibration-picture", {}, this.canvas, this.grids, this.handles, this.loupe);
    this.isLoading = false;
    /** @type {Record<string, Point[]>} */
    this.corners = {};
    /** @type {[number, number]} */
    this.size = [16, 9];
    /** The seat whose board is being moved, or null; updates from the table do not move that board. @type {number | null} */
    this.held = null;
  }

  /** @param {View} view */
  show({ size, corners }) {
    if (size[0]) {
      this.size = size;
      this.refresh();
    }
    const kept = this.held === null ? {} : { [this.held]: this.corners[this.held] };
    this.corners = { ...corners, ...kept };
    // New handles would take the pointer from the one that is dragged.
    if (this.held === null) this.furnish();
    this.draw();
  }

  /** Load the next picture; it replaces the last one when it has loaded completely. */
  async refresh() {
    this.element.style.aspectRatio = `${this.size[0]} / ${this.size[1]}`;
    if (this.isLoading) return;
    this.isLoading = true;
    await (this.photograph ? drawPhotograph(this.canvas, this.photograph) : drawPicture(this.canvas, "/camera.jpg?reading=0"));
    this.isLoading = false;
  }

  /** Create a handle for each known corner, unless they are there already. */
  furnish() {
    const wanted = Object.keys(this.corners).flatMap((seat) => CORNERS.map((_, index) => `${seat}-${index}`));
    const there = [...this.handles.children].map((handle) => handle.getAttribute("data-key"));
    if (wanted.join() === there.join()) return;
    fill(this.handles, ...wanted.map((key) => this.handle(Number(key[0]), Number(key[2]))));
  }

  /**
   * @param {number} seat
   * @param {number} index
   */
  handle(seat, index) {
    const { say, state } = this.page;
    const name = nameOf(state(), seat) || say("setup.player", { seat });
    const button = html(`button.corner.corner-of-${seat}`, { type: "button", "data-key": `${seat}-${index}`, "aria-label": say("calibrate.corner", { name, corner: this.names[index] }) }, html("span.corner-name", { "aria-hidden": "true" }, this.names[index]));
    button.addEventListener("pointerdown", (event) => this.take(event, button, seat, index));
    button.addEventListener("keydown", (event) => this.nudge(event, seat, index));
    return button;
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLElement} button
   * @param {number} seat
   * @param {number} index
   */
  take(event, button, seat, index) {
    event.preventDefault();
    button.focus({ preventScroll: true });
    this.rest();
    button.setPointerCapture(event.pointerId);
    this.held = seat;
    const [x, y] = this.corners[seat][index];
    const [fromX, fromY] = [event.clientX, event.clientY];
    const scale = this.size[0] / this.element.clientWidth;
    const follow = (/** @type {PointerEvent} */ move) => {
      this.put(seat, index, [x + (move.clientX - fromX) * scale, y + (move.clientY - fromY) * scale]);
      this.magnify(this.corners[seat][index]);
    };
    const release = () => {
      button.removeEventListener("pointermove", follow);
      this.loupe.hidden = true;
      this.held = null;
      this.moved(seat, this.corners[seat]);
    };
    button.addEventListener("pointermove", follow);
    // It comes after release and cancellation alike.
    button.addEventListener("lostpointercapture", release, { once: true });
    this.magnify([x, y]);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} seat
   * @param {number} index
   */
  nudge(event, seat, index) {
    /** @type {Record<string, Point>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 20 : 2;
    const [x, y] = this.corners[seat][index];
    // A key on the other board ends the move of this one.
    if (this.held !== seat) this.rest();
    this.held = seat;
    this.put(seat, index, [x + far * step[0], y + far * step[1]]);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), 700);
  }

  /** Report the corners of the board that was moved by keys. */
  rest() {
    clearTimeout(this.resting);
    const { held } = this;
    this.held = null;
    if (held !== null) this.moved(held, this.corners[held]);
  }

  /**
   * @param {number} seat
   * @param {number} index
   * @param {Point} point
   */
  put(seat, index, [x, y]) {
    const [width, height] = this.size;
    /** @type {Point} */
    const inside = [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))];
    this.corners[seat] = this.corners[seat].map((old, at) => (at === index ? inside : old));
    this.draw();
  }

  draw() {
    const [width, height] = this.size;
    this.grids.setAttribute("viewBox", `0 0 ${width} ${height}`);
    fill(
      this.grids,
      ...Object.entries(this.corners).flatMap(([seat, corners]) => [
        svg("path", { d: gridPath(corners), class: "grid-shade" }),
        svg("path", { d: gridPath(corners), class: `grid-line grid-of-${seat}` }),
      ]),
    );
    for (const handle of /** @type {HTMLCollectionOf<HTMLElement>} */ (this.handles.children)) {
      const [seat, index] = (handle.dataset.key ?? "").split("-").map(Number);
      const [x, y] = this.corners[seat]?.[index] ?? [0, 0];
      handle.style.left = `${(100 * x) / width}%`;
      handle.style.top = `${(100 * y) / height}%`;
    }
  }

  /**
   * Show the point under the finger enlarged in the loupe.
   *
   * @param {Point} point
   */
  magnify([x, y]) {
    const [width] = this.size;
    const shown = this.element.clientWidth;
    const left = (x / width) * shown;
    this.loupe.hidden = false;
    this.loupe.classList.toggle("at-end", left < shown / 2);
    const across = this.loupe.clientWidth || 120;
    const sharp = Math.round(across * (window.devicePixelRatio || 1));
    // The width of what the loupe shows, in pixels of the canvas, which may be smaller than the camera's picture.
    const scale = this.canvas.width / width;
    const side = (across * this.canvas.width) / (shown * LOUPE_ZOOM);
    this.lens.width = this.lens.height = sharp;
    this.lens.getContext("2d")?.drawImage(this.canvas, x * scale - side / 2, y * scale - side / 2, side, side, 0, 0, sharp, sharp);
  }
}

/** @param {HTMLCanvasElement} canvas @param {string} address */
async function drawPhotograph(canvas, address) {
  const image = new Image();
  image.src = address;
  if (await image.decode().then(() => true, () => false)) drawInto(canvas, image);
}
