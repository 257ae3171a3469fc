/** The choice of who plays a seat: a person here, the robot at one of its levels, or a friend at another table. */

import { html } from "../dom.js";
import "./texts.js";

/**
 * @typedef {{seat: number, level: string, handicap?: number} | null} Robot
 * @typedef {{seat: number, code: string} | null} Friend  `code`: that of the friend's table, "" to begin a game here.
 * @typedef {{players: string[], robot: Robot, friend?: Friend}} Chosen
 */

/** The value of the option for a friend, beside those of the robot's levels. */
const FRIEND = "friend";
/** The name that a person had at a seat before the partner. @type {Map<number, string>} */
const before = new Map();

/**
 * Return the choice of who plays a seat. There is one partner: choosing one for another seat takes the first away.
 *
 * @param {number} index  From 0.
 * @param {Chosen} chosen  Changed in place.
 * @param {readonly string[]} levels
 * @param {() => void} draw
 * @param {import("../views/page.js").Page} page
 */
export function whoPlays(index, chosen, levels, draw, { say }) {
  const seat = index + 1;
  const now = chosen.friend?.seat === seat ? FRIEND : chosen.robot?.seat === seat ? chosen.robot.level : "";
  const choose = (/** @type {Event} */ event) => {
    const who = /** @type {HTMLSelectElement} */ (event.target).value;
    const { robot, friend } = chosen;
    leave(chosen);
    if (who) {
      before.set(index, chosen.players[index]);
      chosen.players[index] = say(who === FRIEND ? "setup.friend" : "setup.robot");
      if (who === FRIEND) chosen.friend = { code: "", ...friend, seat };
      else chosen.robot = { ...robot, seat, level: who };
    }
    draw();
  };
  const options = [
    ["", say("setup.person")],
    ...(chosen.friend === undefined ? [] : [[FRIEND, say("setup.friend-far")]]),
    ...levels.map((level) => [level, say("setup.robot-level", { level: say(`level.${level}`) })]),
  ].map(([value, text]) => html("option", { value, selected: value === now }, text));
  return html("select.language.setup-who", { "aria-label": say("setup.who", { player: say("setup.player", { seat }) }), "data-key": `who-${seat}`, onchange: choose }, ...options);
}

/**
 * Take the partner from the table, and give the seat back to the person who had it.
 *
 * @param {Chosen} chosen
 */
export function leave(chosen) {
  const index = (chosen.robot?.seat ?? chosen.friend?.seat ?? 0) - 1;
  if (index >= 0 && index < chosen.players.length) chosen.players[index] = before.get(index) ?? "";
  chosen.robot = null;
  if (chosen.friend) chosen.friend = null;
}

/**
 * Return the field for the code that the friend's table shows.
 *
 * @param {NonNullable<Friend>} friend  Changed in place.
 * @param {() => void} draw  Called when a code is begun or removed: a game that is joined leaves nothing else to choose.
 * @param {import("../views/page.js").Page} page
 */
export function codeField(friend, draw, { say }) {
  const write = (/** @type {Event} */ event) => {
    const had = Boolean(friend.code);
    friend.code = /** @type {HTMLInputElement} */ (event.target).value.trim();
    if (had !== Boolean(friend.code)) draw();
  };
  return html(
    "label.setup-code",
    {},
    html("span", {}, say("setup.code")),
    html("input.setup-name", { value: friend.code, maxlength: 20, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", dir: "ltr", placeholder: "KQ7X-M4PD", "data-key": "code", "data-typing": true, oninput: write }),
    html("span.setup-hint", {}, say(friend.code ? "setup.joins" : "setup.code-hint")),
  );
}
