/** Speech of the news by the browser's own voice, if it is switched on. */

import { html } from "../dom.js";
import { voiceIcon } from "../icons.js";
import { keep, remembered } from "../keeping.js";

/** The kinds of news that players would miss without looking at a screen. */
const KINDS = new Set(["complaint", "question", "foreseen", "proposed", "lapsed", "notice", "undone", "turn", "taken", "answer"]);

/**
 * @typedef {import("../contract.js").News} News
 * @typedef {import("../views/page.js").Page} Page
 */

/** Return whether this browser supports speech. */
export function canSpeak() {
  return "speechSynthesis" in globalThis && "SpeechSynthesisUtterance" in globalThis;
}

function isOn() {
  return remembered("voice") === "on";
}

/**
 * Return the voice's switch. Switching it on speaks a sentence, because some browsers allow speech only after a user gesture.
 *
 * @param {Page} page
 */
export function voiceButton({ say }) {
  const button = html("button.plain.voice", { type: "button", "data-key": "voice", onclick: () => turn() });
  const show = () => {
    const name = say(isOn() ? "page.voice-on" : "page.voice-off");
    button.replaceChildren(voiceIcon(isOn()));
    button.setAttribute("aria-label", name);
    button.setAttribute("aria-pressed", String(isOn()));
    button.title = name;
  };
  const turn = () => {
    keep("voice", isOn() ? "off" : "on");
    if (isOn()) utter(say("page.voice-on"));
    else speechSynthesis.cancel();
    show();
  };
  show();
  return button;
}

/**
 * Speak the news. Of a decision only the consequences are spoken, because the player knows the decision itself.
 *
 * @param {News[]} news
 */
export function speak(news) {
  if (!canSpeak() || !isOn()) return;
  const worth = news.filter(({ kind, number, first }) => KINDS.has(kind) && !(kind === "taken" && number === first));
  if (worth.length) utter(worth.map(({ says }) => says).join(" "));
}

/**
 * Speak a text at once. It interrupts the previous one, which is out of date.
 *
 * @param {string} text
 */
function utter(text) {
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
