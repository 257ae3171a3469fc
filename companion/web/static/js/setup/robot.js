/** The choice of who plays a seat: a person, or the robot at one of its levels. */

import { html } from "../dom.js";
import "./texts.js";

/**
 * @typedef {{seat: number, level: string, handicap?: number} | null} Robot
 * @typedef {{players: string[], robot: Robot}} Chosen
 */

/** The name that a person had at a seat before the robot. @type {Map<number, string>} */
const before = new Map();

/**
 * Return the choice of who plays a seat. There is one robot: choosing it for another seat takes it from the first.
 *
 * @param {number} index  From 0.
 * @param {Chosen} chosen  Changed in place.
 * @param {readonly string[]} levels
 * @param {() => void} draw
 * @param {import("../views/page.js").Page} page
 */
export function whoPlays(index, chosen, levels, draw, { say }) {
  const seat = index + 1;
  const now = chosen.robot?.seat === seat ? chosen.robot.level : "";
  const choose = (/** @type {Event} */ event) => {
    const level = /** @type {HTMLSelectElement} */ (event.target).value;
    const earlier = chosen.robot;
    leave(chosen, say("setup.robot"));
    if (level) {
      chosen.robot = { ...earlier, seat, level };
      before.set(index, chosen.players[index]);
      chosen.players[index] = say("setup.robot");
    }
    draw();
  };
  const options = levels.map((level) => html("option", { value: level, selected: level === now }, say("setup.robot-level", { level: say(`level.${level}`) })));
  return html("select.language.setup-who", { "aria-label": say("setup.who", { player: say("setup.player", { seat }) }), "data-key": `who-${seat}`, onchange: choose }, html("option", { value: "", selected: !now }, say("setup.person")), ...options);
}

/**
 * Take the robot from the table, and give its seat back to the person who had it.
 *
 * @param {Chosen} chosen
 * @param {string} name  The robot's.
 */
export function leave(chosen, name) {
  const index = (chosen.robot?.seat ?? 0) - 1;
  if (index >= 0 && chosen.players[index] === name) chosen.players[index] = before.get(index) ?? "";
  chosen.robot = null;
}
