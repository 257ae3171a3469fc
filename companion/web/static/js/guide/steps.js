/** The steps of the guide for every table; a game adds its own. */

import { html } from "../dom.js";
import { keep } from "../keeping.js";
import { LANGUAGES } from "../language.js";
import { closeSheets } from "../views/dialog.js";
import { canSetUp } from "../views/page.js";
import "./texts.js";
import { drawPicture } from "../virtual/livepicture.js";

const PACE_MS = 700;
/** The index of the camera's step, because the camera may not have been open before the game. */
const AFTER_SET_UP = 1;

/**
 * Return a text to be typed, isolated so that it stays left to right in a right-to-left text.
 *
 * @param {string} text
 */
export function typed(text) {
  return `\u2066${text}\u2069`;
}

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./sheet.js").Step} Step
 * @typedef {import("./sheet.js").Progress} Progress
 */

/**
 * Return the steps for the table and its game, if there is one.
 *
 * @param {Page} page
 * @returns {Promise<Step[]>}
 */
export async function stepsFor(page) {
  const { me, snapshot } = page.state();
  const parts = snapshot?.game ? await page.games.partsOf(snapshot.game.name) : null;
  const own = (await parts?.guide?.()) ?? null;
  return [welcome(page), camera(page), ...(me.virtual ? [] : own?.table(page) ?? []), ...(snapshot?.game ? [] : [players(page)]), ...(own?.turns(page) ?? [])];
}

/** Return a button that opens the rules. @param {Page} page */
export function rulesButton(page) {
  return html("button.plain", { type: "button", "data-key": "rules", onclick: () => page.openSheet("rules") }, page.say("rules.title"));
}

/** @param {Page} page @returns {Step} */
function welcome({ say, state, language }) {
  const languages = LANGUAGES.map(({ code, name }) => html("button.plain", { type: "button", lang: code, "data-key": code, "aria-pressed": code === language.code, onclick: () => readIn(code) }, name));
  return {
    title: say("guide.welcome"),
    says: [say(state().me.virtual ? "guide.welcome-virtual" : "guide.welcome-real")],
    picture: () => html("img.turn-block", { src: "/static/icon.svg", alt: "", width: 120, height: 120 }),
    acts: () => languages,
  };
}

/** @param {string} code */
async function readIn(code) {
  keep("language", code);
  await closeSheets();
  const address = new URL(location.href);
  address.searchParams.delete("language");
  // The guide is reopened in that language.
  address.hash = "guide";
  history.replaceState(null, "", address);
  location.reload();
}

/** @param {Page} page @returns {Step} */
function camera(page) {
  const { say, state } = page;
  const isVirtual = Boolean(state().me.virtual);
  let pictured = false;
  return {
    title: say(isVirtual ? "guide.camera-virtual" : "guide.camera"),
    says: [say(isVirtual ? "guide.camera-virtual-says" : "guide.camera-says")],
    picture: () => livePicture(page, () => ((pictured = true), page.store.set({}))),
    progress: ({ snapshot }) => {
      // Before a game only the picture shows that the camera works.
      if (!snapshot?.game) return pictured ? { done: true, says: say("guide.camera-there") } : { done: false, says: say("guide.camera-none", { doctor: typed("companion doctor"), simulated: typed("companion play --simulate") }) };
      return snapshot.table.camera ? { done: true, says: say("guide.camera-there") } : { done: false, says: say(isVirtual ? "table.no-picture" : "guide.camera-missing", { command: typed("companion doctor") }) };
    },
  };
}

/** @param {Page} page @returns {Step} */
function players(page) {
  const { say } = page;
  return {
    title: say("guide.players"),
    says: [say("guide.players-says")],
    progress: ({ snapshot }) => (snapshot?.game ? { done: true, says: say("guide.players-there") } : { done: false, says: say("guide.players-missing") }),
    acts: (state, close) => [
      canSetUp(state, page) && !state.snapshot?.game && html("button.plain", { type: "button", "data-key": "setup", onclick: () => (close(), page.openSheet("setup", { then: () => goOn(page) })) }, say("hand.setup")),
    ],
  };
}

/** Reopen the guide as soon as the game that was set up in it has started. @param {Page} page */
function goOn(page) {
  let isOpen = false;
  const stop = page.store.subscribe(({ snapshot }) => {
    if (isOpen || !snapshot?.game) return;
    isOpen = true;
    // The store calls a new listener at once, before `stop` is known.
    queueMicrotask(() => stop());
    page.openSheet("guide", { at: AFTER_SET_UP });
  });
}

/**
 * Return the camera's picture, updated for as long as the step is on the screen.
 *
 * @param {Page} page
 * @param {() => void} seen  Called when the first picture has loaded.
 */
function livePicture(page, seen) {
  const image = /** @type {HTMLCanvasElement} */ (html("canvas.guide-camera", { role: "img", "aria-label": page.say("guide.table"), width: 1536, height: 864 }));
  const next = async () => {
    const came = await drawPicture(image, "/camera.jpg?reading=0");
    if (came && image.hidden) seen();
    if (came) image.hidden = false;
    if (image.isConnected) setTimeout(next, PACE_MS);
  };
  image.hidden = true;
  // Later, when the picture is in the page: `next` ends when it is not.
  setTimeout(next);
  return image;
}
