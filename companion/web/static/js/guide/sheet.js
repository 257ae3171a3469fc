/** The first-run guide: one screen for each step, from an empty table to the first move. */

import { fill, html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import { setTips } from "../teaching/wish.js";
import { showSheet } from "../views/dialog.js";
import { stepsFor } from "./steps.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {{done: boolean, says: string}} Progress
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} says
 * @property {() => Node} [picture]
 * @property {(state: PageState) => Progress} [progress]  Whether the step is done, with a sentence about it.
 * @property {(state: PageState, close: () => void) => (Node | false)[]} [acts]  The buttons of the step.
 */

/** Open the first-run guide, by default at its first step. @param {Page} page @param {import("../views/page.js").Opening} [how] */
export async function openSheet(page, { at = 0 } = {}) {
  const room = html("div.guide");
  const sheet = showSheet(page, page.say("guide.title"), room);
  sheet.classList.add("guide-sheet");
  const [steps] = await Promise.all([stepsFor(page), stylesheet("/static/css/guide.css")]);
  new Guide(page, sheet, room, steps).show(at);
}

class Guide {
  /** @param {Page} page @param {HTMLDialogElement} sheet @param {HTMLElement} room @param {Step[]} steps */
  constructor(page, sheet, room, steps) {
    this.page = page;
    this.sheet = sheet;
    this.steps = steps;
    this.at = 0;
    this.step = html("div.guide-step");
    this.status = html("p.guide-status", { role: "status" });
    this.acts = html("div.guide-acts");
    this.buttons = html("div.guide-buttons");
    this.dots = html("ol.guide-dots");
    fill(room, this.dots, this.step, this.status, this.acts, this.buttons);
    const leave = page.store.subscribe(() => this.follow());
    sheet.addEventListener("close", leave);
  }

  /** @param {number} at */
  show(at) {
    this.at = at;
    const { title, says, picture } = this.steps[at];
    const { say, language } = this.page;
    const where = say("guide.step", { number: language.digits(at + 1), last: language.digits(this.steps.length) });
    fill(this.dots, ...this.steps.map((_, index) => html(`li${index <= at ? ".past" : ""}`, { "aria-current": index === at ? "step" : null, "aria-label": index === at ? where : null })));
    const heading = html("h3.guide-title", { tabindex: -1 }, title);
    fill(this.step, heading, picture ? html("div.guide-picture", {}, picture()) : null, ...(says.length > 1 ? [html("ol.guide-says", {}, ...says.map((one) => html("li", {}, one)))] : [html("p.guide-says", {}, says[0])]));
    const isLast = at === this.steps.length - 1;
    const next = html("button.push.push-confirm", { type: "button", "data-key": "next", onclick: () => (isLast ? this.leave() : this.show(at + 1)) }, html("span.push-name", {}, say(isLast ? "guide.begin" : "guide.next")));
    fill(this.buttons, at > 0 && html("button.plain", { type: "button", "data-key": "back", onclick: () => this.show(at - 1) }, say("guide.back")), next);
    this.follow();
    heading.focus();
  }

  /** Update the progress and the buttons of the step from the table's state. */
  follow() {
    const { progress, acts } = this.steps[this.at];
    const state = this.page.state();
    const stands = progress?.(state);
    this.status.hidden = !stands;
    this.status.className = `guide-status${stands?.done ? " done" : ""}`;
    const says = stands ? `${stands.done ? "✓ " : ""}${stands.says}` : "";
    if (this.status.textContent !== says) this.status.textContent = says;
    const wanted = /** @type {Node[]} */ ((acts?.(state, () => this.sheet.close()) ?? []).filter(Boolean));
    const there = [...this.acts.childNodes];
    // Replacing a button while it is pressed would lose the click.
    if (wanted.length !== there.length || wanted.some((node, index) => !node.isEqualNode(there[index]))) fill(this.acts, ...wanted);
  }

  /** Close the guide and switch the tips on. After the first move one more screen confirms that it works. */
  leave() {
    const { page } = this;
    this.sheet.close();
    setTips("on", page);
    scrollTo({ top: 0 });
    const { game } = page.state().snapshot ?? {};
    if (!game || game.decisions) return;
    const stop = page.store.subscribe(({ snapshot }) => {
      if (snapshot?.game?.id === game.id && !snapshot.game.decisions) return;
      // The store calls a new listener at once, before `stop` is known.
      queueMicrotask(() => stop());
      if (snapshot?.game?.id === game.id && snapshot.game.decisions === 1) succeed(page);
    });
  }
}

/** @param {Page} page */
function succeed(page) {
  const { say, state } = page;
  const news = state().snapshot?.news ?? [];
  const first = news.find(({ kind }) => kind === "taken")?.says ?? "";
  const on = html("button.push.push-confirm", { type: "button", "data-key": "go-on", onclick: () => sheet.close() }, html("span.push-name", {}, say("guide.go-on")));
  const sheet = showSheet(page, say("guide.works"), html("div.guide", {}, html("p.guide-first", { dir: "auto" }, first), html("p.guide-says", {}, say("guide.works-says")), html("div.guide-buttons", {}, on)));
  sheet.classList.add("guide-sheet");
}
