/** Set-up: who plays and in which colours, who begins, the circle, the rules; and games to go on with. */

import { fill, html } from "../dom.js";
import { LANGUAGES } from "../language.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "../views/dialog.js";
import { ask } from "./asking.js";
import { choices, group, players } from "./choosing.js";
import { dealing } from "./dealing.js";
import { kviltBody, kviltChoices, kviltFault, nextBegins } from "./kvilt.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{players: string[], colours: string[], first_seat: number, edition: string, rules: string, circle: string, language: string | null}} Chosen
 * @typedef {{game: string, language: string | null, patchwork: Chosen, kvilt: import("./kvilt.js").KviltChosen}} Wish  One for each game, of which one is shown.
 * @typedef {{id: number, game: string, players: string[], decisions: number, last_at: string}} Earlier
 * @typedef {{next: Chosen, game: string, kvilt: import("./kvilt.js").KviltOffered, palette: {name: string, colour: string}[], editions: string[], rules: string[], circles: string[],
 *     lies_there: boolean, under_way: boolean, games: Earlier[], names: string[]}} Offered
 */

/** @param {Page} page */
export async function openSheet(page) {
  const room = html("div.setup", {}, html("p", { role: "status" }, page.say("setup.loading")));
  const sheet = showSheet(page, page.say("setup.title"), room);
  sheet.classList.add("wide");
  const [answer] = await Promise.all([ask("/api/setup", page), stylesheet("/static/css/setup.css")]);
  if (!answer.ok) return fill(room, refusal(answer.error));
  const offered = /** @type {Offered} */ (/** @type {unknown} */ (answer));
  const { result, kvilt } = page.state().snapshot ?? {};
  const patchwork = result ? turnedRound(offered.next) : { ...offered.next };
  const next = kvilt?.result ? nextBegins(offered.kvilt.next) : { ...offered.kvilt.next };
  form({ game: offered.game, language: offered.next.language, patchwork, kvilt: next }, offered, room, sheet, page);
}

/**
 * After a game the other one begins.
 *
 * @param {Chosen} chosen
 */
function turnedRound(chosen) {
  return { ...chosen, first_seat: 3 - chosen.first_seat };
}

/**
 * @param {Wish} wish  Changed by what is chosen.
 * @param {Offered} offered
 * @param {HTMLElement} room
 * @param {HTMLDialogElement} sheet
 * @param {Page} page
 */
function form(wish, offered, room, sheet, page) {
  const refused = html("p.refused", { role: "alert" });
  const draw = () => form(wish, offered, room, sheet, page);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fault = wish.game === "kvilt" ? kviltFault(wish.kvilt, page) : faultOf(wish.patchwork, page);
    if (fault) return fill(refused, fault);
    if (needsDealing(wish, offered)) return dealing(room, page, draw, (market) => begin(market, room));
    await begin(null, refused);
  };
  /** @param {string[] | null} market @param {Element} says */
  async function begin(market, says) {
    fill(says);
    const rest = { language: wish.language, leave: offered.under_way };
    const answer = await laying(room, page, () => order(wish, market, rest, page));
    if (!answer) return;
    if (answer.ok) sheet.close();
    else fill(says, answer.error ?? "");
  }
  fill(
    room,
    html(
      "form.setup-form",
      { onsubmit: submit, novalidate: true },
      whichGame(wish, draw, page),
      ...(wish.game === "kvilt" ? kviltChoices(wish.kvilt, offered.kvilt, offered.names, draw, page) : [...players(wish.patchwork, offered, draw, page), ...choices(wish.patchwork, offered, draw, page)]),
      languageChoice(wish, page),
      offered.under_way && html("p.setup-leaves", {}, page.say("setup.leaves")),
      refused,
      html("button.push.push-confirm", { type: "submit", "data-key": "begin" }, html("span.push-name", {}, page.say(needsDealing(wish, offered) ? "setup.deal" : "setup.begin"))),
    ),
    earlier(offered, room, sheet, page),
  );
}

/**
 * @param {Wish} wish
 * @param {() => void} draw
 * @param {Page} page
 */
function whichGame(wish, draw, { say }) {
  const games = ["patchwork", "kvilt"].map((value) => ({ value, title: say(`game.${value}`), says: say(`game-says.${value}`) }));
  return group("game", say("setup.game"), games, wish, draw);
}

/**
 * @param {Wish} wish
 * @param {string[] | null} market
 * @param {object} rest
 * @param {Page} page
 */
function order({ game, patchwork, kvilt }, market, rest, page) {
  if (game === "kvilt") return ask("/api/setup/begin-kvilt", page, { ...kviltBody(kvilt), ...rest });
  const first = patchwork.first_seat || 1 + Math.floor(Math.random() * 2);
  return ask("/api/setup/begin", page, { ...patchwork, first_seat: first, market, ...rest });
}

/**
 * Show that the table is being laid, which takes some seconds where a camera has to be opened; nothing is sent twice.
 *
 * @param {HTMLElement} room
 * @param {Page} page
 * @param {() => Promise<import("./asking.js").Answer>} order
 */
async function laying(room, { say }, order) {
  if (room.querySelector(".setup-busy")) return null;
  const busy = html("p.setup-busy", { role: "status" }, html("progress", { "aria-label": say("setup.laying") }), say("setup.laying"));
  room.append(busy);
  busy.scrollIntoView({ block: "nearest" });
  const answer = await order();
  busy.remove();
  return answer;
}

/**
 * @param {Wish} wish
 * @param {Offered} offered
 */
function needsDealing({ game, patchwork }, offered) {
  return game === "patchwork" && patchwork.circle === "dealt" && !offered.lies_there;
}

/**
 * @param {Chosen} chosen
 * @param {Page} page
 */
function faultOf({ players: names }, { say }) {
  if (names.some((name) => !name.trim())) return say("setup.no-name");
  const [one, other] = names.map((name) => name.trim().toLocaleLowerCase());
  return one === other ? say("setup.same-name") : "";
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
 * Games that were cut off or left.
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
    if (answer.ok) sheet.close();
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
function earlierItem({ game, players, decisions, last_at: last }, goOn, { say, language }) {
  const [one, other] = players;
  const date = new Date(last).toLocaleString(language.code, { dateStyle: "medium", timeStyle: "short" });
  return html(
    "li.game-item",
    {},
    html("span.game-who", {}, game === "kvilt" ? kviltNames(players, say) : say("games.players", { one, other })),
    html("button.plain", { type: "button", "aria-label": game === "kvilt" ? say("setup.go-on-game", { players: kviltNames(players, say), date }) : say("setup.go-on-with", { one, other, date }), onclick: goOn }, say("setup.go-on")),
    html("span.game-when", {}, date, " · ", say("games.cut-off", { count: decisions })),
  );
}

/**
 * @param {readonly string[]} players
 * @param {Page["say"]} say
 */
function kviltNames(players, say) {
  return `${say("game.kvilt")}: ${players.join(say("list.comma"))}`;
}

/** @param {string | undefined} text */
function refusal(text) {
  return html("p.refused", { role: "alert" }, text ?? "");
}
