/** The pieces to take (the circle of patches, leather, a button token), and the bar with the piece in hand and its buttons. */

import { fill, html } from "../../dom.js";
import { buttonIcon, leatherIcon, timeIcon } from "../../icons.js";
import { canTouch } from "../../views/page.js";
import "../../virtual/texts.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import { own, tabletop } from "../state.js";
import "../texts.js";
import { objection } from "./fit.js";
import { changesOf, spoken, TOKEN } from "./pieces.js";

/**
 * @typedef {import("../../views/page.js").PageState} PageState
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("./hand.js").Hand} Hand
 */

const COARSE = matchMedia("(pointer: coarse)");

/** The pieces that can be taken. `card` goes into the page. */
export class Circle {
  /**
   * @param {Page} page
   * @param {Hand} hand
   */
  constructor(page, hand) {
    this.page = page;
    this.hand = hand;
    this.list = html("ol.v-circle-list", { "aria-labelledby": "v-circle-title" });
    roveIn(this.list, "[data-source]");
    this.card = html(
      "section.card.v-circle",
      { "aria-labelledby": "v-circle-title" },
      html("h2.section-title", { id: "v-circle-title" }, page.say("virtual.circle")),
      this.list,
      html("p.v-hint", {}, page.say("virtual.how")),
    );
    this.drawn = "";
  }

  draw() {
    const state = this.page.state();
    const table = state.snapshot?.patchwork;
    const [virtual, { box }] = [tabletop(state), own(state)];
    // After the end no patch can be taken, and the score sheet needs the room.
    this.card.hidden = !virtual || !canTouch(state, this.page) || Boolean(table?.result);
    const offered = table?.market_known ? table.offers.map(({ patch }) => patch) : [];
    const needed = JSON.stringify([virtual?.circle, virtual?.leather, Object.keys(box).length, offered]);
    if (virtual && needed !== this.drawn) {
      this.drawn = needed;
      fill(this.list, ...this.objects(virtual.leather), ...virtual.circle.filter((patch) => box[patch]).map((patch) => this.patch(patch, state, offered.includes(patch))));
      // Restore the single tab stop of the new buttons.
      rest(this.list, "[data-source]");
    }
    for (const source of this.list.querySelectorAll("[data-source]")) {
      source.setAttribute("aria-pressed", String(source.getAttribute("data-source") === this.hand.held?.patch && !this.hand.held?.lying));
    }
  }

  /**
   * @param {string} patch
   * @param {PageState} state
   * @param {boolean} offered
   */
  patch(patch, state, offered) {
    const { box } = own(state);
    const { cells, income, buttons, time } = box[patch];
    const label = this.page.say("correct.label", { patch: this.page.say(`patch.${patch}`), buttons, time });
    const { digits } = this.page.language;
    const price = html("span.v-price", { "aria-hidden": "true" }, buttonIcon(), digits(buttons), timeIcon(), digits(time));
    return html(`li.v-patch${offered ? ".v-offered" : ""}`, {}, source(patch, label, patchPicture(patch, cells.map(toCell), income), price));
  }

  /** @param {number} leather */
  objects(leather) {
    const { say, language } = this.page;
    const count = html("span.v-count", { "aria-hidden": "true" }, language.digits(leather));
    return [
      leather > 0 && html("li.v-object", {}, source("leather", say("virtual.leather", { count: leather }), leatherIcon(), count)),
      html("li.v-object", {}, source(TOKEN, say("virtual.a-token"), buttonIcon())),
    ];
  }
}

/**
 * @param {string} patch
 * @param {string} label
 * @param {...Node} content
 */
function source(patch, label, ...content) {
  return html("button.v-source", { type: "button", "data-source": patch, "data-key": `source-${patch}`, title: label, "aria-pressed": "false" }, html("span.spoken", {}, label), ...content);
}

/** The bar with the piece in hand and the buttons to turn, flip, lay and return it. */
export class HandBar {
  /**
   * @param {Page} page
   * @param {Hand} hand
   * @param {import("./boards.js").Boards} boards
   */
  constructor(page, hand, boards) {
    this.page = page;
    this.hand = hand;
    this.boards = boards;
    this.says = html("p.v-says", { role: "status" });
    this.buttons = html("div.v-buttons");
    /** The data of the drawn buttons, to redraw them only after a change: replacing a pressed button would lose the click. */
    this.drawn = "";
    this.bar = html("section.v-hand", { "aria-label": page.say("virtual.hand"), hidden: true }, this.says, this.buttons);
  }

