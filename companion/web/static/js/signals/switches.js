/** The menu's switches for signals. */

import { html } from "../dom.js";
import { ring } from "./giving.js";
import { isWanted, possible, want } from "./wishes.js";

/**
 * Return a switch for each signal that the browser supports.
 *
 * @param {import("../views/page.js").Page} page
 * @returns {Node[]}
 */
export function signalSwitches({ say }) {
  return possible().map((signal) => {
    const box = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked: isWanted(signal), onchange: () => choose(signal, box) }));
    return html("label.switch", {}, box, say(`signals.${signal}`));
  });
}

/**
 * Store a choice and demonstrate the signal when it is switched on. For notifications the browser asks the user first.
 *
 * @param {import("./wishes.js").Signal} signal
 * @param {HTMLInputElement} box
 */
async function choose(signal, box) {
  if (signal === "notes" && box.checked) box.checked = (await Notification.requestPermission()) === "granted";
  want(signal, box.checked);
  if (!box.checked) return;
  if (signal === "sounds") ring([3, 10]);
  if (signal === "vibration") navigator.vibrate(60);
}
