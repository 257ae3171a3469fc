/** The pieces to take (the circle of patches, leather, a button token), and the bar with the piece in hand and its buttons. */

import { fill, html } from "../../dom.js";
import { buttonIcon, leatherIcon, timeIcon } from "../../icons.js";
import { canTouch } from "../../views/page.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import { rest, roveIn } from "../../virtual/roving.js";
import { own, tabletop } from "../state.js";
import { objection } from "./fit.js";
import { spoken, TOKEN } from "./pieces.js";
import "../../virtual/texts.js";
import "../texts.js";

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
    const plain = held.patch === TOKEN || held.patch === "leather";
    const { lying } = held;
    return [
      !plain && act("turn", page.say("virtual.turn"), "R", () => hand.turn()),
      !plain && act("flip", page.say("virtual.flip"), "F", () => hand.flip()),
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