  draw() {
    const { held } = this.hand;
    this.bar.hidden = !held;
    document.documentElement.classList.toggle("v-holding", Boolean(held));
    if (!held) return;
    const where = this.boards.heldSquares();
    const name = spoken(held.patch, this.page);
    const objects = objection(held, this.hand.cells, this.page.state(), this.page);
    const lies = where ? this.page.say("virtual.held-at", { patch: name, cells: where }) : this.page.say("virtual.held", { patch: name });
    const says = held.refused || [lies, objects].filter(Boolean).join(" ");
    if (this.says.textContent !== says) this.says.replaceChildren(...(held.refused || !objects ? [says] : [lies, " ", html("span.v-why", {}, objects)]));
    this.says.classList.toggle("refused", Boolean(held.refused || objects));
    const drawn = JSON.stringify([held.patch, held.lying?.piece, this.hand.isMove]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    fill(this.buttons, ...this.choices(held));
  }

  /** @param {import("./hand.js").Held} held */
  choices(held) {
    const { hand, page } = this;
    const { turns, flips } = changesOf(held.patch, own(page.state()).box);
    const { lying } = held;
    return [
      turns && act("turn", page.say("virtual.turn"), "R", () => hand.turn()),
      flips && act("flip", page.say("virtual.flip"), "F", () => hand.flip()),
      lying && act("lift", page.say("virtual.lift"), "", () => hand.lift(lying.piece)),
      act("back", page.say(lying ? "virtual.leave" : "virtual.back"), "", () => hand.drop()),
      // A finger confirms with the same tap; a mouse is near enough to the push-button.
      COARSE.matches && hand.isMove ? act("lay", page.say("virtual.lay-confirm"), "", () => hand.layAndConfirm()) : act("lay", page.say("virtual.lay"), "", () => hand.lay()),
    ];
  }
}

/**
 * @param {string} key
 * @param {string} text
 * @param {string} shortcut
 * @param {() => void} does
 */
function act(key, text, shortcut, does) {
  const hint = shortcut && html("kbd.v-key", { "aria-hidden": "true" }, shortcut);
  return html(`button.plain.v-act.v-act-${key}`, { type: "button", "data-key": `hand-${key}`, "aria-keyshortcuts": shortcut || null, onclick: does }, text, hint);
}

// Roving tabindex: a row of buttons is one tab stop, and the arrow keys, Home and End move within it.

/**
 * Let the arrow keys move between the elements that match `selector`. Call it once for each `room`.
 *
 * @param {HTMLElement} room
 * @param {string} selector
 */
function roveIn(room, selector) {
  room.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = /** @type {HTMLElement[]} */ ([...room.querySelectorAll(selector)]);
    const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
    const goal = at < 0 ? undefined : all[placeAfter(event.key, at, all.length, getComputedStyle(room).direction)];
    if (!goal) return;
    event.preventDefault();
    // At a virtual table the same key would also move the patch in hand.
    event.stopPropagation();
    goal.focus();
  });
  room.addEventListener("focusin", () => rest(room, selector));
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @param {string} direction  "ltr" or "rtl".
 */
function placeAfter(key, at, count, direction) {
  const onward = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === onward || key === "ArrowDown") return Math.min(at + 1, count - 1);
  if (key === back || key === "ArrowUp") return Math.max(at - 1, 0);
  return -1;
}

/**
 * Make one element the tab stop: the focused one, or the last one that was, or else the first.
 *
 * @param {HTMLElement} room
 * @param {string} selector
 */
function rest(room, selector) {
  const all = /** @type {HTMLElement[]} */ ([...room.querySelectorAll(selector)]);
  const last = room.dataset.at ?? "";
  const stop = all.find((one) => one === document.activeElement) ?? all.find((one) => one.dataset.key === last) ?? all[0];
  for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  if (stop) room.dataset.at = stop.dataset.key ?? "";
}
