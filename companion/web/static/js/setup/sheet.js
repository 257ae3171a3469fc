/** The set-up sheet: the game, its own choices, the language, and unfinished games to resume. */

import { fill, html } from "../dom.js";
import { LANGUAGES } from "../language.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "../views/dialog.js";
import { withCodes } from "../views/story.js";
import { ask } from "./asking.js";
import { group } from "./group.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../registry.js").SetUp} SetUp
 * @typedef {{game: string, language: string | null, chosen: Record<string, any>}} Wish  The choices of every game; those of `game` are shown.
 * @typedef {{id: number, game: string, players: string[], decisions: number, last_at: string}} Earlier
 * @typedef {{game: string, titles: Record<string, string>, language: string | null, under_way: boolean, games: Earlier[], names: string[]}} Offered  Besides, each game's own options, under its name.
 * @typedef {Record<string, SetUp>} SetUps  Set-ups by game.
 */

const BEGUN = "begun";

/** The progress message of each element while a game is being started, kept so that it survives redrawing. @type {WeakMap<Element, HTMLElement>} */
const busyIn = new WeakMap();

/**
 * Open the sheet to start or resume a game.
 *
 * @param {Page} page
 * @param {import("../views/page.js").Opening} [how]  `then` is called when a game has started.
 */
export async function openSheet(page, { then } = {}) {
  const room = html("div.setup", {}, html("p", { role: "status" }, page.say("setup.loading")));
  const sheet = showSheet(page, page.say("setup.title"), room);
  sheet.classList.add("wide");
  // The return value says that the sheet was closed because a game has started.
  sheet.addEventListener("close", () => {
    leave();
    if (sheet.returnValue !== BEGUN) return;
    // The button that opened the sheet is at the page's end.
    scrollTo(0, 0);
    then?.();
  });
  const before = page.state().snapshot?.game?.id;
  // Also if the game was begun elsewhere: by another phone, or at the terminal.
  const leave = page.store.subscribe(({ snapshot }) => snapshot?.game?.id !== before && sheet.open && sheet.close(BEGUN));
  const [answer] = await Promise.all([ask("/api/setup", page), ...["setup", "games"].map((name) => stylesheet(`/static/css/${name}.css`))]);
  if (!answer.ok) return fill(room, refusal(answer.error));
  const offered = /** @type {Offered} */ (/** @type {unknown} */ (answer));
  const setUps = await setUpsOf(Object.keys(offered.titles), page);
  const chosen = Object.fromEntries(Object.entries(setUps).map(([name, { begin }]) => [name, begin(optionsOf(name, offered), page)]));
  form({ game: offered.game, language: offered.language, chosen }, setUps, offered, room, sheet, page);
}

/**
 * Return a game's own options, together with those of all games.
 *
 * @param {string} name
 * @param {Offered} offered
 */
function optionsOf(name, offered) {
  return { ...offered, .../** @type {any} */ (offered)[name] };
}

/**
 * @param {readonly string[]} names  The games that can be started.
 * @param {Page} page
 * @returns {Promise<SetUps>}
 */
async function setUpsOf(names, { games }) {
  const found = await Promise.all(names.map(async (name) => [name, await (await games.partsOf(name)).setUp?.()]));
  return Object.fromEntries(found.filter(([, setUp]) => setUp));
}

/**
 * @param {Wish} wish  Changed in place by the controls.
 * @param {SetUps} setUps
 * @param {Offered} offered
 * @param {HTMLElement} room
 * @param {HTMLDialogElement} sheet
 * @param {Page} page
 */
function form(wish, setUps, offered, room, sheet, page) {
  const setUp = setUps[wish.game];
  const chosen = wish.chosen[wish.game];
  const options = optionsOf(wish.game, offered);
  const deals = Boolean(setUp.deals?.(chosen, options));
  const refused = html("p.refused", { role: "alert" });
  const draw = () => form(wish, setUps, offered, room, sheet, page);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fault = setUp.fault(chosen, page);
    if (fault) return fill(refused, fault);
    if (deals) return setUp.deal?.(room, page, draw, (more) => begin(more, room));
    await begin({}, refused);
  };
  /** @param {object} more @param {Element} says */
  async function begin(more, says) {
    fill(says);
    const rest = { language: wish.language, leave: offered.under_way, ...more };
    const answer = await laying(room, page, () => setUp.order(chosen, rest, page));
    if (!answer) return;
    if (answer.ok) sheet.close(BEGUN);
    // The form may have been redrawn during the request.
    else fill((says.isConnected ? says : room.querySelector(".setup-form .refused")) ?? room, ...withCodes(answer.error ?? ""));
  }
  const arranged = html(
    "form.setup-form",
    { onsubmit: submit, novalidate: true },
    whichGame(wish, Object.keys(setUps), offered, draw, page),
    ...setUp.choices(chosen, options, draw, page),
    languageChoice(wish, page),
    offered.under_way && html("p.setup-leaves", {}, page.say("setup.leaves")),
    refused,
    html("button.push.push-confirm", { type: "submit", "data-key": "begin" }, html("span.push-name", {}, page.say(deals ? "setup.deal" : chosen.friend?.code ? "setup.join" : "setup.begin"))),
  );
  const left = earlier(offered, room, sheet, page);
  // Most players come back to go on; in the middle of a game they come for another one.
  fill(room, ...(offered.under_way ? [arranged, left] : [left, arranged]), busyIn.get(room));
}

