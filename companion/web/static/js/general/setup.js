/** The set-up of a game without a module of its own: the number of players and their names. */

import { html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { group } from "../setup/group.js";
import { seated } from "../setup/seated.js";
import "../setup/texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{players: string[]}} PlainChosen
 */

/**
 * Return the set-up of a game that has no module of its own.
 *
 * @param {string} game
 * @returns {import("../registry.js").SetUp}
 */
export function setUpOf(game) {
  return {
    begin: (offered) => ({ players: [...offered[game].next.players] }),
    fault,
    choices: (chosen, offered, draw, page) => choices(chosen, offered[game].seats, offered.names, draw, page),
    order: ({ players }, rest, page) => ask(`/api/setup/begin-${game}`, page, { players, ...rest }),
  };
}

/**
 * Return what is wrong with the choice, or "".
 *
 * @param {PlainChosen} chosen
 * @param {Page} page
 */
function fault({ players }, { say }) {
  const names = players.map((name) => name.trim().toLocaleLowerCase());
  if (names.some((name) => !name)) return say("setup.no-names");
  return new Set(names).size < names.length ? say("setup.same-name") : "";
}

/**
 * @param {PlainChosen} chosen  Changed in place by the controls.
 * @param {readonly number[]} seats  The possible numbers of players.
 * @param {readonly string[]} names  The names of earlier players.
 * @param {() => void} draw
 * @param {Page} page
 */
function choices(chosen, seats, names, draw, page) {
  const counted = { seats: chosen.players.length };
  const seat = () => {
    chosen.players = seated(chosen.players, counted.seats, names);
    draw();
  };
  const counts = seats.map((value) => ({ value, title: page.language.digits(value) }));
  return [
    ...(seats.length > 1 ? [group("seats", page.say("setup.seats"), counts, counted, seat)] : []),
    html("datalist", { id: "known-names" }, ...names.map((name) => html("option", { value: name }))),
    html("div.setup-players", {}, ...chosen.players.map((_, index) => player(index, chosen, page))),
  ];
}

/**
 * @param {number} index
 * @param {PlainChosen} chosen
 * @param {Page} page
 */
function player(index, chosen, { say, language }) {
  const seat = index + 1;
  const label = say("setup.player", { seat });
  const write = (/** @type {Event} */ event) => (chosen.players[index] = /** @type {HTMLInputElement} */ (event.target).value);
  return html(
    "div.setup-player",
    { "data-seat": seat },
    html("input.setup-name", { value: chosen.players[index], "aria-label": say("setup.name", { player: label }), placeholder: label, list: "known-names", maxlength: 40, required: true, autocomplete: "off", dir: "auto", lang: language.code, "data-key": `name-${seat}`, oninput: write }),
  );
}
