/** The module of Patchwork. */

import { html } from "../dom.js";
import { part } from "../frame.js";
import { seatIcon } from "../icons.js";
import { COMMON } from "../sections.js";
import { afterwards } from "../views/controls.js";
import { canTouch, nameOf } from "../views/page.js";
import { fetchBox } from "./box.js";
import { controlsView, moreView } from "./controls.js";
import { doubtView } from "./doubt.js";
import { hangCloth } from "./fabrics.js";
import { feelMoves } from "./feel.js";
import { offersView } from "./offers.js";
import { seatView } from "./seat.js";
import { isAsRecorded, own, tabletop } from "./state.js";
import "./texts.js";
import { trackView } from "./track.js";
import { moneyView, turnView } from "./turn.js";

/** The least width of a space of the time track that is readable, in CSS pixels. */
const SPACE_PX = 36;

/** The number of the track's spaces side by side; see `followRoom`. */
let columns = 9;

/**
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("../views/page.js").Page} Page
 */

/** The parts of Patchwork. @type {import("../registry.js").GameParts} */
export const game = {
  open,
  playVirtually: async (page) => (await import("./virtual/table.js")).open(page),
  dressVirtually: async (page) => (await import("./virtual/table.js")).dress(page),
  virtualKeys: ["take", "move", "turn", "flip", "other", "back", "lift"],
  replay: async (...asked) => (await import("./replaying.js")).replayView(...asked),
  picture: async (...asked) => (await import("./games/sharing.js")).sharePicture(...asked),
  thumbnail: async (position) => (await import("./games/thumbnail.js")).thumbnail(position),
  pictureSays: "share.alt",
  figures: async () => (await import("./games/statistics.js")).figures,
  teacher: async () => (await import("./teaching/lessons.js")).teacher,
  rules: async () => (await import("./teaching/rules.js")).rules,
  guide: async () => (await import("./teaching/guide.js")).guide,
  setUp: async () => (await import("./setup/choosing.js")).setUp,
};

/**
 * @param {Page} page
 * @returns {Promise<import("../registry.js").Table>}
 */
async function open(page) {
  hangCloth();
  followRoom(page);
  followCircle(page);
  feelMoves(page);
  return { sections: SECTIONS, seats: ({ patchwork }) => patchwork?.seats ?? [], complete: fetchBox(page) };
}

/** @typedef {import("../contract.js").Patchwork} Patchwork */

const tokens = (/** @type {Patchwork} */ { seats }) => seats.map(({ seat, name, time }) => [seat, name, time]);

/**
 * Return what a section needs of the table; nothing while another game, or none, is on it.
 *
 * @param {(table: Patchwork, snapshot: Snapshot, state: PageState) => unknown} needs
 * @returns {(snapshot: Snapshot, state: PageState) => unknown}
 */
function of(needs) {
  return (snapshot, state) => snapshot.patchwork && needs(snapshot.patchwork, snapshot, state);
}

const boxed = (/** @type {PageState} */ state) => Object.keys(own(state).box).length;

/** @type {import("../sections.js").Section[]} */
const SECTIONS = [
  { id: "turn", draw: turnView, needs: of((t, s, state) => [t.turn, s.game, s.phase, t.result, s.table.camera, s.table.awaited, s.table.waiting_for, s.friend?.wish, own(state).looking, tokens(t)]) },
  { id: "doubt", draw: doubtView, needs: of((t, _, state) => [t.question, t.complaint, t.foreseen, t.proposed, t.seats, isAsRecorded(state), state.me, boxed(state), state.link === "over"]) },
  { id: "money", draw: moneyView, needs: of((t) => [t.money, tokens(t)]) },
  { id: "offers", draw: offersView, needs: of((t, _, state) => [tabletop(state)?.circle, t.offers, t.circle, t.circle_hints, t.turn, t.seats.map(({ buttons, name }) => [buttons, name]), t.market_known, boxed(state)]) },
  { id: "result", draw: resultView, needs: of((t, _, { me, link }) => [t.result, tokens(t), me, link === "over"]) },
  { id: "seat-1", draw: seatView(1), needs: of((t, _, state) => seatNeeds(t, state, 1)) },
  { id: "seat-2", draw: seatView(2), needs: of((t, _, state) => seatNeeds(t, state, 2)) },
  { id: "track", draw: trackView(() => columns), needs: of((t) => [t.track, tokens(t), columns]) },
  { id: "controls", draw: controlsView, needs: of((t, s, { me, busy, said, link }) => [t.turn, t.turn.elsewhere && s.table.waiting_for, t.proposed, s.phase, s.game, t.question, t.complaint?.says, t.foreseen?.says, me, busy, said, link === "over"]) },
  { id: "hand", draw: moreView, needs: of((t, s, state) => [t.seats, t.turn, s.game, state.me, boxed(state), state.link === "over"]) },
  ...COMMON,
];

