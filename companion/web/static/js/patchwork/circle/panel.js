/** The circle as the camera read it. Players tap a place to name its patch; the game may go on meanwhile. */

import { fill, html } from "../../dom.js";
import { part } from "../../frame.js";
import { buttonIcon, timeIcon } from "../../icons.js";
import { stylesheet } from "../../stylesheet.js";
import { canTouch } from "../../views/page.js";
import { amount } from "../offers.js";
import { patchPicture } from "../quilt.js";
import { toCell } from "../shapes.js";
import { own } from "../state.js";
import { circlePicture, closeup, wayPicture } from "./picture.js";
import "../texts.js";
import "./texts.js";

const LIKELY_SHOWN = 4;
const WAYS_SHOWN = 6;

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("./picture.js").SeenCircle} SeenCircle
 * @typedef {import("./picture.js").SeenPlace} SeenPlace
 * @typedef {import("./picture.js").UnclearStretch} UnclearStretch
 */

/**
 * Add the panel to the page.
 *
 * @param {Page} page
 */
export async function open(page) {
  const { store } = page;
  await stylesheet("/static/css/circle.css");
  const panel = new Panel(page);
  // After the push-buttons, so that those do not move during the game.
  part("controls").after(panel.card);
  store.subscribe((state) => panel.draw(state));
}

