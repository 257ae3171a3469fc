/** The browser's own voice speaks the news, where somebody has switched it on. */

import { html } from "../dom.js";
import { voiceIcon } from "../icons.js";
import { keep, remembered } from "../keeping.js";

/** Kinds of news that one would miss without looking at a screen. */
const KINDS = new Set(["complaint", "question", "foreseen", "lapsed", "notice", "undone", "turn", "taken", "answer"]);

/**
 * @typedef {import("../contract.js").News} News
 * @typedef {import("../views/page.js").Page} Page
 */

export function canSpeak() {
  return "speechSynthesis" in globalThis && "SpeechSynthesisUtterance" in globalThis;
}

function isOn() {
  return remembered("voice") === "on";
}

/**
 * The switch; pressing it says something, for some browsers speak only after somebody has touched the page.
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
 * Speaks what is worth it: of a decision what follows from it, for whoever made it knows where the patch lies.
 *
 * @param {News[]} news
 */
export function speak(news) {
  if (!canSpeak() || !isOn()) return;
  const worth = news.filter(({ kind, number, first }) => KINDS.has(kind) && !(kind === "taken" && number === first));
  if (worth.length) utter(worth.map(({ says }) => says).join(" "));
}

/**
 * What was being said gives way: late news are none.
 *
 * @param {string} text
 */
function utter(text) {
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
