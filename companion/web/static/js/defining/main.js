/** The page that describes a sheet: the steps, the picture, and beside it the form of the current step. */

import { fill, html } from "../dom.js";
import { Canvas } from "./canvas.js";
import { open, part } from "./opening.js";
import { Corners } from "./steps/corners.js";
import { Patches } from "./steps/patches.js";
import { Pencils } from "./steps/pencils.js";
import { Pictures } from "./steps/pictures.js";
import { Quilt } from "./steps/quilt.js";
import { Saving } from "./steps/saving.js";
import { Spools } from "./steps/spools.js";
import { Stitches } from "./steps/stitches.js";
import { Values } from "./steps/values.js";
import { Work } from "./work.js";
import "./texts.js";

/**
 * @typedef {object} StepView  One step.
 * @property {string} name
 * @property {() => import("./canvas.js").Item[]} items
 * @property {() => (Node | string | false | null)[]} panel
 * @property {(key: string) => void} [choose]  Called when an item on the picture is selected.
 * @property {() => void} [dropped]  Called at the end of a drag, instead of recording a change of the sheet.
 * @property {() => void} [enter]
 */

/** The page while a sheet is being described, with its current step and selected item. */
export class Describing {
  /** @param {import("../views/page.js").Page} page @param {import("./work.js").View} view */
  constructor(page, view) {
    this.page = page;
    this.say = page.say;
    this.work = new Work(page, view);
    this.canvas = new Canvas(page.say, (key) => this.choose(key), () => (this.step.dropped ? this.step.dropped() : this.work.changed()));
    this.side = html("section.define-side", { "aria-labelledby": "step-title" });
    this.refused = html("p.define-refused", { role: "alert" });
    /** @type {StepView[]} */
    this.steps = [Corners, Quilt, Pictures, Values, Patches, Spools, Stitches, Pencils, Saving].map((Step) => new Step(this));
    // A new sheet starts at the corners, even if they were found; a draft resumes at the first incomplete step.
    const next = this.steps.find(({ name }) => this.work.missing(name).length) ?? this.steps[this.steps.length - 1];
    this.step = view.sheet.quilt.row.length ? next : this.steps[0];
    /** The key of the selected item. @type {string | null} */
    this.selected = null;
    this.work.follow(() => this.refresh());
    fill(part("work"), this.canvas.element, html("div.define-beside", {}, this.refused, this.side));
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !/INPUT|SELECT/.test(document.activeElement?.tagName ?? "")) this.work.undo();
    });
    this.go(this.step);
  }

  /** @param {StepView} step */
  go(step) {
    this.step = step;
    this.selected = null;
    this.canvas.ask(null);
    step.enter?.();
    this.refresh();
    part("steps").querySelector(".is-now")?.scrollIntoView({ inline: "center", block: "nearest" });
    const [beside] = document.getElementsByClassName("define-beside");
    beside.scrollTop = 0;
  }

  /** @param {string | null} key */
  choose(key) {
    this.selected = key;
    if (key) this.step.choose?.(key);
    this.refresh();
  }

  /** Let the user draw on the picture. @param {import("./canvas.js").Drawing | null} drawing @param {string} [hint] */
  draw(drawing, hint) {
    this.canvas.ask(drawing, hint);
    this.refresh();
  }

  /** Redraw the picture alone, during a drag. */
  redraw() {
    this.canvas.put(this.step.items(), this.selected);
  }

  refresh() {
    const { view, sheet } = this.work;
    const photo = this.step.name === "corners" && view.photo;
    if (photo) this.canvas.shows("/api/define/photo.jpg", photo);
    else if (view.flat) this.canvas.shows(`/api/define/flat.jpg?of=${view.flat}`, [sheet.page.width, sheet.page.height]);
    this.redraw();
    fill(part("kept"), this.say(this.work.refused ? "kept-not" : view.saved ? "kept-saved" : "kept", { file: view.file }));
    fill(this.refused, this.work.refused);
    this.showSteps();
    this.showSide();
  }

  showSteps() {
    const flat = this.work.view.flat > 0;
    fill(part("steps"), html("ol", {}, ...this.steps.map((step, index) => {
      const empty = ["pictures", "values"].includes(step.name) && !this.work.sheet.quilt.row.length;
      const done = step.name === "saving" ? this.work.view.saved : flat && !empty && !this.work.missing(step.name).length;
      const reachable = index === 0 || flat;
      const now = step === this.step;
      return html("li", {}, html(`button.define-step${done ? ".is-done" : ""}${now ? ".is-now" : ""}`, { type: "button", "data-key": `step-${step.name}`, "aria-current": now ? "step" : null, "aria-disabled": !reachable, onclick: () => reachable && this.go(step) },
        html("span.define-number", { "aria-hidden": "true" }, done ? "\u2713" : this.page.language.digits(index + 1)), this.say(`step-${step.name}`), done && html("span.spoken", {}, ` (${this.say("done")})`)));
    })));
  }

  showSide() {
    const { say, work } = this;
    const index = this.steps.indexOf(this.step);
    const next = this.steps[index + 1];
    const missing = work.missing(this.step.name);
    fill(this.side,
      html("h2", { id: "step-title" }, say(`step-${this.step.name}`)),
      html("p.define-how", {}, say(`how-${this.step.name}`)),
      ...this.step.panel(),
      missing.length > 0 && html("ul.define-missing", { "aria-label": say("missing") }, ...missing.map(({ says }) => html("li", {}, says))),
      html("div.define-buttons.define-ways", {},
        this.button("undo", () => work.undo(), { disabled: !work.past.length }),
        next && html("button.plain.define-next", { type: "button", "data-key": "next", "aria-disabled": !work.view.flat, onclick: () => work.view.flat && this.go(next) }, say("next", { step: say(`step-${next.name}`) }))));
  }

  /**
   * @param {string} text  The key of its text, which is also part of the button's `data-key`.
   * @param {() => void} act
   * @param {{disabled?: boolean, values?: Record<string, string | number>, pressed?: boolean}} [options]
   */
  button(text, act, { disabled = false, values = {}, pressed } = {}) {
    return html("button.plain", { type: "button", "data-key": `do-${text}`, "aria-disabled": disabled, "aria-pressed": pressed, onclick: () => !disabled && act() }, this.say(text, values));
  }

  /**
   * Return an input with its label.
   *
   * @param {string} text @param {string} key @param {string | number | null} value
   * @param {(value: string) => void} set
   * @param {Record<string, string | number | boolean>} [attributes]
   */
  field(text, key, value, set, attributes = {}) {
    const input = html("input", {
      "data-key": key,
      value: value ?? "",
      // The value is taken on change; until then `data-typing` keeps the text when the field is redrawn.
      oninput: () => (input.dataset.typing = ""),
      onchange: () => {
        // The field was replaced by redrawing during typing: the value is not final yet.
        if (!input.isConnected) return;
        delete input.dataset.typing;
        set(/** @type {HTMLInputElement} */ (input).value);
      },
      ...attributes,
    });
    return html("label.define-field", {}, html("span", {}, this.say(text)), input);
  }
}

await open("/api/define", (page, view) => new Describing(page, /** @type {import("./work.js").View} */ (view)));
