/** Sections: which element of the page shows what, and on which part of the state it depends. */

import { fill } from "./dom.js";
import { tipsNeeds, tipsView } from "./teaching/room.js";
import { handView, joinView } from "./views/controls.js";
import { friendView } from "./views/friend.js";
import { tableOf } from "./views/page.js";
import { newsView, stripView } from "./views/story.js";
import { waitingView } from "./views/turn.js";

/**
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {import("./views/page.js").Page} Page
 *
 * @typedef {object} Section
 * @property {string} id  The id of the element that it fills.
 * @property {(state: PageState, page: Page) => (Node | null | false)[]} draw
 * @property {(snapshot: Snapshot, state: PageState) => unknown} needs  The section is redrawn when the JSON of this value changes.
 */

/** The sections of every game. @type {Section[]} */
export const COMMON = [
  { id: "news", draw: newsView, needs: (s) => [s.news, s.phase, tableOf(s)?.proposed] },
  { id: "friend", draw: friendView, needs: (s, { me, link }) => [s.friend, s.game?.decisions === 0, me, link === "over"] },
  { id: "strip", draw: stripView, needs: (_, { strip, loop }) => [strip, loop] },
  { id: "tips", draw: tipsView, needs: tipsNeeds },
  { id: "join", draw: joinView, needs: (_, { me }) => me.can_touch },
];

/** The table before a game starts. @type {import("./registry.js").Table} */
export const WAITING = {
  seats: () => [],
  sections: [
    { id: "turn", draw: waitingView, needs: (s, { me }) => [me, s.table.waiting_for, s.table.interrupted, s.friend] },
    { id: "hand", draw: (state, page) => handView(state, page), needs: (_, { me, link }) => [me, link === "over"] },
    ...COMMON,
  ],
};

/**
 * Return a function that redraws the changed sections, and hides elements that no section fills any more.
 *
 * @param {Page} page
 * @returns {(sections: Section[], state: PageState) => void}
 */
export function drawer(page) {
  /** @type {Map<string, string>} */
  const drawn = new Map();
  /** @type {Section[]} */
  let last = [];
  return (sections, state) => {
    if (sections !== last) {
      drawn.clear();
      for (const { id } of last) if (!sections.some((section) => section.id === id)) show(id, []);
      last = sections;
    }
    keepingFocus(() => drawAll(sections, state));
  };

  /**
   * @param {Section[]} sections
   * @param {PageState} state
   */
  function drawAll(sections, state) {
    for (const { id, draw, needs } of sections) {
      const needed = JSON.stringify(state.snapshot ? needs(state.snapshot, state) : [null, state.link]);
      if (drawn.get(id) === needed) continue;
      drawn.set(id, needed);
      show(id, draw(state, page));
    }
  }
}

/**
 * @param {string} id
 * @param {(Node | null | false)[]} content
 */
function show(id, content) {
  const element = /** @type {HTMLElement} */ (document.getElementById(id));
  element.hidden = !content.some(Boolean);
  fill(element, ...content);
}

// Keeps the keyboard focus on the page when the focused element is removed.

/** Where the focus goes: the buttons of a question or complaint when one appears, else the first visible match of `GOES_ON`. */
const DOUBTS = "#doubt button, #offers .option";
const GOES_ON = ['[data-key="confirm"]', "#doubt button", "#turn"];

/**
 * Draw, then move the focus if its element was removed: to the same button elsewhere, to the first answer of a new question,
 * or else to the confirm button.
 *
 * @param {() => void} draw
 */
function keepingFocus(draw) {
  const before = document.activeElement;
  const key = before?.closest(".game")?.id && before?.getAttribute("data-key");
  const had = before !== document.body && before?.closest(".game");
  const asked = document.querySelector(DOUBTS);
  draw();
  if (!had || (document.activeElement && document.activeElement !== document.body)) return;
  const same = key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  const question = asked ? null : document.querySelector(DOUBTS);
  const goal = [same, question, ...GOES_ON.map((selector) => document.querySelector(selector))].find(isSeen);
  if (!goal) return;
  if (!goal.matches("button, a, input, [tabindex]")) goal.setAttribute("tabindex", "-1");
  /** @type {HTMLElement} */ (goal).focus({ preventScroll: true });
}

/** @param {Element | null} element */
function isSeen(element) {
  return Boolean(element?.getClientRects().length);
}
