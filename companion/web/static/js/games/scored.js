/** The games that were scored from photographs, in the list of games. */

import { send } from "../commands.js";
import { html } from "../dom.js";
import { rosetteIcon } from "../icons.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{id: number, kind: string, scored_at: string, players: string[], scores: number[], pictures: number}} Scored
 */

/**
 * Return the list of these games, and the way to score another, if either is of use.
 *
 * @param {readonly Scored[]} scored
 * @param {boolean} touches  Whether the reader may score and delete games.
 * @param {Page} page
 * @param {() => void} anew  Reloads the list.
 * @returns {Node[]}
 */
export function scoredGames(scored, touches, page, anew) {
  const link = touches && html("p", {}, html("a.plain", { href: "/score", "data-key": "score" }, page.say("scored.another")));
  const list = scored.length > 0 && [html("h3.section-title", {}, page.say("scored.title")), html("ol.game-list", {}, ...scored.map((game) => item(game, touches, page, anew)))];
  return [...(list || []), ...(link ? [link] : [])];
}

/** @param {Scored} game @param {boolean} touches @param {Page} page @param {() => void} anew */
function item({ id, kind, scored_at: at, players, scores, pictures }, touches, page, anew) {
  const { say, language } = page;
  const date = new Date(at).toLocaleString(language.locale, { dateStyle: "medium", timeStyle: "short" });
  const names = players.map((name, index) => name || say("scored.player", { seat: index + 1 }));
  const best = scores.filter((score) => score === Math.max(...scores));
  const won = scores.length > 1 && best.length === 1 && html("span.game-won", {}, rosetteIcon(), say("games.won", { name: names[scores.indexOf(best[0])] }));
  const photographs = Array.from({ length: pictures }, (_, index) => html("a", { href: `/api/scored/${id}/${index + 1}.jpg`, target: "_blank" }, say("scored.photograph", { number: index + 1 })));
  return html("li.game-item", {},
    html("span.game-who", {}, html("span.game-kind", {}, page.games.titleOf(kind)), " ", ...names.flatMap((name, place) => [place ? say("list.comma") : "", html("bdi", {}, name)])),
    html("span.game-score", {}, scores.map(language.digits).join(" : ")),
    won,
    html("span.game-when", {}, date),
    html("span.takeaways", {}, ...photographs),
    html("span.game-acts", {}, touches && deleting(id, say("delete.one", { players: names.join(say("list.comma")), date }), page, anew)));
}

/** Return a button that deletes a game when it is pressed twice. @param {number} id @param {string} label @param {Page} page @param {() => void} anew */
function deleting(id, label, { say }, anew) {
  const button = html("button.plain", { type: "button", "data-key": `scored-${id}`, "aria-label": label, onclick: async () => {
    if (!("sure" in button.dataset)) {
      button.dataset.sure = "";
      button.setAttribute("aria-label", `${label}: ${say("delete.yes")}`);
      button.textContent = say("delete.yes");
      return;
    }
    await send(`/api/scored/${id}/delete`, {}).catch(() => null);
    anew();
  } }, say("delete.game"));
  return button;
}
