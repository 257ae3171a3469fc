/** The picture with items marked on it, which are selected, dragged and drawn. The picture can be zoomed and scrolled. */

import { fill, html, svg } from "../dom.js";
import { boxOf, rectOf, spanOf } from "./boxes.js";
import { tidy } from "./work.js";

const ZOOMS = [1, 1.5, 2, 3, 4];
const NUDGE = 0.2;
const NUDGE_FAR = 2;

/**
 * @typedef {import("./work.js").Point} Point
 * @typedef {object} Item  An item on the picture.
 * @property {string} key
 * @property {string} name  Its name for screen readers.
 * @property {Point[]} outline
 * @property {"closed" | "none"} [form]  "none": only its handles are visible.
 * @property {string} [look]  Class names, after dots.
 * @property {Point[]} [handles]  The points that can be dragged while it is selected.
 * @property {(at: number, point: Point) => void} [pull]  Called while a handle is dragged.
 * @property {(dx: number, dy: number) => void} [shift]  Called while the whole item is dragged.
 * @property {string} [text]
 * @property {boolean} [fine]  Whether its handles are many and therefore small.
 * @typedef {{kind: "rect" | "point" | "outline", done: (points: Point[]) => void}} Drawing
 */

/** The picture and its marked items. `element` goes into the page. */
export class Canvas {
  /**
   * @param {(key: string, values?: Record<string, string | number>) => string} say
   * @param {(key: string) => void} chosen
   * @param {() => void} dropped  Called at the end of a drag or after a move by keys.
   */
  constructor(say, chosen, dropped) {
    this.say = say;
    this.chosen = chosen;
    this.dropped = dropped;
    this.image = /** @type {HTMLImageElement} */ (html("img.define-image", { alt: say("picture"), draggable: "false" }));
    this.marks = svg("svg.define-marks", { role: "group", "aria-label": say("picture") });
    this.paper = html("div.define-paper", { dir: "ltr" }, this.image, this.marks);
    this.room = html("div.define-room", { tabindex: 0, role: "region", "aria-label": say("picture") }, this.paper);
    const zoom = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ name) =>
      html("button.plain.define-zoom", { type: "button", "aria-label": say(name), onclick: () => this.zoom(by) }, sign);
    this.hint = html("p.define-hint", { role: "status" });
    this.element = html("section.define-canvas", {}, html("div.define-top", {}, this.hint, html("div.define-zooms", {}, zoom(-1, "\u2212", "zoom-out"), zoom(1, "+", "zoom-in"))), this.room);
    /** @type {Item[]} */
    this.items = [];
    /** @type {string | null} */
    this.selected = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Point[]} */
    this.drawn = [];
    /** @type {[number, number]} */
    this.size = [210, 148];
    this.level = 0;
    this.marks.addEventListener("pointerdown", (event) => this.begin(event));
    this.marks.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * @param {string} source
   * @param {[number, number]} size  In the units of the items.
   */
  shows(source, size) {
    if (this.image.getAttribute("src") !== source) this.image.src = source;
    this.size = size;
    this.marks.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    this.paper.style.aspectRatio = `${size[0]} / ${size[1]}`;
    this.stretch();
  }

  /** Set the picture's width for the zoom level. At the smallest level the whole picture is visible. */
  stretch() {
    this.paper.style.inlineSize = `calc(min(100%, var(--tall) * ${this.size[0] / this.size[1]}) * ${ZOOMS[this.level]})`;
  }

  /** @param {number} by */
  zoom(by) {
    const [width, height] = [this.room.scrollWidth, this.room.scrollHeight];
    const at = [(this.room.scrollLeft + this.room.clientWidth / 2) / width, (this.room.scrollTop + this.room.clientHeight / 2) / height];
    this.level = Math.max(0, Math.min(ZOOMS.length - 1, this.level + by));
    this.stretch();
    this.room.scrollLeft = at[0] * this.room.scrollWidth - this.room.clientWidth / 2;
    this.room.scrollTop = at[1] * this.room.scrollHeight - this.room.clientHeight / 2;
    this.draw();
  }

  /** @param {Item[]} items @param {string | null} selected */
  put(items, selected) {
    this.items = items;
    this.selected = selected;
    this.draw();
  }

  /** @param {Drawing | null} drawing @param {string} [hint] */
  ask(drawing, hint = "") {
    this.drawing = drawing;
    this.drawn = [];
    fill(this.hint, hint);
    this.marks.classList.toggle("is-drawing", drawing !== null);
    this.draw();
  }

  /** The size of a screen pixel in the units of the items. */
  get unit() {
    return this.size[0] / Math.max(1, this.marks.getBoundingClientRect().width);
  }

  draw() {
    const focused = this.marks.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    const shapes = this.items.map((item) => this.shape(item));
    const held = this.items.find(({ key }) => key === this.selected);
    const handles = (held?.handles ?? []).map((point, at) => this.handle(/** @type {Item} */ (held), point, at));
    fill(this.marks, ...shapes, ...handles, this.sketch());
    if (focused) /** @type {SVGElement | null} */ (this.marks.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
  }

  /** @param {Item} item */
  shape({ key, name, outline, look = "", form = "closed", text }) {
    const d = `M${outline.map((point) => point.join(" ")).join("L")}Z`;
    const path = svg(`path.mark${look}${key === this.selected ? ".is-chosen" : ""}`, { d, "data-key": key, tabindex: form === "none" ? null : 0, role: "button", "aria-label": name, "aria-pressed": key === this.selected, "pointer-events": form === "none" ? "none" : null });
    if (!text) return path;
    const [left, top, width, height] = rectOf(spanOf(outline));
    const size = Math.min(13 * this.unit, (1.5 * width) / text.length, height);
    return svg("g", {}, path, svg("text.mark-text", { x: left + width / 2, y: top + height / 2, "font-size": size, "aria-hidden": "true" }, text));
  }

  /** @param {Item} item @param {Point} point @param {number} at */
  handle(item, [cx, cy], at) {
    return svg("g.handle", { "data-key": `${item.key}:${at}`, "data-at": at, tabindex: 0, role: "button", "aria-label": this.say("handle", { name: item.name, number: at + 1 }) },
      svg("circle.handle-room", { cx, cy, r: (item.fine ? 9 : 19) * this.unit }), svg("circle.handle-dot", { cx, cy, r: (item.fine ? 3.5 : 6.5) * this.unit }));
  }

  sketch() {
    if (!this.drawn.length) return null;
    const points = this.drawing?.kind === "rect" && this.drawn.length === 2 ? boxOf(this.drawn) : this.drawn;
    return svg("g.sketch", {}, svg("path", { d: `M${points.map((point) => point.join(" ")).join("L")}${this.drawing?.kind === "rect" ? "Z" : ""}` }),
      ...(this.drawing?.kind === "outline" ? points.map(([cx, cy]) => svg("circle", { cx, cy, r: 4 * this.unit })) : []));
  }

  /** @param {PointerEvent} event @returns {Point} */
  place(event) {
    const box = this.marks.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) * this.unit, (event.clientY - box.top) * this.unit];
    return [tidy(Math.max(0, Math.min(this.size[0], x))), tidy(Math.max(0, Math.min(this.size[1], y)))];
  }

  /** @param {PointerEvent} event */
  begin(event) {
    if (event.button !== 0) return;
    if (this.drawing) return this.sketchFrom(event);
    const target = /** @type {Element} */ (event.target).closest("[data-key]");
    if (!target) return;
    const [key, at] = (target.getAttribute("data-key") ?? "").split(":");
    const item = this.items.find((one) => one.key === key);
    if (!item) return;
    const held = key === this.selected;
    if (!held) this.chosen(key);
    // A scroll gesture must not move the item that it starts on.
    if (at === undefined && event.pointerType === "touch" && !held) return;
    event.preventDefault();
    this.drag(event, item, at === undefined ? null : Number(at));
  }

  /** @param {PointerEvent} event @param {Item} item @param {number | null} at */
  drag(event, item, at) {
    let last = this.place(event);
    let moved = false;
    this.marks.setPointerCapture(event.pointerId);
    const follow = (/** @type {PointerEvent} */ move) => {
      const point = this.place(move);
      // A tap that trembles is no drag.
      if (!moved && Math.hypot(point[0] - last[0], point[1] - last[1]) < 3 * this.unit) return;
      moved = true;
      // Each step redraws the items, and only the new one knows its present place.
      const now = this.items.find(({ key }) => key === item.key) ?? item;
      if (at === null) now.shift?.(point[0] - last[0], point[1] - last[1]);
      else now.pull?.(at, point);
      last = point;
    };
    this.until(follow, () => moved && this.dropped());
  }

  /** @param {(move: PointerEvent) => void} follow @param {() => void} done */
  until(follow, done) {
    const stop = () => {
      this.marks.removeEventListener("pointermove", follow);
      done();
    };
    this.marks.addEventListener("pointermove", follow);
    this.marks.addEventListener("lostpointercapture", stop, { once: true });
  }

  /** @param {PointerEvent} event */
  sketchFrom(event) {
    const drawing = /** @type {Drawing} */ (this.drawing);
    const start = this.place(event);
    event.preventDefault();
    if (drawing.kind === "point") return drawing.done([start]);
    if (drawing.kind === "outline") {
      if (this.drawn.length > 2 && Math.hypot(start[0] - this.drawn[0][0], start[1] - this.drawn[0][1]) < 14 * this.unit) return this.close();
      this.drawn = [...this.drawn, start];
      return this.draw();
    }
    this.marks.setPointerCapture(event.pointerId);
    this.until((move) => {
      this.drawn = [start, this.place(move)];
      this.draw();
    }, () => {
      const points = this.drawn.splice(0);
      const wide = points.length === 2 && Math.abs(points[0][0] - points[1][0]) > 1 && Math.abs(points[0][1] - points[1][1]) > 1;
      if (wide) drawing.done(boxOf(points));
      else this.draw();
    });
  }

  /** Finish the outline that is being drawn. */
  close() {
    const { drawn: points, drawing } = this;
    if (points.length < 3 || drawing?.kind !== "outline") return;
    this.drawn = [];
    drawing.done(points);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-key]");
    const [key, at] = (target?.getAttribute("data-key") ?? "").split(":");
    const item = this.items.find((one) => one.key === key);
    if (!item) return;
    /** @type {Record<string, Point>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!step) return this.chosen(key);
    const far = (event.shiftKey ? NUDGE_FAR : NUDGE) * (this.size[0] / 210);
    if (at === undefined) item.shift?.(far * step[0], far * step[1]);
    else if (item.handles) item.pull?.(Number(at), [tidy(item.handles[Number(at)][0] + far * step[0]), tidy(item.handles[Number(at)][1] + far * step[1])]);
    this.dropped();
  }
}
