/** The choices of Patchwork's set-up: players and colours, the first player, the circle, the rules. */

import { html } from "../../dom.js";
import { seatIcon } from "../../icons.js";
import { ask } from "../../setup/asking.js";
import { group } from "../../setup/group.js";
import { codeField, whoPlays } from "../../setup/robot.js";
import { dealing } from "./dealing.js";
import "../../setup/texts.js";
import "./texts.js";

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {{players: string[], colours: string[], first_seat: number, edition: string, rules: string, circle: string, language: string | null, robot: import("../../setup/robot.js").Robot, friend: import("../../setup/robot.js").Friend}} Chosen
 * @typedef {import("../../setup/sheet.js").Offered & {next: Chosen, palette: {name: string, colour: string}[], editions: string[], rules: string[],
 *     circles: string[], levels?: string[], lies_there: boolean}} Offered
 */

/** The buttons more than the robot that the other player may begin with; below 0 the robot has more. */
const HANDICAPS = [15, 10, 7, 5, 3, 2, 0, -2, -3, -5, -7, -10];

/** The set-up of Patchwork. @type {import("../../registry.js").SetUp} */
export const setUp = {
  begin: ({ next }, page) => (page.state().snapshot?.patchwork?.result ? turnedRound(next) : { ...next }),
  fault: faultOf,
  choices: (chosen, offered, draw, page) => [...players(chosen, offered, draw, page), ...choices(chosen, offered, draw, page)],
  order: (chosen, rest, page) => ask("/api/setup/begin", page, { ...chosen, first_seat: chosen.first_seat || 1 + Math.floor(Math.random() * 2), market: null, ...rest }),
  // The friend's table has dealt the circle of a game that is joined.
  deals: (/** @type {Chosen} */ { circle, friend }, /** @type {Offered} */ { lies_there: lies }) => (friend ? !friend.code : circle === "dealt") && !lies,
  deal: dealing,
};

/**
 * Return the choices with the other player first, for a game after another.
 *
 * @param {Chosen} chosen
 */
function turnedRound(chosen) {
  return { ...chosen, first_seat: 3 - chosen.first_seat };
}

/**
 * @param {Chosen} chosen
 * @param {Page} page
 */
function faultOf({ players: names, robot, circle }, { say }) {
  if (robot && circle === "unknown") return say("setup.robot-circle");
  if (names.some((name) => !name.trim())) return say("setup.no-name");
  const [one, other] = names.map((name) => name.trim().toLocaleLowerCase());
  return one === other ? say("setup.same-name") : "";
}

/**
 * Return the fields of both players' names and colours.
 *
 * @param {Chosen} chosen
 * @param {Offered} offered
 * @param {() => void} draw
 * @param {Page} page
 */
function players(chosen, offered, draw, page) {
  const known = html("datalist", { id: "known-names" }, ...offered.names.map((name) => html("option", { value: name })));
  return [known, html("div.setup-players", {}, ...[0, 1].map((index) => player(index, chosen, offered, draw, page)))];
}

/**
 * @param {number} index
 * @param {Chosen} chosen
 * @param {Offered} offered
 * @param {() => void} draw
 * @param {Page} page
 */
function player(index, chosen, { palette, levels = [] }, draw, page) {
  const { say, language } = page;
  const seat = index + 1;
  const colour = palette.find(({ name }) => name === chosen.colours[index])?.colour ?? "";
  const label = say("setup.player", { seat });
  const isFriend = chosen.friend?.seat === seat;
  const write = (/** @type {Event} */ event) => {
    chosen.players[index] = /** @type {HTMLInputElement} */ (event.target).value;
    // Update only this label: a redraw would remove the other field, to which the user may be moving.
    const shown = card.closest("form")?.querySelector(`[data-key="first_seat-${seat}"] + span bdi`);
    if (shown) shown.textContent = chosen.players[index].trim() || label;
  };
  const swatches = palette.map(({ name, colour: shade }) => swatch({ index, name, shade }, chosen, draw, say));
  const card = html(
    "div.setup-player",
    { role: "group", "aria-labelledby": `setup-player-${seat}` },
    html("h3.setup-legend", { id: `setup-player-${seat}` }, seatIcon(seat), " ", label),
    isFriend ? null : html("input.setup-name", { value: chosen.players[index], "aria-label": say("setup.name", { player: label }), list: "known-names", maxlength: 40, required: true, autocomplete: "off", dir: "auto", lang: language.code, "data-key": `name-${seat}`, oninput: write }),
    levels.length ? whoPlays(index, chosen, levels, draw, page) : null,
    isFriend && chosen.friend ? codeField(chosen.friend, draw, page) : null,
    chosen.robot?.seat === seat ? handicap(chosen.robot, chosen.players, page) : null,
    html("div.swatches", { role: "radiogroup", "aria-label": say("setup.colour", { player: label }) }, ...swatches),
  );
  card.style.setProperty(`--seat-${seat}`, colour);
  card.style.setProperty("--mine", colour);
  return card;
}

