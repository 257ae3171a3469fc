/** The choices of Kvilt's set-up: two to four players, the first player, the bag, the variants. */

import { html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { group } from "../setup/group.js";
import { leave, whoPlays } from "../setup/robot.js";
import "../setup/texts.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{players: string[], first_seat: number, bag: string, variants: string[], robot: import("../setup/robot.js").Robot}} KviltChosen
 * @typedef {{next: KviltChosen, seats: number[], bags: string[], variants: string[], levels: string[]}} KviltOffered
 */

/** The set-up of Kvilt. @type {import("../registry.js").SetUp} */
export const setUp = {
  begin: ({ next }, page) => (page.state().snapshot?.kvilt?.result ? nextBegins(next) : { ...next }),
  fault,
  choices: (chosen, offered, draw, page) => choices(chosen, offered, offered.names, draw, page),
  order: (chosen, rest, page) => ask("/api/setup/begin-kvilt", page, { ...body(chosen), ...rest }),
};

/** The variant for four players only. */
const FOR_FOUR = "kviltomania";

/**
 * Return the choices with the next seat as first player, for a game after another.
 *
 * @param {KviltChosen} chosen
 * @returns {KviltChosen}
 */
function nextBegins(chosen) {
  return { ...chosen, first_seat: (chosen.first_seat % chosen.players.length) + 1 };
}

/**
 * Return what is wrong with the choice, or "".
 *
 * @param {KviltChosen} chosen
 * @param {Page} page
 */
function fault({ players }, { say }) {
  const names = players.map((name) => name.trim().toLocaleLowerCase());
  if (names.some((name) => !name)) return say("setup.no-names");
  return new Set(names).size < names.length ? say("setup.same-name") : "";
}

/**
 * Return the body to send. Lots for the first player are drawn here, and a variant for another number of players is left out.
 *
 * @param {KviltChosen} chosen
 */
function body({ players, first_seat, bag, variants, robot }) {
  const played = variants.filter((name) => name !== FOR_FOUR || players.length === 4);
  return { players, first_seat: first_seat || 1 + Math.floor(Math.random() * players.length), bag, variants: played, robot };
}

/**
 * @param {KviltChosen} chosen  Changed in place by the controls.
 * @param {KviltOffered} offered
 * @param {readonly string[]} names  The names of earlier players.
 * @param {() => void} draw
 * @param {Page} page
 */
function choices(chosen, offered, names, draw, page) {
  const { say } = page;
  const called = chosen.players.map((name, index) => name.trim() || say("setup.player", { seat: index + 1 }));
  const begins = [...called.map((title, index) => ({ value: index + 1, title })), { value: 0, title: say("setup.by-lot") }];
  const bags = offered.bags.map((value) => ({ value, title: say(`bag.${value}`), says: say(`bag-says.${value}`) }));
  return [
    seats(chosen, offered, names, draw, page),
    html("datalist", { id: "known-names" }, ...names.map((name) => html("option", { value: name }))),
    html("div.setup-players.of-kvilt", {}, ...chosen.players.map((_, index) => player(index, chosen, offered.levels, draw, page))),
    group("first_seat", say("setup.first"), begins, chosen, draw, say("setup.kvilt-first-hint")),
    group("bag", say("setup.bag"), bags, chosen, draw),
    variants(chosen, offered, draw, page),
  ];
}

/**
 * @param {KviltChosen} chosen
 * @param {KviltOffered} offered
 * @param {readonly string[]} names
 * @param {() => void} draw
 * @param {Page} page
 */
function seats(chosen, offered, names, draw, { say, language }) {
  const counted = { seats: chosen.players.length };
  const seat = () => {
    if ((chosen.robot?.seat ?? 0) > counted.seats) leave(chosen);
    chosen.players = seated(chosen.players, counted.seats, names);
    if (chosen.first_seat > counted.seats) chosen.first_seat = 1;
    draw();
  };
  return group("seats", say("setup.seats"), offered.seats.map((value) => ({ value, title: language.digits(value) })), counted, seat);
}

/**
 * @param {number} index
 * @param {KviltChosen} chosen
 * @param {readonly string[]} levels
 * @param {() => void} draw
 * @param {Page} page
 */
function player(index, chosen, levels, draw, page) {
  const { say, language } = page;
  const seat = index + 1;
  const label = say("setup.player", { seat });
  const write = (/** @type {Event} */ event) => {
    chosen.players[index] = /** @type {HTMLInputElement} */ (event.target).value;
    // Update only this label: a redraw would remove the next field, to which the user may be moving.
    const shown = card.closest("form")?.querySelector(`[data-key="first_seat-${seat}"] + span bdi`);
    if (shown) shown.textContent = chosen.players[index].trim() || label;
  };
  const card = html(
    "div.setup-player",
    { "data-seat": seat },
    html("input.setup-name", { value: chosen.players[index], "aria-label": say("setup.name", { player: label }), placeholder: label, list: "known-names", maxlength: 40, required: true, autocomplete: "off", dir: "auto", lang: language.code, "data-key": `name-${seat}`, oninput: write }),
    whoPlays(index, chosen, levels, draw, page),
  );
  return card;
}

/**
 * @param {KviltChosen} chosen
 * @param {KviltOffered} offered
 * @param {() => void} draw
 * @param {Page} page
 */
function variants(chosen, offered, draw, { say }) {
  const items = offered.variants.map((name) => {
    const cannot = name === FOR_FOUR && chosen.players.length !== 4;
    const take = (/** @type {Event} */ event) => {
      const others = chosen.variants.filter((one) => one !== name);
      chosen.variants = /** @type {HTMLInputElement} */ (event.target).checked ? [...others, name] : others;
      draw();
    };
    return html(
      "label.setup-option",
      {},
      html("input", { type: "checkbox", "data-key": `variant-${name}`, checked: chosen.variants.includes(name) && !cannot, disabled: cannot, onchange: take }),
      html("span.setup-option-title", {}, html("bdi", {}, say(`variant.${name}`))),
      html("span.setup-option-says", {}, say(`variant-says.${name}`)),
    );
  });
  return html("fieldset.setup-group", {}, html("legend.setup-legend", {}, say("setup.variants")), html("div.setup-options.said-more", {}, ...items));
}

/**
 * Return the names for `count` seats: the present players, then earlier players, then "".
 *
 * @param {readonly string[]} players
 * @param {number} count
 * @param {readonly string[]} names
 */
function seated(players, count, names) {
  const others = names.filter((name) => !players.includes(name));
  return Array.from({ length: count }, (_, index) => players[index] ?? others[index - players.length] ?? "");
}
