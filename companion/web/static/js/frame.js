/** What stands round the game: the banner, the spoken news, the players' colours, language, voice and theme. */

import { html } from "./dom.js";
import { themeIcon } from "./icons.js";
import { keep, remembered } from "./keeping.js";
import { LANGUAGES } from "./language.js";
import { openSheet } from "./sheets.js";
import { canSpeak, speak, voiceButton } from "./voice.js";

const THEMES = ["auto", "light", "dark"];

/**
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./views/page.js").Page} Page
 */

/** @param {string} id */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Texts that stand in the page from its start.
 *
 * @param {Page} page
 */
export function labelFrame({ say, language, view }) {
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  document.documentElement.dataset.view = view;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(/** @type {HTMLElement} */ (element).dataset.text ?? "");
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
}

/**
 * On narrow screens the push-buttons lie over the page's end, with what was said above them, and more at some tables: it
 * ends that much lower.
 *
 * @param {HTMLElement} [dock]  What lies there.
 * @param {string} [height]  The property that holds its height; nothing while it is hidden.
 */
export function keepClear(dock = part("controls"), height = "--dock") {
  new ResizeObserver(() => document.documentElement.style.setProperty(height, `${dock.offsetHeight}px`)).observe(dock);
}

/**
 * The banner says that the table is out of reach; the game stays in sight.
 *
 * @param {Page} page
 * @returns {(state: PageState) => void}
 */
export function banner({ say }) {
  return ({ link, snapshot }) => {
    const says = link === "open" || (link === "connecting" && snapshot) ? "" : say(`link.${link}`);
    const element = part("banner");
    document.documentElement.dataset.link = link;
    if (element.textContent !== says) element.textContent = says;
    element.hidden = !says;
  };
}

/**
 * New sentences for screen readers, and for the voice: each once, and none of those that were there when the page was
 * opened.
 *
 * @returns {(state: PageState) => void}
 */
export function speaker() {
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
 * What the page's title and colours take from the game.
 *
 * @param {Page} page
 * @returns {(state: PageState) => void}
 */
export function dress({ say }) {
  return ({ snapshot, me }) => {
    const root = document.documentElement;
    root.dataset.phase = snapshot?.phase ?? "waiting";
    root.dataset.key = String(me.can_touch);
    for (const { seat, colour } of snapshot?.seats ?? []) root.style.setProperty(`--seat-${seat}`, colour);
    const mover = snapshot?.seats.find(({ moves }) => moves);
    root.dataset.mover = String(mover?.seat ?? "");
    document.title = mover ? `${say("turn.whose", { name: mover.name })} · Quilt Companion` : "Quilt Companion";
  };
}

/**
 * The games, the menu of languages, and the button that goes round the themes.
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
  const games = html("button.plain", { type: "button", onclick: () => openSheet("games", page) }, page.say("page.games"));
  part("settings").append(games, select, ...(canSpeak() ? [voiceButton(page)] : []), themeButton(page));
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
  const kept = remembered("theme");
  return kept && THEMES.includes(kept) ? kept : "auto";
}
