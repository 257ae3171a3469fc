/** The page around the game: the banner, the spoken news, the players' colours, language, voice and theme. */

import { html } from "./dom.js";
import { themeIcon, tipsIcon } from "./icons.js";
import { keep, remembered } from "./keeping.js";
import { LANGUAGES } from "./language.js";
import { setTips, tips } from "./teaching/wish.js";
import { canSpeak, speak, voiceButton } from "./signals/voice.js";

const THEMES = ["auto", "light", "dark"];
/** The outline of an emblem whose colour is as light as the page. */
const PALE_EDGE = "#8a7763";

/**
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./views/page.js").Page} Page
 */

/** Return the element with an id. @param {string} id */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Fill in the texts of the elements in the HTML file, and the document's language and direction.
 *
 * @param {Page} page
 */
export function labelFrame({ say, language, view }) {
  for (const link of document.querySelectorAll("[data-help]")) link.setAttribute("href", helpAddress(language.code));
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  delete document.documentElement.dataset.unlabelled;
  document.documentElement.dataset.view = view;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(/** @type {HTMLElement} */ (element).dataset.text ?? "");
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
}

/**
 * Return the address of the help. It carries language and theme, because the help pages have no script to read them.
 *
 * @param {string} code  The code of the reader's language.
 */
export function helpAddress(code) {
  return theme() === "auto" ? `/help?language=${code}` : `/help?language=${code}&theme=${theme()}`;
}

/**
 * Keep a CSS property equal to the height of an element fixed to the bottom of narrow screens (by default the push-buttons),
 * so that the page can end that much lower.
 *
 * @param {HTMLElement} [dock]  The fixed element.
 * @param {string} [height]  The custom property of the root that gets its height; 0 while it is hidden.
 */
export function keepClear(dock = part("controls"), height = "--dock") {
  new ResizeObserver(() => {
    // On wide screens it covers nothing, and changing a property of the root restyles the whole page.
    if (getComputedStyle(dock).position === "fixed") document.documentElement.style.setProperty(height, `${dock.offsetHeight}px`);
  }).observe(dock);
}

/**
 * Return a listener that shows in the banner that the table is out of reach. The game stays visible.
 *
 * @param {Page} page
 * @returns {(state: PageState) => void}
 */
export function banner({ say }) {
  return ({ link, snapshot }) => {
    // What was chosen in the home, or begins there by itself, is being set up.
    const isLeft = link === "over" && !snapshot?.game;
    const says = link === "open" || (link === "connecting" && snapshot) || isLeft ? "" : say(`link.${link}`);
    const element = part("banner");
    document.documentElement.dataset.link = link;
    // It is a status: screen readers say it whenever it is set.
    if (element.textContent !== says) element.textContent = says;
    element.hidden = !says;
  };
}

/**
 * Return a listener that shows the hall's announcements until the hall withdraws them.
 *
 * @returns {(state: PageState) => void}
 */
export function announcer() {
  let shown = "[]";
  return ({ announcements }) => {
    const wanted = JSON.stringify(announcements);
    if (wanted === shown) return;
    shown = wanted;
    const element = part("announcements");
    // An announcement may be in any language.
    element.replaceChildren(...announcements.map((text) => html("p", { dir: "auto" }, text)));
    element.hidden = !announcements.length;
  };
}

/**
 * Return a listener that passes new sentences to screen readers and to the voice: each once, without those that were there
 * when the page was opened.
 *
 * @returns {(state: PageState) => void}
 */
export function speaker() {
  // Nothing of the first snapshot is news.
  let last = Infinity;
  return ({ snapshot }) => {
    if (!snapshot) return;
    const fresh = snapshot.news.filter(({ number }) => number > last);
    last = Math.max(...snapshot.news.map(({ number }) => number), 0);
    if (!fresh.length) return;
    part("spoken-news").textContent = fresh.map(({ says }) => says).join(" ");
    speak(fresh);
  };
}

/**
 * Set the page's title, colours and data attributes for the game.
 *
 * @param {PageState} state
 * @param {import("./registry.js").Table} table
 * @param {Page} page
 */
export function dress({ snapshot, me }, table, { say }) {
  const root = document.documentElement;
  const seats = snapshot ? table.seats(snapshot) : [];
  root.dataset.phase = snapshot?.phase ?? "waiting";
  root.dataset.key = String(me.can_touch);
  for (const { seat, colour } of seats) {
    root.style.setProperty(`--seat-${seat}`, colour);
    root.style.setProperty(`--edge-${seat}`, isPale(colour) ? PALE_EDGE : null);
  }
  const mover = seats.find(({ moves }) => moves);
  root.dataset.mover = String(mover?.seat ?? "");
  document.title = mover ? `${say("turn.whose", { name: mover.name })} · Quilt Companion` : "Quilt Companion";
}

/**
 * Return whether a colour needs an outline to be visible on the page.
 *
 * @param {string} colour  "#rrggbb".
 */
function isPale(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 0.8;
}

/**
 * Add the buttons of the page's head: games, menu, language, keys, tips, voice and theme.
 *
 * @param {Page} page
 */
export function settings(page) {
  const options = LANGUAGES.map(({ code, name }) => html("option", { value: code, selected: code === page.language.code, lang: code }, name));
  const choose = (/** @type {Event} */ event) => {
    keep("language", /** @type {HTMLSelectElement} */ (event.target).value);
    location.reload();
  };
  const select = html("select.language", { "aria-label": page.say("page.language"), onchange: choose }, ...options);
  const games = html("button.plain", { type: "button", onclick: () => page.openSheet("games") }, page.say("page.games"));
  const keys = html("button.plain.only-keys", { type: "button", "aria-label": page.say("keys.title"), title: page.say("keys.title"), onclick: () => page.openSheet("keys") }, "?");
  const menu = html("button.plain", { type: "button", "data-key": "menu", onclick: () => page.openSheet("menu") }, page.say("page.menu"));
  part("settings").append(games, menu, select, ...(page.view === "board" ? [keys] : []), ...(page.view === "tv" ? [] : [tipsButton(page)]), ...(canSpeak() ? [voiceButton(page)] : []), themeButton(page));
}

/** @param {Page} page */
function tipsButton(page) {
  const button = html("button.plain.only-wide", { type: "button", "data-key": "tips", onclick: () => setTips(tips() === "on" ? "off" : "on", page) });
  let drawn = "";
  page.store.subscribe(() => {
    if (drawn === tips()) return;
    drawn = tips();
    button.replaceChildren(tipsIcon(drawn === "on"));
    button.setAttribute("aria-pressed", String(drawn === "on"));
    button.setAttribute("aria-label", page.say(drawn === "on" ? "page.tips-on" : "page.tips-off"));
    button.title = button.getAttribute("aria-label") ?? "";
  });
  return button;
}

/** @param {Page} page */
function themeButton({ say }) {
  const button = html("button.plain.theme", { type: "button", onclick: () => turn() });
  const show = () => {
    document.documentElement.dataset.theme = theme();
    const name = say("page.theme", { name: say(`page.theme-${theme()}`) });
    button.replaceChildren(themeIcon(theme()));
    button.setAttribute("aria-label", name);
    button.title = name;
  };
  const turn = () => {
    keep("theme", THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
    show();
  };
  show();
  return button;
}

function theme() {
  const stored = remembered("theme");
  return stored && THEMES.includes(stored) ? stored : "auto";
}