/**
 * Return the choice of the buttons that one of the players begins with in addition.
 *
 * @param {NonNullable<import("../../setup/robot.js").Robot>} robot  Changed in place.
 * @param {string[]} names
 * @param {Page} page
 */
function handicap(robot, names, { say }) {
  const now = robot.handicap ?? 0;
  const choose = (/** @type {Event} */ event) => {
    robot.handicap = Number(/** @type {HTMLSelectElement} */ (event.target).value);
  };
  const more = [...new Set([...HANDICAPS, now])].sort((one, other) => other - one);
  const options = more.map((buttons) => {
    const seat = buttons > 0 ? 3 - robot.seat : robot.seat;
    const player = names[seat - 1].trim() || say("setup.player", { seat });
    const text = buttons ? say("setup.handicap-of", { player, count: Math.abs(buttons) }) : say("setup.handicap-none");
    return html("option", { value: buttons, selected: buttons === now }, text);
  });
  return html("select.language.setup-who", { "aria-label": say("setup.handicap"), "data-key": "handicap", onchange: choose }, ...options);
}

/**
 * Return the button of a colour. Taking the other player's colour swaps the two.
 *
 * @param {{index: number, name: string, shade: string}} which
 * @param {Chosen} chosen
 * @param {() => void} draw
 * @param {Page["say"]} say
 */
function swatch({ index, name, shade }, chosen, draw, say) {
  const take = () => {
    const [mine, others] = [chosen.colours[index], chosen.colours[1 - index]];
    chosen.colours[index] = name;
    if (others === name) chosen.colours[1 - index] = mine;
    draw();
  };
  const button = html("input.swatch", { type: "radio", name: `colour-${index}`, "data-key": `colour-${index}-${name}`, "aria-label": say(`colour.${name}`), title: say(`colour.${name}`), checked: chosen.colours[index] === name, onchange: take });
  button.style.setProperty("--shade", shade);
  return button;
}

/**
 * Return the choices of first player, circle, edition and rules.
 *
 * @param {Chosen} chosen
 * @param {Offered} offered
 * @param {() => void} draw
 * @param {Page} page
 */
function choices(chosen, offered, draw, page) {
  const { say } = page;
  const names = chosen.players.map((name, index) => name.trim() || say("setup.player", { seat: index + 1 }));
  const begins = [
    { value: 1, title: names[0] },
    { value: 2, title: names[1] },
    { value: 0, title: say("setup.by-lot") },
  ];
  const circles = offered.circles.map((value) => ({
    value,
    title: say(`circle.${value}`),
    says: value === "dealt" && offered.lies_there ? say("circle-says.virtual") : say(`circle-says.${value}`),
  }));
  const editions = offered.editions.map((value) => ({ value, title: say(`edition.${value}`), says: say(`edition-says.${value}`) }));
  const rules = offered.rules.map((value) => ({ value, title: say(`rules.${value}`), says: say(`rules-says.${value}`) }));
  if (chosen.friend?.code) return [];
  return [
    group("first_seat", say("setup.first"), begins, chosen, draw, say("setup.first-hint")),
    ...(chosen.friend ? [] : [group("circle", say("setup.circle"), circles, chosen, draw)]),
    html(
      "details.setup-more",
      { open: chosen.edition !== offered.editions[0] || chosen.rules !== offered.rules[0] },
      html("summary", {}, say("setup.more")),
      group("edition", say("setup.edition"), editions, chosen, draw),
      group("rules", say("setup.rules"), rules, chosen, draw),
    ),
  ];
}
