/** Deleting a game or a player's name: the confirmation replaces the list, which returns afterwards. */

import { send } from "../commands.js";
import { html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 */

const STYLES = "/static/css/games.css";

/**
 * Ask for confirmation, then delete a game.
 *
 * @param {{id: number, players: string[] | null, started_at: string, live: boolean}} game
 * @param {import("./showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back  Shows the list of games unchanged.
 * @param {() => void} anew  Reloads the list of games.
 */
export async function deletingView(game, show, page, back, anew) {
  await stylesheet(STYLES);
  const date = new Date(game.started_at).toLocaleString(page.language.locale, { dateStyle: "medium", timeStyle: "short" });
  const players = (game.players ?? [page.language.unknown]).join(page.say("list.comma"));
  const command = { path: `/api/games/${game.id}/delete`, body: game.live ? { leave: true } : {}, label: page.say("delete.yes") };
  confirmView(page.say(game.live ? "delete.sure-live" : "delete.sure", { players, date }), command, show, page, back, anew);
}

/**
 * Ask which player's name to remove.
 *
 * @param {readonly string[]} names
 * @param {import("./showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back
 * @param {() => void} anew
 */
export async function forgettingView(names, show, page, back, anew) {
  await stylesheet(STYLES);
  const { say } = page;
  const asks = (/** @type {string} */ name) => () => {
    const command = { path: "/api/players/forget", body: { name }, label: say("forget.yes") };
    confirmView(say("forget.sure", { name }), command, show, page, back, anew);
  };
  const buttons = names.map((name) => html("button.plain", { type: "button", onclick: asks(name) }, html("bdi", {}, name)));
  const title = html("h3.section-title", { id: "forget-title", tabindex: -1 }, say("forget.title"));
  show(
    title,
    html("p", {}, say("forget.which")),
    html("div.setup-buttons", { role: "group", "aria-labelledby": "forget-title" }, ...buttons),
    html("div.setup-buttons", {}, html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("replay.back"))),
  );
  title.focus();
}

/**
 * @param {string} question
 * @param {{path: string, body: object, label: string}} command
 * @param {import("./showing.js").Show} show
 * @param {Page} page
 * @param {() => void} back
 * @param {() => void} anew
 */
function confirmView(question, command, show, page, back, anew) {
  const { say } = page;
  const refusal = html("p.refused", { role: "alert" });
  const keep = html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("delete.no"));
  const go = /** @type {HTMLButtonElement} */ (html("button.plain", { type: "button", "data-key": "really", onclick: run }, command.label));
  async function run() {
    go.disabled = true;
    /** @type {import("../setup/asking.js").Answer} */
    const answer = await send(command.path, command.body).catch(() => ({ ok: false, error: say("games.failed") }));
    // What a broker still has of the game is told first.
    if (answer.ok && answer.left) return show(html("p", { role: "status" }, answer.says), html("button.plain", { type: "button", "data-key": "back", onclick: anew }, say("replay.back")));
    if (answer.ok) return anew();
    go.disabled = false;
    refusal.textContent = answer.error ?? say("games.failed");
  }
  show(html("p", {}, question), html("div.setup-buttons", {}, keep, go), refusal);
  keep.focus();
}
