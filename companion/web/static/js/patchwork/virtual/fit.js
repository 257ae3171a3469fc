/** What the rules say of the piece in hand where it is held; nobody is kept from laying it there all the same. */

import { svg } from "../../dom.js";
import { nameOf, seatOf } from "../../views/page.js";
import { cellOf } from "../shapes.js";
import { squares, TOKEN } from "./pieces.js";
import "../../virtual/texts.js";
import "../texts.js";

const UNIT = 10;

/**
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("./hand.js").Held} Held
 * @typedef {import("../shapes.js").Cell} Cell
 */

/**
 * The squares under it that are covered already.
 *
 * @param {Held} held
 * @param {readonly Cell[]} cells
 * @param {PageState} state
 */
export function overlapped(held, cells, state) {
  const here = squares(cells, held.x, held.y);
  const lifted = [...(held.lying?.cells ?? [])].sort().join();
  const pieces = seatOf(state, held.seat)?.pieces.filter((piece) => [...piece.cells].sort().join() !== lifted) ?? [];
  const covered = new Set(pieces.flatMap((piece) => piece.cells));
  return here.filter((name) => covered.has(name));
}

/**
 * Why it may not be taken there, in a sentence; empty where it may.
 *
 * @param {Held} held
 * @param {readonly Cell[]} cells
 * @param {PageState} state
 * @param {Page} page
 */
export function objection(held, cells, state, { say }) {
  const { turn, offers = [], market_known: known } = state.snapshot ?? {};
  if (held.patch === TOKEN || held.lying || !turn?.seat) return "";
  if (held.seat !== turn.seat) return say("fit.other", { name: nameOf(state, turn.seat) });
  if ((turn.must === "leather") !== (held.patch === "leather")) return say(turn.must === "leather" ? "fit.leather" : "fit.no-leather");
  const offer = offers.find(({ patch }) => patch === held.patch);
  const short = offer ? offer.buttons - (seatOf(state, turn.seat)?.buttons ?? 0) : 0;
  if (known && !offer && held.patch !== "leather") return say("fit.later");
  if (short > 0) return say("offers.short", { count: short });
  const over = held.over ? overlapped(held, cells, state) : [];
  return over.length ? say("fit.covered", { cells: over.join(" ") }) : "";
}

/**
 * Marks over the squares that are covered already.
 *
 * @param {readonly string[]} names
 * @returns {SVGElement[]}
 */
export function clashes(names) {
  return names.map(cellOf).map(({ row, column }) => svg("rect.v-clash", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, "aria-hidden": "true" }));
}
