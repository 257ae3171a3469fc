/** The step for the photograph: the sheet's corners, size and orientation. */

import { html } from "../../dom.js";

const SIZES = { a5: [210, 148], a4: [297, 210], square: [210, 210] };
const LEAST_PX_PER_MM = 5;

/** The step in which the photograph is added and the sheet's corners are moved into place. */
export class Corners {
  name = "corners";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
  }

  enter() {
    this.app.selected = "corners";
  }

  /** @returns {import("../canvas.js").Item[]} */
  items() {
    const view = this.app.work.view;
    if (!view.photo || !view.corners) return [];
    this.app.selected = "corners";
    return [
      {
        key: "corners",
        name: this.app.say("sheet"),
        look: ".mark-page",
        form: "none",
        outline: view.corners,
        handles: view.corners,
        pull: (at, point) => {
          const { work } = this.app;
          // Read the corners anew: an answer may have replaced those that were drawn.
          work.view.corners = /** @type {import("../work.js").Point[]} */ (work.view.corners).map((old, index) => (index === at ? point : old));
          work.pulled = true;
          this.app.redraw();
        },
      },
    ];
  }

  dropped() {
    const { work } = this.app;
    work.pulled = false;
    work.send("/api/define/corners", { corners: work.view.corners });
  }

  panel() {
    const { app } = this;
    const { view, sheet } = app.work;
    if (!view.photo) return [html("p.define-note", {}, app.say("no-photo"))];
    return [
      ...this.size(sheet.page),
      html("div.define-buttons", {},
        app.button("find-corners", () => app.work.send("/api/define/corners", { corners: null })),
        app.button("turn", () => app.work.send("/api/define/turn", {}))),
      view.flat > 0 && html("figure.define-preview", {}, html("img", { src: `/api/define/flat.jpg?of=${view.flat}`, alt: app.say("straightened") }), html("figcaption", {}, app.say("straightened"))),
      view.px_per_mm !== null && view.px_per_mm < LEAST_PX_PER_MM && html("p.define-note", {}, app.say("too-coarse")),
    ];
  }

  /** @param {{width: number, height: number}} page */
  size(page) {
    const { app } = this;
    const set = (/** @type {number} */ width, /** @type {number} */ height) => {
      if (width >= 50 && height >= 50 && width <= 450 && height <= 450) Object.assign(page, { width, height });
      app.work.changed();
    };
    const named = Object.entries(SIZES).find(([, [width, height]]) => width === page.width && height === page.height)?.[0] ?? "own";
    const choice = html("select", { "data-key": "size", onchange: (/** @type {any} */ event) => {
      const size = SIZES[/** @type {keyof typeof SIZES} */ (event.target.value)];
      if (size) set(size[0], size[1]);
    } }, ...[...Object.keys(SIZES), "own"].map((key) => html("option", { value: key, selected: key === named }, app.say(`size-${key}`))));
    const number = { type: "number", min: 50, max: 450, step: 0.5, inputmode: "decimal" };
    return [
      html("label.define-field", {}, html("span", {}, app.say("size")), choice),
      html("div.define-pair", {},
        app.field("width", "width", page.width, (value) => set(Number(value), page.height), number),
        app.field("height", "height", page.height, (value) => set(page.width, Number(value)), number)),
      app.button("upright", () => set(page.height, page.width)),
    ];
  }
}
