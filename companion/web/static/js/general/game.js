/**
 * The drawing of a game without a module of its own: players with their scores, whose turn it is, what the table says and
 * asks, grids of cells if the game has them, and the push-buttons.
 */

import { html } from "../dom.js";
import { part } from "../frame.js";
import { COMMON } from "../sections.js";
import { answered, handView, pushButtons, undoing } from "../views/controls.js";
import { canTouch } from "../views/page.js";
import { activity } from "../views/turn.js";

/**
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Snapshot} Snapshot
 * @typedef {import("../contract.js").PlainSeat} PlainSeat
 * @typedef {import("../contract.js").PlainGrid} PlainGrid
 * @typedef {import("../contract.js").PlainQuestion} PlainQuestion
 */

const SEATS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Return the parts of a game that has no module of its own.
 *
 * @param {string} name  The name of the game.
 * @returns {import("../registry.js").GameParts}
 */
export function partsOf(name) {
  return { open, setUp: async () => (await import("./setup.js")).setUpOf(name) };
}

/** @returns {Promise<import("../registry.js").Table>} */
async function open() {
  document.documentElement.dataset.plain = "";
  for (const number of SEATS) if (!document.getElementById(`seat-${number}`)) part("track-room").before(seatRoom(number));
  const over = (/** @type {PageState} */ { link }) => link === "over";
  const seats = SEATS.map((number) => ({
    id: `seat-${number}`,
    draw: seatView(number),
    needs: (/** @type {Snapshot} */ s) => [seatIn(s, number), s.result],
  }));
  return {
    seats: (snapshot) => seatsIn(snapshot).map((seat) => ({ ...seat, moves: seat.turn })),
    sections: [
      { id: "turn", draw: turnView, needs: (s) => [s.turn, s.phase, s.result, s.table, seatsIn(s).map(({ name }) => name)] },
      { id: "doubt", draw: doubtView, needs: (s, state) => [s.question, s.complaint, s.foreseen, state.me, over(state)] },
      ...seats,
      { id: "track", draw: tableView, needs: (s) => s.table_view?.grid },
      { id: "controls", draw: controlsView, needs: (s, state) => [s.phase, s.table_view?.actions, s.game, s.question, state.me, state.busy, state.said, over(state)] },
      { id: "hand", draw: (state, page) => handView(state, page), needs: (s, state) => [s.game, s.result, state.me, over(state)] },
      ...COMMON,
    ],
  };
}

/** @param {number} number */
function seatRoom(number) {
  const room = html("section.card.seat", { id: `seat-${number}`, "aria-labelledby": `seat-${number}-title`, hidden: true });
  room.style.setProperty("--seat", `var(--seat-${number})`);
  return room;
}

/**
 * @param {Snapshot | null} snapshot
 * @returns {PlainSeat[]}
 */
function seatsIn(snapshot) {
  return snapshot?.table_view?.seats ?? [];
}

/**
 * @param {Snapshot | null} snapshot
 * @param {number | null} number
 */
