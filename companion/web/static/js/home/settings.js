/** The family's settings, each written to the configuration's file as soon as it is changed. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import "../setup/texts.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{value: string | null, says: string}} Option
 * @typedef {string | boolean | string[] | null} Value
 * @typedef {{section: string, key: string, title: string, kind: "texts" | "text" | "switch" | "choice" | "colours", value: Value, options: Option[]}} Setting
 * @typedef {(value: Value) => Promise<void>} Change
 */

/** The drawn settings: the home is redrawn without losing what is being typed. @type {HTMLElement | null} */
let drawn = null;

/**
 * Return the settings, which are loaded when they are first opened.
 *
 * @param {Page} page
 */
export function settingsView(page) {
  if (drawn) return drawn;
  const room = html("div.home-settings-room");
  drawn = html("details.home-settings", { ontoggle: () => !room.childElementCount && load(room, page) }, html("summary", {}, page.say("home.settings")), room);
  return drawn;
}

/**
 * @param {HTMLElement} room
 * @param {Page} page
 */
async function load(room, page) {
  const answer = await ask("/api/settings", page);
  if (!answer.ok) return fill(room, html("p.refused", { role: "alert", dir: "auto" }, answer.error ?? ""));
  const rows = /** @type {Setting[]} */ (answer.settings).map((setting) => row(setting, page));
  fill(room, ...rows, html("p.home-where", { dir: "auto" }, page.say("home.settings-where", { file: `\u2068${answer.file}\u2069` })));
}

/**
 * @param {Setting} setting
 * @param {Page} page
 */
function row(setting, page) {
  const { section, key, title } = setting;
  const id = `setting-${section}-${key}`;
  const says = html("span.home-saved", { role: "status" });
  /** @type {Change} */
  const change = async (value) => {
    const answer = await ask("/api/settings", page, { section, key, value });
    says.classList.toggle("refused", !answer.ok);
    fill(says, answer.ok ? page.say("home.changed") : answer.error ?? "");
  };
  return html("div.home-setting", {}, html("span.home-setting-title", { id }, title), html("span.home-setting-controls", { role: "group", "aria-labelledby": id }, ...CONTROLS[setting.kind](setting, change, id, page)), says);
}

/** @type {Record<Setting["kind"], (setting: Setting, change: Change, id: string, page: Page) => Node[]>} */
const CONTROLS = {
  text: ({ value }, change, id) => [html("input.home-text", { type: "text", "aria-labelledby": id, value: String(value ?? ""), onchange: (/** @type {Event} */ event) => change(valueOf(event) || null) })],
  texts: ({ value }, change, _, page) => {
    const all = [.../** @type {string[]} */ (value)];
    return all.map((one, index) => html("input.home-text", { type: "text", "aria-label": page.say("setup.player", { seat: index + 1 }), value: one, maxlength: 40, onchange: (/** @type {Event} */ event) => ((all[index] = valueOf(event)), change(all)) }));
  },
  colours: ({ value, options }, change, _, page) => {
    const all = [.../** @type {string[]} */ (value)];
    const lists = all.map((one, index) => select(options, one, page.say("setup.player", { seat: index + 1 }), (chosen) => take(index, chosen ?? one)));
    /** Take a colour; the other player's is exchanged for it. @param {number} index @param {string} chosen */
    const take = (index, chosen) => {
      if (all[1 - index] === chosen) all[1 - index] = all[index];
      all[index] = chosen;
      for (const [at, list] of lists.entries()) list.value = all[at];
      return change(all);
    };
    return lists;
  },
  choice: ({ value, options, title }, change) => [select(options, /** @type {string | null} */ (value), title, change)],
  switch: ({ value, options, title }, change) => {
    const [off, on] = options.length ? options.map((option) => option.value) : [false, true];
    return [html("input.home-switch", { type: "checkbox", role: "switch", "aria-label": title, checked: value === on, onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked ? on : off) })];
  },
};

/** @param {Event} event */
function valueOf(event) {
  return /** @type {HTMLInputElement} */ (event.target).value.trim();
}

/**
 * @param {readonly Option[]} options
 * @param {string | null} chosen
 * @param {string} label
 * @param {(value: string | null) => void} change
 */
function select(options, chosen, label, change) {
  const items = options.map(({ value, says }) => html("option", { value: value ?? "", selected: value === chosen }, says));
  return /** @type {HTMLSelectElement} */ (html("select.language", { "aria-label": label, onchange: (/** @type {Event} */ event) => change(valueOf(event) || null) }, ...items));
}
