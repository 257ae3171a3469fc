/** A game that has no module of its own: its sentences, and the three push-buttons. */

import { html } from "../dom.js";
import { COMMON } from "../sections.js";
import { answered, handView, pushButtons, undoing } from "../views/controls.js";
import { canPush } from "../views/page.js";
import { nowLine } from "../views/turn.js";
import "../texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 */

/** The parts of such a game. @type {import("../registry.js").GameParts} */
export const game = {
  open: async () => ({
    seats: () => [],
    sections: [
      { id: "turn", draw: turnView, needs: (s) => [s.phase, s.game, s.table, s.friend?.wish] },
      { id: "controls", draw: controlsView, needs: (s, { me, busy, said, link }) => [s.phase, s.game, me, busy, said, link === "over"] },
      { id: "hand", draw: (state, page) => handView(state, page), needs: (s, { me, link }) => [s.game, me, link === "over"] },
      ...COMMON,
    ],
  }),
};

/**
 * @param {PageState} state
 * @param {Page} page
 */
function turnView({ snapshot }, page) {
  if (!snapshot?.game) return [];
  return [
    html("div.turn-line", {}, html("h2.turn-name", { id: "turn-title", dir: "auto" }, snapshot.game.title)),
    snapshot.game.finished ? null : nowLine(snapshot, snapshot.table.waiting_for, page),
  ];
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function controlsView(state, page) {
  if (!canPush(state, page) || !state.snapshot?.game) return [];
  const press = { sense: "", idle: state.snapshot.game.finished };
  return [answered(state), pushButtons({ confirm: press, advance: press, undo: undoing(state, page) }, state, page)];
}