function seatIn(snapshot, number) {
  return seatsIn(snapshot).find(({ seat }) => seat === number);
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function turnView(state, page) {
  const { snapshot } = state;
  if (!snapshot) return [];
  const mover = seatIn(snapshot, snapshot.turn?.seat ?? null);
  const says = snapshot.result?.says ?? (mover ? page.say("turn.whose", { name: mover.name }) : (snapshot.game?.title ?? ""));
  const awaits = snapshot.table.waiting_for;
  return [
    html("div.turn-line", {}, html("h2.turn-name", { id: "turn-title", dir: "auto" }, says)),
    snapshot.turn?.says && !snapshot.result ? html("p.turn-why", { dir: "auto" }, snapshot.turn.says) : null,
    snapshot.result ? null : activity(snapshot, awaits === snapshot.turn?.says ? "" : awaits, page),
  ];
}

/**
 * Return the table's question, its complaint, or the decision that it is about to take.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function doubtView(state, page) {
  const { question, complaint, foreseen } = state.snapshot ?? {};
  if (question) return questionView(question, state, page);
  const says = complaint?.says ?? foreseen?.says;
  if (!says) return [];
  return [html(`h2.doubt-title.${complaint ? "complains" : "foresees"}`, { id: "doubt-title" }, page.say(complaint ? "complaint.title" : "foreseen.title")), html("p.doubt-says", { dir: "auto" }, says)];
}

/**
 * @param {PlainQuestion} question
 * @param {PageState} state
 * @param {Page} page
 */
function questionView({ says, options, choice }, state, page) {
  const may = canTouch(state, page);
  const items = options.map((option, index) => {
    const text = html("span.option-says", { dir: "auto" }, option.says);
    const attributes = { "aria-current": index === choice };
    if (!may) return html("li.option", attributes, text);
    return html("li", {}, html("button.option", { ...attributes, type: "button", "data-key": `option-${index}`, onclick: () => page.commands.answer(index) }, text));
  });
  return [
    html("h2.doubt-title.asks", { id: "doubt-title" }, page.say("question.title")),
    html("p.doubt-says", { dir: "auto" }, says),
    html("ul.options", {}, ...items),
    may && html("button.plain", { type: "button", "data-key": "none", onclick: () => page.commands.answer(null) }, page.say("question.none")),
    html("p.doubt-hint", {}, page.say("question.hint")),
  ];
}

/**
 * @param {number} number
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
function seatView(number) {
  return (state, page) => {
    const seat = seatIn(state.snapshot, number);
    if (!seat) return [];
    const result = /** @type {{winners?: number[]} | null | undefined} */ (state.snapshot?.result);
    const wins = result?.winners?.includes(number);
    return [
      html(
        "header.seat-head",
        {},
        html("h2.seat-name", { id: `seat-${number}-title` }, seat.name),
        html("span.seat-total", {}, page.language.digits(seat.score)),
        wins ? html("span.badge.turn-badge", {}, page.say("seat.wins")) : null,
        seat.turn && !result ? html("span.badge.turn-badge.moves", {}, page.say("seat.moves")) : null,
      ),
      seat.grid ? gridPicture(seat.grid, seat.name) : null,
    ];
  };
}

/**
 * @param {PlainGrid} grid
 * @param {string} label
 */
function gridPicture({ rows }, label) {
  const cells = rows.flat().map(({ text, colour }) => {
    const cell = html("span.plain-cell", { dir: "auto" }, text);
    if (colour) cell.style.setProperty("--cell", `var(--seat-${colour}, hsl(${(colour * 47) % 360} 45% 55%))`);
    return cell;
  });
  const grid = html("div.plain-grid", { role: "img", "aria-label": label, dir: "ltr" }, ...cells);
  grid.style.gridTemplateColumns = `repeat(${rows[0]?.length ?? 1}, 1fr)`;
  return grid;
}

/**
 * Return the grid of the common table, if the game has one.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function tableView({ snapshot }, { say }) {
  const grid = snapshot?.table_view?.grid;
  if (!grid) return [];
  const title = snapshot.game?.title ?? "";
  return [html("h2.spoken", { id: "track-title" }, title), gridPicture(grid, say("page.picture", { game: title }))];
}

/**
 * Return the push-buttons with what they do now. Those without an action of the game are disabled.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function controlsView(state, page) {
  const { snapshot } = state;
  if (!canTouch(state, page) || !snapshot?.game) return [];
  const undo = undoing(state, page);
  const named = { confirm: does("confirm", state, page), advance: does("advance", state, page), undo: does("undo", state, page) };
  if (snapshot.phase === "looking" || undo.idle) named.undo = undo;
  return [answered(state.said), pushButtons(named, state, page)];
}

/**
 * @param {"confirm" | "advance" | "undo"} press
 * @param {PageState} state
 * @param {Page} page
 * @returns {import("../views/controls.js").Push}
 */
function does(press, { snapshot }, { say }) {
  const action = snapshot?.table_view?.actions.find((each) => each.press === press);
  const says = action?.says ?? "";
  return { sense: says === say(`press.${press}`) ? "" : says, idle: !action };
}
