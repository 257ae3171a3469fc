/** The menu: controls from the bottom of the page, and those without room in the page's head. */

import { html } from "../dom.js";
import { helpAddress } from "../frame.js";
import { keep } from "../keeping.js";
import { LANGUAGES } from "../language.js";
import { hasRules } from "../rules/sheet.js";
import { ring } from "../signals/giving.js";
import { isWanted, possible, want } from "../signals/wishes.js";
import { setTips, tips } from "../teaching/wish.js";
import { closeSheets, showSheet } from "./dialog.js";

/** Open the menu. @param {import("./page.js").Page} page */
export function openSheet(page) {
  // Those buttons themselves, so that each is offered here exactly when the game offers it there.
  const below = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#hand button")]);
  const acts = below.map((button) =>
    html("button.plain", { type: "button", onclick: () => (sheet.close(), button.click()) }, button.textContent),
  );
  const languages = LANGUAGES.map(({ code, name }) =>
    html("button.plain", { type: "button", lang: code, "aria-pressed": code === page.language.code, onclick: () => choose(code) }, name),
  );
  const isOn = tips() === "on";
  const teaching = html("button.plain", { type: "button", "data-key": "menu-tips", "aria-pressed": isOn, onclick: () => (sheet.close(), setTips(isOn ? "off" : "on", page)) }, page.say("tips.switch"));
  const rules = hasRules(page) && html("button.plain", { type: "button", "data-key": "menu-rules", onclick: () => (sheet.close(), page.openSheet("rules")) }, page.say("rules.title"));
  const help = html("a.plain", { href: helpAddress(page.language.code) }, page.say("page.help"));
  const { me } = page.state();
  const link = (/** @type {string} */ to) => html("a.plain", { href: `/${to}` }, page.say(`page.${to}`));
  const sheet = showSheet(
    page,
    page.say("page.menu"),
    html("div.menu", {}, ...acts, rules, teaching, help, link("tv"), me.phone_camera && link("camera"), me.secure && link("trust")),
    html("h3.section-title", {}, page.say("signals.title")),
    html("div.menu.signals", {}, ...signalSwitches(page)),
    voiceChoice(page),
    html("h3.section-title", {}, page.say("page.language")),
    html("div.menu", {}, ...languages),
  );
}

/** @param {string} code */
async function choose(code) {
  keep("language", code);
  await closeSheets();
  const address = new URL(location.href);
  address.searchParams.delete("language");
  location.replace(address);
}

// The menu's switches for signals.

/**
 * Return a switch for each signal that the browser supports.
 *
 * @param {import("./page.js").Page} page
 * @returns {Node[]}
 */
function signalSwitches({ say }) {
  return possible().map((signal) => {
    const box = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked: isWanted(signal), onchange: () => chooseSignal(signal, box) }));
    return html("label.switch", {}, box, say(`signals.${signal}`));
  });
}

/**
 * Store a choice and demonstrate the signal when it is switched on. For notifications the browser asks the user first.
 *
 * @param {import("../signals/wishes.js").Signal} signal
 * @param {HTMLInputElement} box
 */
async function chooseSignal(signal, box) {
  if (signal === "notes" && box.checked) box.checked = (await Notification.requestPermission()) === "granted";
  want(signal, box.checked);
  if (!box.checked) return;
  if (signal === "sounds") ring([3, 10]);
  if (signal === "vibration") navigator.vibrate(60);
}

// The menu's choice of the voice that speaks at the table itself.

/**
 * @typedef {object} Voices
 * @property {string[]} voices  The voices installed at the table.
 * @property {string} chosen  One of them, or "none" for silence.
 */

const ADDRESS = "/api/voice";
const SILENCE = "none";

/**
 * Return the choice of voices.
 *
 * @param {import("./page.js").Page} page
 * @returns {HTMLElement}  Empty until the table has sent its voices, and if there is nothing to choose.
 */
export function voiceChoice(page) {
  const room = html("div");
  if (page.view === "board" && page.state().me.can_touch) fetchVoices().then((voices) => voices?.voices.length && room.replaceChildren(...voiceSwitches(page, voices)));
  return room;
}

/** @returns {Promise<Voices | null>} */
async function fetchVoices() {
  try {
    const response = await fetch(ADDRESS);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/**
 * @param {import("./page.js").Page} page
 * @param {Voices} voices
 */
function voiceSwitches({ say, commands }, { voices, chosen }) {
  const boxes = [SILENCE, ...voices].map((name) => /** @type {HTMLInputElement} */ (html("input", { type: "radio", name: "spoken", value: name, checked: name === chosen, onchange: () => chooseVoice(name) })));

  /** The number of choices made; the answer to an earlier choice is ignored. */
  let choices = 0;

  /** @param {string} name */
  async function chooseVoice(name) {
    const mine = (choices += 1);
    const { ok } = await commands.voice(name);
    const now = ok || mine !== choices ? null : await fetchVoices();
    if (!now || mine !== choices) return;
    for (const box of boxes) box.checked = box.value === now.chosen;
  }

  const labels = boxes.map((box) => html("label.switch", {}, box, say(`spoken.${box.value}`)));
  return [html("h3.section-title", { id: "spoken-title" }, say("spoken.title")), html("div.menu.signals", { role: "radiogroup", "aria-labelledby": "spoken-title" }, ...labels)];
}
