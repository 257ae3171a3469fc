/** Which part of the page shows what, and what of the state it depends on. */

import { fill } from "./dom.js";
import { controlsView, handView } from "./views/controls.js";
import { doubtView } from "./views/doubt.js";
import { joinView } from "./views/joining.js";
import { moneyView } from "./views/money.js";
import { offersView } from "./views/offers.js";
import { seatView } from "./views/seat.js";
import { newsView, resultView, stripView, trackView } from "./views/story.js";
import { turnView } from "./views/turn.js";

/**
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {import("./views/page.js").Page} Page
 *
 * @typedef {object} Section
 * @property {string} id  Of the element that it fills.
 * @property {(state: PageState, page: Page) => (Node | null | false)[]} draw
 * @property {(snapshot: Snapshot, state: PageState) => unknown} needs  A change of this makes it draw again.
 */

/**
 * @param {() => number} columns
 * @returns {Section[]}
 */
export function sections(columns) {
  const tokens = (/** @type {Snapshot} */ snapshot) => snapshot.seats.map(({ seat, name, time }) => [seat, name, time]);
  return [
    { id: "turn", draw: turnView, needs: (s, { me, looking }) => [s.game ? null : me, s.turn, s.game, s.phase, s.result, s.table.camera, s.table.waiting_for, looking, tokens(s)] },
    { id: "doubt", draw: doubtView, needs: (s, { me, link }) => [s.question, s.complaint, s.foreseen, s.seats, me, link === "over"] },
    { id: "money", draw: moneyView, needs: (s) => [s.money, tokens(s)] },
    { id: "offers", draw: offersView, needs: (s, { box }) => [s.offers, s.circle, s.turn, s.seats.map(({ buttons, name }) => [buttons, name]), s.market_known, Object.keys(box)] },
    { id: "result", draw: resultView, needs: (s, { me, link }) => [s.result, tokens(s), me, link === "over"] },
    { id: "seat-1", draw: seatView(1), needs: (s, state) => seatNeeds(s, state, 1) },
    { id: "seat-2", draw: seatView(2), needs: (s, state) => seatNeeds(s, state, 2) },
    { id: "track", draw: trackView(columns), needs: (s) => [s.track, tokens(s), columns()] },
    { id: "news", draw: newsView, needs: (s) => s.news },
    { id: "strip", draw: stripView, needs: (_, { strip }) => strip },
    { id: "controls", draw: controlsView, needs: (s, { me, busy, said, link }) => [s.turn, s.phase, s.game, me, busy, said, link === "over"] },
    { id: "hand", draw: handView, needs: (s, { me, box, link }) => [s.seats, s.turn, s.game, me, Object.keys(box), link === "over"] },
    { id: "join", draw: joinView, needs: (_, { me }) => me },
  ];
}

/**
 * @param {Snapshot} snapshot
 * @param {PageState} state
 * @param {number} number
 */
function seatNeeds({ seats, question, complaint, foreseen, result }, { box }, number) {
  const mine = [question, complaint, foreseen].map((doubt) => (doubt?.seat === number ? doubt : null));
  return [seats.find(({ seat }) => seat === number), mine, result?.winner, Object.keys(box).length];
}

/**
 * Draw what has changed since the last time.
 *
 * @param {Section[]} parts
 * @param {Page} page
 * @returns {(state: PageState) => void}
 */
export function drawer(parts, page) {
  /** @type {Map<string, string>} */
  const drawn = new Map();
  return (state) => {
    for (const { id, draw, needs } of parts) {
      const needed = JSON.stringify(state.snapshot ? needs(state.snapshot, state) : [null]);
      if (drawn.get(id) === needed) continue;
      drawn.set(id, needed);
      const content = draw(state, page).filter(Boolean);
      const element = /** @type {HTMLElement} */ (document.getElementById(id));
      element.hidden = content.length === 0;
      fill(element, ...content);
    }
  };
}
