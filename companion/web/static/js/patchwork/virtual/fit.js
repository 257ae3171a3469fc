/** What the rules say about the piece in hand at its place. The player may still lay it there. */

import { svg } from "../../dom.js";
import { nameOf } from "../../views/page.js";
import { cellOf } from "../shapes.js";
import { seatOf } from "../state.js";
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
 * Return the squares under the piece that are covered already.
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
 * Return why the rules forbid the placement, as a sentence, or "" if they allow it.
 *
 * @param {Held} held
 * @param {readonly Cell[]} cells
 * @param {PageState} state
 * @param {Page} page
 */
export function objection(held, cells, state, { say }) {
  const { turn, offers = [], market_known: known } = state.snapshot?.patchwork ?? {};
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
 * Return marks over squares that are covered already.
 *
 * @param {readonly string[]} names
 * @returns {SVGElement[]}
 */
export function clashes(names) {
  return names.map(cellOf).map(({ row, column }) => svg("rect.v-clash", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, "aria-hidden": "true" }));
}
