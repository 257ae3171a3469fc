/** Set-up: who plays and in which colours, who begins, the circle, the rules; and games to go on with. */

import { fill, html } from "../dom.js";
import { LANGUAGES } from "../language.js";
import { stylesheet } from "../sheets.js";
import { showSheet } from "../views/dialog.js";
import { ask } from "./asking.js";
import { choices, players } from "./choosing.js";
import { dealing } from "./dealing.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{players: string[], colours: string[], first_seat: number, edition: string, rules: string, circle: string, language: string | null}} Chosen
 * @typedef {{id: number, players: string[], decisions: number, last_at: string}} Earlier
 * @typedef {{next: Chosen, palette: {name: string, colour: string}[], editions: string[], rules: string[], circles: string[],
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
  const again = page.state().snapshot?.result ? turnedRound(offered.next) : offered.next;
  form({ ...again }, offered, room, sheet, page);
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
 * @param {Chosen} chosen  Changed by what is chosen.
 * @param {Offered} offered
 * @param {HTMLElement} room
 * @param {HTMLDialogElement} sheet
 * @param {Page} page
 */
function form(chosen, offered, room, sheet, page) {
  const refused = html("p.refused", { role: "alert" });
  const draw = () => form(chosen, offered, room, sheet, page);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fault = faultOf(chosen, page);
    if (fault) return fill(refused, fault);
    if (chosen.circle === "dealt" && !offered.lies_there) return dealing(room, page, draw, (market) => begin(market, room));
    await begin(null, refused);
  };
  /** @param {string[] | null} market @param {Element} says */
  async function begin(market, says) {
    const first = chosen.first_seat || 1 + Math.floor(Math.random() * 2);
    fill(says);
    const answer = await laying(room, page, () => ask("/api/setup/begin", page, { ...chosen, first_seat: first, market, leave: offered.under_way }));
    if (!answer) return;
    if (answer.ok) sheet.close();
    else fill(says, answer.error ?? "");
  }
  fill(
    room,
    html(
      "form.setup-form",
      { onsubmit: submit, novalidate: true },
      ...players(chosen, offered, draw, page),
      ...choices(chosen, offered, draw, page),
      languageChoice(chosen, page),
      offered.under_way && html("p.setup-leaves", {}, page.say("setup.leaves")),
      refused,
      html("button.push.push-confirm", { type: "submit", "data-key": "begin" }, html("span.push-name", {}, page.say(needsDealing(chosen, offered) ? "setup.deal" : "setup.begin"))),
    ),
    earlier(offered, room, sheet, page),
  );
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
 * @param {Chosen} chosen
 * @param {Offered} offered
 */
function needsDealing(chosen, offered) {
  return chosen.circle === "dealt" && !offered.lies_there;
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
 * @param {Chosen} chosen
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
function earlierItem({ players: [one, other], decisions, last_at: last }, goOn, { say, language }) {
  const date = new Date(last).toLocaleString(language.code, { dateStyle: "medium", timeStyle: "short" });
  return html(
    "li.game-item",
    {},
    html("span.game-who", {}, say("games.players", { one, other })),
    html("button.plain", { type: "button", "aria-label": say("setup.go-on-with", { one, other, date }), onclick: goOn }, say("setup.go-on")),
    html("span.game-when", {}, date, " · ", say("games.cut-off", { count: decisions })),
  );
}

/** @param {string | undefined} text */
function refusal(text) {
  return html("p.refused", { role: "alert" }, text ?? "");
}
