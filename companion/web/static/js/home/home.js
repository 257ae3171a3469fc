/** The home: what can be done, the last game, the settings; and the way back to it from a game. */

import { asked } from "../commands.js";
import { fill, html } from "../dom.js";
import { part } from "../frame.js";
import { COMMON } from "../sections.js";
import { ask } from "../setup/asking.js";
import "../setup/texts.js";
import { stylesheet } from "../stylesheet.js";
import { link } from "../views/controls.js";
import { closeSheets } from "../views/dialog.js";
import { canTouch } from "../views/page.js";
import { pictureOf } from "./pictures.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {{name: string, title: string, says: string, needs_camera: boolean, starts_by_itself: boolean, address: string}} Entry
 * @typedef {{room: string, fault: string, entries: Entry[], last: {game: string, players: string[], decisions: number} | null, begins_in_s: number | null}} Home
 */

/** The game's entry that goes on with the last game. */
const LAST = "last";

/** The drawing while no room is open. @type {import("../registry.js").Table} */
export const LOBBY = {
  seats: () => [],
  sections: [
    { id: "home", draw: homeView, needs: (s, state) => [state.home, state.me, s.table.waiting_for, state.busy] },
    { id: "hand", draw: (_, page) => [link("invite", page.say("hand.invite"), () => page.openSheet("invite"))], needs: () => 0 },
    ...COMMON,
  ],
};

/**
 * Follow the home, and offer the way back to it.
 *
 * @param {Page} page
 */
export async function open(page) {
  const address = `/api/home?language=${page.language.code}`;
  /** @type {[Home | null, unknown]} */
  const [home] = await Promise.all([asked(address), stylesheet("/static/css/home.css")]);
  if (!home) return;
  page.store.set({ home });
  let last = "open";
  page.store.subscribe(({ link }) => {
    // A room that could not be opened has led back here.
    if (link === "open" && last !== "open") asked(address).then((home) => home && page.store.set({ busy: null, home }));
    last = link;
  });
  if (home.room) offerBack(page);
  else if (home.begins_in_s !== null) countDown(home.begins_in_s, page);
}

/** @param {Page} page */
function offerBack(page) {
  const back = () => {
    const { game } = page.state().snapshot ?? {};
    const isPlayed = page.state().me.sets_up && game?.decisions && !game.finished;
    if (!isPlayed || confirm(page.say("home.leave"))) ask("/api/home/leave", page, {});
  };
  part("settings").prepend(html("button.plain.home-back", { type: "button", "data-key": "home", onclick: back }, page.say("home.back")));
}

/**
 * Count down until the demo starts by itself; anything that is done on the page stops it.
 *
 * @param {number} rest_s
 * @param {Page} page
 */
function countDown(rest_s, page) {
  const ends = Date.now() + 1000 * rest_s;
  const tick = () => {
    const left = Math.ceil((ends - Date.now()) / 1000);
    const says = document.querySelector(".home-begins span");
    if (says && left >= 0) says.textContent = page.say("home.begins", { count: left });
  };
  const timer = setInterval(tick, 500);
  const stay = () => {
    clearInterval(timer);
    for (const kind of KINDS) document.removeEventListener(kind, stay);
    // Not drawn anew: what is pressed has to be there, and at its place, when it is released.
    /** @type {Home} */ (page.state().home).begins_in_s = null;
    document.querySelector(".home-begins")?.classList.add("over");
    ask("/api/home/stay", page, {});
  };
  for (const kind of KINDS) document.addEventListener(kind, stay);
}

const KINDS = ["pointerdown", "keydown", "wheel"];

/**
 * @param {PageState} state
 * @param {Page} page
 */
function homeView(state, page) {
  const { say } = page;
  const home = /** @type {Home | null} */ (state.home);
  if (!home || !canTouch(state, page)) return [html("h2.home-title", { id: "home-title" }, say("turn.nobody")), html("p", {}, say("turn.wait"))];
  const { last } = home;
  const goOn = last && { name: LAST, title: say("home.last"), says: say("home.last-says", { game: page.games.titleOf(last.game), players: last.players.join(say("list.comma")), count: last.decisions }), needs_camera: false, starts_by_itself: false, address: "" };
  const cards = [...(goOn ? [goOn] : []), ...home.entries].map((entry) => card(entry, state, page));
  return [
    html("h2.home-title", { id: "home-title" }, say("home.title")),
    home.fault ? html("p.home-fault.refused", { role: "alert", dir: "auto" }, home.fault) : null,
    html("ul.home-entries", {}, ...cards),
    home.begins_in_s === null ? null : html("p.home-begins", { role: "status" }, html("span", {}, say("home.begins", { count: Math.ceil(home.begins_in_s) })), " ", html("button.plain", { type: "button", "data-key": "stay" }, say("home.stay"))),
    settingsView(page),
  ];
}

/**
 * @param {Entry} entry
 * @param {PageState} state
 * @param {Page} page
 */
function card(entry, { busy }, page) {
  const { name, title, says, address } = entry;
  const content = [pictureOf(name), html("span.home-name", {}, title), html("span.home-says", {}, busy === name ? page.say("home.opening") : says)];
  if (address) return html("li", {}, html("a.home-entry", { href: address, "data-key": `home-${name}` }, ...content));
  return html("li", {}, html("button.home-entry", { type: "button", "data-key": `home-${name}`, "aria-busy": busy === name || null, onclick: () => choose(entry, page) }, ...content));
}

/**
 * @param {Entry} entry
 * @param {Page} page
 */
async function choose(entry, page) {
  if (page.state().busy) return;
  if (entry.needs_camera) {
    const { openSheet } = await import("./camera.js");
    return openSheet(page, async () => {
      await closeSheets();
      history.replaceState(null, "", "#guide");
      enter(entry.name, page);
    });
  }
  await enter(entry.name, page);
}

/**
 * Open a room; the page reloads when it is open.
 *
 * @param {string} name
 * @param {Page} page
 */
export async function enter(name, page) {
  page.store.set({ busy: name });
  const answer = await ask("/api/home/choose", page, { entry: name });
  if (answer.ok) return;
  page.store.set({ busy: null });
  change({ fault: answer.error ?? "" }, page);
}

/** @param {Partial<Home>} changed @param {Page} page */
function change(changed, { state, store }) {
  store.set({ home: /** @type {Home} */ ({ ...state().home, ...changed }) });
}

// The family's settings, each written to the configuration's file as soon as it is changed.

/**
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
function settingsView(page) {
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
    return [html("label.home-switch-room", {}, html("input.home-switch", { type: "checkbox", role: "switch", "aria-label": title, checked: value === on, onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked ? on : off) }))];
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
