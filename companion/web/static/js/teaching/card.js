/** The card with tips, or the offer of tips if the reader has not chosen yet. */

import { html } from "../dom.js";
import { setTips, tips } from "./wish.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("./room.js").Teacher} Teacher
 */

/**
 * Return the current tip with its lessons, or the offer of tips.
 *
 * @param {Teacher | null} teacher
 * @param {PageState} state
 * @param {Page} page
 */
export function cardOf(teacher, state, page) {
  if (tips() === "unasked") return offer(page);
  const taught = teacher?.(state, page);
  if (!taught) return [];
  const off = html("button.tips-off", { type: "button", "data-key": "tips-off", "aria-label": page.say("tips.off"), title: page.say("tips.off"), onclick: () => setTips("off", page) }, "×");
  const lessons = taught.lessons.map(({ icon, says }) => html("li.lesson", {}, html("span.lesson-icon", {}, icon), html("span", {}, says)));
  return [
    html("div.tips-head", {}, html("h2.section-title", { id: "tips-title" }, page.say("tips.title")), off),
    html("p.tips-now", {}, taught.now),
    lessons.length > 0 && html("ul.lessons", {}, ...lessons),
  ];
}

/** @param {Page} page */
function offer(page) {
  const { say } = page;
  const choose = (/** @type {string} */ key, /** @type {() => void} */ act) => html(`button.plain.tips-${key}`, { type: "button", "data-key": `tips-${key}`, onclick: act }, say(`tips.${key}`));
  const round = () => {
    setTips("on", page);
    page.openSheet("guide");
  };
  return [
    html("h2.section-title", { id: "tips-title" }, say("tips.new")),
    html("p.tips-offer", {}, say("tips.offer")),
    html("div.tips-choices", {}, choose("round", round), choose("on", () => setTips("on", page)), choose("no", () => setTips("off", page))),
  ];
}