/**
 * @param {Patchwork} table
 * @param {PageState} state
 * @param {number} number
 */
function seatNeeds({ seats, question, complaint, foreseen, proposed, result }, state, number) {
  const mine = [question, complaint, foreseen, proposed].map((doubt) => (doubt?.seat === number ? doubt : null));
  // A complaint may be about the other player's quilt, which is marked then.
  if (complaint?.quilt === number) mine.push(complaint);
  return [seats.find(({ seat }) => seat === number), mine, result?.winner, boxed(state)];
}

/**
 * Set the track's columns from the width of its room. The width is read when it changes, not during drawing, because reading
 * it then would force a layout of everything drawn so far.
 *
 * @param {Page} page
 */
function followRoom(page) {
  const room = part("track-room");
  columns = columnsIn(room.clientWidth);
  new ResizeObserver(() => {
    const fits = columnsIn(room.clientWidth);
    if (fits === columns) return;
    columns = fits;
    page.store.set({});
  }).observe(room);
}

/**
 * Return a number of columns that gives full rows of the 54 spaces: 6 x 9, 3 x 18 or 2 x 27.
 *
 * @param {number} width  In CSS pixels.
 */
function columnsIn(width) {
  return [27, 18].find((count) => width >= count * SPACE_PX) ?? 9;
}

/**
 * Load the panel of the circle when it is needed. All readers see that the camera is looking; only those with the key see
 * what it has read, to confirm it.
 *
 * @param {Page} page
 */
function followCircle(page) {
  let opened = false;
  page.store.subscribe(async (state) => {
    const { looking, circle } = own(state);
    if (opened || !(looking || (circle && canTouch(state, page)))) return;
    opened = true;
    const { open: show } = await import("./circle/panel.js");
    await show(page);
  });
}

// The score sheet.

/**
 * Return the score sheet of a finished game, or nothing before the end.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function resultView(state, page) {
  const result = state.snapshot?.patchwork?.result;
  if (!result) return [];
  const heads = result.sheet.map(({ seat }) => html("th", { scope: "col" }, seatIcon(seat), nameOf(state, seat)));
  const rows = result.sheet[0].lines.map((line, index) => sheetRow(line.what, result, index, page));
  const totals = result.sheet.map(({ total, seat }) => html(`td${seat === result.winner ? ".winning" : ""}`, {}, page.language.digits(total)));
  return [
    html("h2.section-title", { id: "result-title" }, page.say("end.sheet")),
    html(
      "table.score-sheet",
      { "aria-labelledby": "result-title" },
      html("thead", {}, html("tr", {}, html("td"), ...heads)),
      html("tbody", {}, ...rows),
      html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, page.say("end.total")), ...totals)),
    ),
    ...afterwards(state, page),
  ];
}

/**
 * @param {string} what
 * @param {import("../contract.js").Result} result
 * @param {number} index
 * @param {Page} page
 */
function sheetRow(what, result, index, page) {
  const cells = result.sheet.map(({ lines }) => {
    const { count, points } = lines[index];
    const detail = what === "empty" ? html("span.sheet-detail", {}, page.say("end.times", { count })) : null;
    return html("td", {}, detail, " ", page.language.digits(points));
  });
  return html("tr", {}, html("th", { scope: "row" }, page.say(`end.${what}`)), ...cells);
}
