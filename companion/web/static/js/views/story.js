/** The latest news, and the light strip. */

import { html } from "../dom.js";
import { tableOf } from "./page.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/** The number of events shown; the sentences about one event count as one. */
const NEWS_SHOWN = { board: 6, watch: 6, tv: 2 };

/**
 * Return a sentence without the error codes that records use ("E_…:"); the text after a code is capitalised.
 *
 * @param {string} says
 */
export function plainly(says) {
  return says.replace(/[\u2066-\u2068]?E_[A-Z_]+\u2069?: *(.?)/gu, (_, first) => first.toLocaleUpperCase());
}

/**
 * Return the text of a sentence in which the code of a game with a friend is not broken at its hyphen, and is selected whole.
 *
 * @param {string} says
 * @returns {(Node | string)[]}
 */
export function withCodes(says) {
  return says.split(/\b([A-Z2-9]{4}-[A-Z2-9]{4})\b/).map((part, index) => (index % 2 ? html("bdi.code", { dir: "ltr", translate: "no" }, part) : part));
}

/**
 * Return the news about the doubt that is open now, which the page shows elsewhere, or undefined if there is none.
 *
 * @param {PageState["snapshot"]} snapshot
 */
export function openDoubt(snapshot) {
  const { news = [], phase = "" } = snapshot ?? {};
  const first = news[news.length - 1]?.first;
  const latest = news.filter((one) => one.first === first);
  return ["question", "complaint", "foreseen"].includes(phase) && latest[0]?.kind === phase ? latest : undefined;
}

/**
 * Return the latest news, newest first, without what is open now and shown elsewhere.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function newsView(state, page) {
  const open = openDoubt(state.snapshot) ?? [];
  const proposed = tableOf(state.snapshot)?.proposed?.says;
  const news = (state.snapshot?.news ?? []).filter((one) => one.kind !== "turn" && !open.includes(one) && one.says !== proposed);
  if (!news.length) return [];
  const events = [...new Set(news.map(({ first }) => first))].slice(-NEWS_SHOWN[page.view]).reverse();
  const ended = page.view === "tv" && Boolean(state.snapshot?.game?.finished);
  const items = events.map((event, place) => {
    const [main, ...following] = news.filter(({ first }) => first === event);
    // The winner is shown large above, so the last sentence is left out.
    const rest = ended && place === 0 ? following.slice(0, -1) : following;
    const follows = rest.map(({ says }) => html("span.news-follows", { dir: "auto" }, plainly(says)));
    return html(`li.news-item.news-${main.kind}`, {}, html("span", { dir: "auto" }, plainly(main.says)), ...follows);
  });
  return [html("h2.section-title", { id: "news-title" }, page.say("news.title")), html("ol.news-list", {}, ...items)];
}

/** The strip that is drawn: changes of its lights, many in a second while people move, build nothing again. */
const drawn = {
  room: html("div.strip", { role: "img", dir: "ltr" }),
  /** @type {Animation[]} */
  shining: [],
  isSeen: true,
};

/**
 * Return the light strip as it is on the table. The browser plays a repeated animation by itself, while it is in view.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function stripView({ strip, loop }, page) {
  if (!strip.length) return [];
  const { room } = drawn;
  if (!room.childElementCount) new IntersectionObserver((entries) => rest(entries[entries.length - 1].isIntersecting)).observe(room);
  if (room.childElementCount !== strip.length) room.replaceChildren(...strip.map(() => html("span.pixel")));
  room.setAttribute("aria-label", page.say("strip.label"));
  for (const animation of drawn.shining) animation.cancel();
  drawn.shining = [...room.children].flatMap((pixel, place) => {
    /** @type {HTMLElement} */ (pixel).style.backgroundColor = strip[place];
    const colours = loop ? loop.frames.map((frame) => frame[place] ?? "#000000") : [];
    return loop && colours.some((colour) => colour !== colours[0]) ? shine(pixel, colours, loop.lasts_s) : [];
  });
  rest(drawn.isSeen);
  return [room];
}

/** Animate the strip, or pause it while it is out of view. @param {boolean} isSeen */
function rest(isSeen) {
  drawn.isSeen = isSeen;
  for (const animation of drawn.shining) {
    // All pixels share one start time, so that they stay in step whenever they were drawn.
    if (isSeen) animation.startTime = 0;
    else animation.pause();
  }
}

/**
 * @param {Element} pixel
 * @param {string[]} colours  The pixel's colour in each frame.
 * @param {number} lasts_s  The duration of all frames together.
 */
function shine(pixel, colours, lasts_s) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
  return [pixel.animate([...colours, colours[0]].map((backgroundColor) => ({ backgroundColor })), { duration: lasts_s * 1000, iterations: Infinity })];
}
