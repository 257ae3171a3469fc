/** Gives signals: short tones like a music box, vibration, and a notification that the turn has passed. */

import { isWanted } from "./wishes.js";

/**
 * @typedef {import("../contract.js").News} News
 * @typedef {{notes: number[], buzz: number[]}} Pattern  `notes` in semitones above A4; `buzz` in milliseconds, alternately on and off.
 */

/** Most important first; only the first that applies is signalled. @type {[string, Pattern][]} */
const PATTERNS = [
  ["complaint", { notes: [-5, -9], buzz: [180, 90, 180] }],
  ["question", { notes: [3, 3, 8], buzz: [90, 70, 90] }],
  ["income", { notes: [7, 12, 16, 19], buzz: [40, 40, 40, 40, 40] }],
  ["undone", { notes: [5, 0], buzz: [60] }],
  ["turn", { notes: [3, 10], buzz: [60] }],
  ["taken", { notes: [0], buzz: [30] }],
];
const NOTE_S = 0.13;
const RINGS_S = 0.45;
const LEVEL = 0.12;
const A4_HZ = 440;

/** @type {AudioContext | null} */
let box = null;
/** The last notification sent without a service worker. @type {Notification | null} */
let sent = null;
// A reader who returns to the page sees whose turn it is.
document.addEventListener("visibilitychange", () => document.hidden || dismiss());

/**
 * Give the signal of the most important of the news, by each means that is switched on.
 *
 * @param {readonly News[]} news
 * @param {boolean} paid  Whether income was paid.
 */
export function give(news, paid) {
  const kinds = new Set(news.map(({ kind }) => kind));
  if (paid && kinds.has("taken")) kinds.add("income");
  const pattern = PATTERNS.find(([kind]) => kinds.has(kind))?.[1];
  if (pattern && isWanted("sounds")) ring(pattern.notes);
  if (pattern && isWanted("vibration")) navigator.vibrate(pattern.buzz);
  const turn = news.find(({ kind }) => kind === "turn");
  if (turn && document.hidden && isWanted("notes")) call(turn.says);
}

/** Play tones one after the other. @param {readonly number[]} notes  In semitones above A4. */
export function ring(notes) {
  box ??= new AudioContext();
  // Browsers suspend sound until the user has touched the page.
  box.resume();
  for (const [place, half] of notes.entries()) {
    const at = box.currentTime + place * NOTE_S;
    const tone = new OscillatorNode(box, { type: "triangle", frequency: A4_HZ * 2 ** (half / 12) });
    const level = new GainNode(box, { gain: 0 });
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(LEVEL, at + 0.01);
    // An exponential ramp cannot reach 0.
    level.gain.exponentialRampToValueAtTime(0.0001, at + RINGS_S);
    tone.connect(level).connect(box.destination);
    tone.start(at);
    tone.stop(at + RINGS_S);
  }
}

/**
 * Show a notification, through the service worker if there is one: phones allow no other way. It replaces the previous
 * notification and alerts again.
 *
 * @param {string} says
 */
async function call(says) {
  if (Notification.permission !== "granted") return;
  const { lang, dir } = document.documentElement;
  const look = { tag: "turn", renotify: true, lang, dir: /** @type {NotificationDirection} */ (dir), icon: "/static/icons/icon-192.png" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) worker.showNotification(says, look);
  else (sent = new Notification(says, look)).onclick = () => focus();
}

async function dismiss() {
  sent?.close();
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const message of (await worker?.getNotifications({ tag: "turn" })) ?? []) message.close();
}