class Panel {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.card = html("section.card.seen-circle", { id: "circle", "aria-labelledby": "circle-title", hidden: true });
    /** The place that the user has tapped; null selects the next doubtful one. @type {number | null} */
    this.tapped = null;
    this.drawn = "";
    this.bar = /** @type {HTMLProgressElement} */ (html("progress", { "aria-label": page.say("seen.title"), max: 1 }));
  }

  /** @param {PageState} state */
  draw(state) {
    const { snapshot, busy } = state;
    const { circle, looking, share, box } = own(state);
    if (share !== null) this.bar.value = share;
    const ends = Boolean(snapshot?.game?.finished) || Boolean(circle?.known && snapshot?.game?.decisions);
    const shown = circle && canTouch(state, this.page) && !ends && Object.keys(box).length ? circle : null;
    const needed = JSON.stringify([shown, looking, busy, this.tapped]);
    if (needed === this.drawn) return;
    this.drawn = needed;
    this.card.hidden = !shown && !looking;
    if (shown) fill(this.card, ...this.content(shown, state));
    else if (looking) fill(this.card, ...this.wait());
  }

  /** Return the content while the camera is looking. */
  wait() {
    const { say } = this.page;
    return [
      html("h2.section-title", { id: "circle-title" }, say("seen.title")),
      html("p", { role: "status" }, say("seen.looking")),
      this.bar,
    ];
  }

  /**
   * @param {SeenCircle} circle
   * @param {PageState} state
   */
  content(circle, state) {
    const { say } = this.page;
    const title = html("h2.section-title", { id: "circle-title" }, say("seen.title"));
    const body = [this.says(circle), this.body(circle, state), this.foot(circle, state)];
    if (!circle.known) return [title, ...body];
    const isOpen = this.tapped !== null;
    return [html("details", { open: isOpen }, html("summary", { "data-key": "known" }, title, html("p", {}, say("seen.known"))), ...body)];
  }

  /** @param {SeenCircle} circle */
  says(circle) {
    const { say, language } = this.page;
    const doubts = doubtful(circle).length;
    const orders = circle.unclear.length;
    return html(
      "div.seen-says",
      {},
      orders ? html("p", {}, say("seen.orders", { count: orders })) : null,
      doubts ? html("p", {}, say("seen.doubts", { count: doubts })) : null,
      orders || doubts ? html("p", {}, say("seen.meanwhile")) : null,
      circle.missing.length ? html("p", {}, say("seen.missing", { count: circle.missing.length }), " ", names(circle.missing.map((patch) => say(`patch.${patch}`)), language.code)) : null,
      ...circle.notes.map((note) => html("p.doubt-hint", { dir: "auto" }, note)),
    );
  }

  /**
   * @param {SeenCircle} circle
   * @param {PageState} state
   */
  body(circle, state) {
    const tapped = circle.places.find((each) => each.place === this.tapped);
    const stretch = tapped ? undefined : circle.unclear[0];
    const place = tapped ?? (stretch ? undefined : doubtful(circle)[0]);
    const tap = (/** @type {number} */ number) => {
      this.tapped = number;
      this.draw(this.page.state());
    };
    return html("div.seen-body", {}, circlePicture(circle, place?.place ?? null, this.page, tap), stretch ? this.ways(stretch, circle, tap) : null, place ? this.asks(place, circle, state) : null);
  }

  /**
   * Ask which of the possible orders of a stretch is the real one.
   *
   * @param {UnclearStretch} stretch
   * @param {SeenCircle} circle
   * @param {(place: number) => void} tap
   */
  ways({ place, ways }, circle, tap) {
    const { say, language } = this.page;
    const called = (/** @type {number} */ number) => {
      const { patch } = circle.places[number - 1];
      return say(patch ? `patch.${patch}` : "seen.unnamed");
    };
    const choice = (/** @type {number[]} */ way, /** @type {number} */ number) =>
      html(
        "button.option",
        { type: "button", "data-key": `way-${place}-${number}`, onclick: () => this.tell("way", { place, way: number }) },
        wayPicture(circle, way, language),
        html("span.option-says", {}, names(way.map(called), language.code)),
      );
    return html(
      "div.seen-asks",
      { role: "group", "aria-labelledby": "seen-asks" },
      html("h3", { id: "seen-asks" }, say("seen.order-asks")),
      html("ul.seen-ways", {}, ...ways.slice(0, WAYS_SHOWN).map((way, number) => html("li", {}, choice(way, number)))),
      html("button.plain", { type: "button", "data-key": "no-way", onclick: () => tap(place) }, say("seen.no-way")),
    );
  }

  /**
   * @param {SeenPlace} place
   * @param {SeenCircle} circle
   * @param {PageState} state
   */
  asks(place, circle, state) {
    const { say, language } = this.page;
    const likely = [...new Set([place.patch, ...place.candidates])].filter((patch) => patch !== null).slice(0, LIKELY_SHOWN);
    const others = circle.missing.filter((patch) => !likely.includes(patch));
    const is = (/** @type {string | null} */ patch) => this.tell("place", { place: place.place, patch });
    return html(
      "div.seen-asks",
      { role: "group", "aria-labelledby": "seen-asks" },
      html("h3", { id: "seen-asks" }, say("seen.asks", { place: language.digits(place.ordinal) })),
      closeup(circle, place),
      place.whole ? null : html("p.doubt-hint", {}, say("seen.cut")),
      this.choices(likely, place.patch, is, state),
      others.length ? html("details", {}, html("summary", {}, say("seen.others")), this.choices(others, null, is, state)) : null,
      html("button.plain", { type: "button", "data-key": "no-patch", onclick: () => is(null) }, say("seen.none")),
      circle.missing.length ? this.behind(place, circle, state) : null,
    );
  }

  /**
   * @param {SeenPlace} place
   * @param {SeenCircle} circle
   * @param {PageState} state
   */
  behind(place, circle, state) {
    const lies = (/** @type {string} */ patch) => this.tell("behind", { place: place.place, patch });
    return html("details", {}, html("summary", {}, this.page.say("seen.behind")), this.choices(circle.missing, null, lies, state));
  }

  /**
   * @param {readonly string[]} patches
   * @param {string | null} shown
   * @param {(patch: string) => void} take
   * @param {PageState} state
   */
  choices(patches, shown, take, state) {
    const { box } = own(state);
    const { say, language } = this.page;
    const choice = (/** @type {string} */ patch) => {
      const { cells, income, buttons, time } = box[patch];
      return html(
        "button.option",
        { type: "button", "data-key": `patch-${patch}`, "aria-pressed": patch === shown, onclick: () => take(patch) },
        patchPicture(patch, cells.map(toCell), income),
        html("span.option-says", {}, say(`patch.${patch}`)),
        html(
          "span.seen-price",
          {},
          amount(buttonIcon(), language.digits(buttons), say("offers.cost", { count: buttons })),
          amount(timeIcon(), language.digits(time), say("offers.time", { count: time })),
        ),
      );
    };
    return html("ul.seen-choices", {}, ...patches.map((patch) => html("li", {}, choice(patch))));
  }

  /**
   * @param {SeenCircle} circle
   * @param {PageState} state
   */
  foot(circle, { busy }) {
    if (circle.known) return null;
    const ready = !circle.missing.length && circle.places.every(({ standing, patch }) => patch || standing !== "doubtful");
    const right = () => ready && !busy && this.tell("right", { place: null });
    return html(
      "div.seen-foot",
      {},
      html("button.push.push-confirm", { type: "button", "data-key": "right", "aria-disabled": !ready, "aria-busy": busy === "circle", onclick: right }, html("span.push-name", {}, this.page.say("seen.right"))),
      ready ? null : html("p.doubt-hint", {}, this.page.say("seen.wait")),
    );
  }

  /**
   * @param {"place" | "right" | "behind" | "way"} what
   * @param {object} body
   */
  async tell(what, body) {
    const answer = await this.page.commands.circle(what, body);
    if (answer.ok) this.tapped = null;
    this.draw(this.page.state());
  }
}

/**
 * Return the places whose patch is doubtful. Those of a stretch with unclear order wait until the order is known.
 *
 * @param {SeenCircle} circle
 */
function doubtful({ places, unclear }) {
  const later = new Set(unclear.flatMap(({ ways: [way] }) => way));
  return places.filter(({ place, standing }) => standing === "doubtful" && !later.has(place));
}

/**
 * @param {readonly string[]} patches
 * @param {string} language
 */
function names(patches, language) {
  return html("bdi", {}, new Intl.ListFormat(language, { type: "unit" }).format(patches));
}
