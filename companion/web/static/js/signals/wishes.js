/** The signals that are switched on in this browser. All are off by default. */

import { keep, remembered } from "../keeping.js";

/** @typedef {"sounds" | "vibration" | "notes"} Signal */

/** Return the signals that this browser supports. @returns {Signal[]} */
export function possible() {
  return [
    .../** @type {Signal[]} */ ("AudioContext" in globalThis ? ["sounds"] : []),
    .../** @type {Signal[]} */ ("vibrate" in navigator && navigator.maxTouchPoints > 0 ? ["vibration"] : []),
    .../** @type {Signal[]} */ ("Notification" in globalThis && isSecureContext ? ["notes"] : []),
  ];
}

/** Return whether a signal is switched on. @param {Signal} signal */
export function isWanted(signal) {
  return remembered(signal) === "on";
}

/**
 * Switch a signal on or off.
 *
 * @param {Signal} signal
 * @param {boolean} wanted
 */
export function want(signal, wanted) {
  keep(signal, wanted ? "on" : "off");
}