/**
 * @param {Wish} wish
 * @param {readonly string[]} names
 * @param {Offered} offered
 * @param {() => void} draw
 * @param {Page} page
 */
function whichGame(wish, names, { titles }, draw, { say, language }) {
  const options = names.map((value) => ({ value, title: titles[value], says: language.knows(`game-says.${value}`) ? say(`game-says.${value}`) : "" }));
  return group("game", say("setup.game"), options, wish, draw);
}

/**
 * Start a game and show progress, because opening a camera takes seconds. Returns null if a request is already running.
 *
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => Promise<import("./asking.js").Answer>} order
 */
async function laying(room, { say }, order) {
  if (busyIn.has(room)) return null;
  const busy = html("p.setup-busy", { role: "status" }, html("progress", { "aria-label": say("setup.laying") }), say("setup.laying"));
  busyIn.set(room, busy);
  room.append(busy);
  busy.scrollIntoView({ block: "nearest" });
  const answer = await order();
  busyIn.delete(room);
  busy.remove();
  return answer;
}

/**
 * @param {Wish} chosen
 * @param {Page} page
 */
function languageChoice(chosen, { say }) {
  const options = LANGUAGES.map(({ code, name }) => html("option", { value: code, lang: code, selected: code === chosen.language }, name));
  const choose = (/** @type {Event} */ event) => (chosen.language = /** @type {HTMLSelectElement} */ (event.target).value || null);
  return html(
    "p.setup-language",
    {},
    html("label", { for: "setup-language" }, say("setup.language")),
    html("select.language", { id: "setup-language", onchange: choose }, html("option", { value: "" }, say("setup.language-own")), ...options),
  );
}

/**
 * Return the list of unfinished games to resume.
 *
 * @param {Offered} offered
 * @param {HTMLElement} room
 * @param {HTMLDialogElement} sheet
 * @param {Page} page
 */
function earlier({ games, under_way: leave }, room, sheet, page) {
  if (!games.length) return null;
  const refused = html("p.refused", { role: "alert" });
  const goOn = async (/** @type {number} */ game) => {
    fill(refused);
    const answer = await laying(room, page, () => ask("/api/setup/resume", page, { game, leave }));
    if (!answer) return;
    if (answer.ok) sheet.close(BEGUN);
    else fill(refused, answer.error ?? "");
  };
  const items = games.map((game) => earlierItem(game, () => goOn(game.id), page));
  return html("section.setup-earlier", { "aria-labelledby": "setup-earlier" }, html("h3.section-title", { id: "setup-earlier" }, page.say("setup.earlier")), html("ol.game-list", {}, ...items), refused);
}

/**
 * @param {Earlier} game
 * @param {() => void} goOn
 * @param {Page} page
 */
function earlierItem({ game, players, decisions, last_at: last }, goOn, { say, language, games }) {
  const [one, other] = players;
  const all = `${games.titleOf(game)}: ${players.join(say("list.comma"))}`;
  const date = new Date(last).toLocaleString(language.locale, { dateStyle: "medium", timeStyle: "short" });
  return html(
    "li.game-item",
    {},
    html("span.game-who", {}, games.isPair(game) ? say("games.players", { one, other }) : all),
    html("button.plain", { type: "button", "aria-label": games.isPair(game) ? say("setup.go-on-with", { one, other, date }) : say("setup.go-on-game", { players: all, date }), onclick: goOn }, say("setup.go-on")),
    html("span.game-when", {}, date, " · ", say("games.cut-off", { count: decisions })),
  );
}

/** @param {string | undefined} text */
function refusal(text) {
  return html("p.refused", { role: "alert" }, text ?? "");
}
