/** The menu's choice of the voice that speaks at the table itself. */

import { html } from "../dom.js";

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
 * @param {import("../views/page.js").Page} page
 * @returns {HTMLElement}  Empty until the table has sent its voices, and if there is nothing to choose.
 */
export function voiceChoice(page) {
  const room = html("div");
  if (page.view === "board" && page.state().me.can_touch) fetchVoices().then((voices) => voices?.voices.length && room.replaceChildren(...choice(page, voices)));
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
 * @param {import("../views/page.js").Page} page
 * @param {Voices} voices
 */
function choice({ say, commands }, { voices, chosen }) {
  const boxes = [SILENCE, ...voices].map((name) => /** @type {HTMLInputElement} */ (html("input", { type: "radio", name: "spoken", value: name, checked: name === chosen, onchange: () => choose(name) })));

  /** The number of choices made; the answer to an earlier choice is ignored. */
  let choices = 0;

  /** @param {string} name */
  async function choose(name) {
    const mine = (choices += 1);
    const { ok } = await commands.voice(name);
    const now = ok || mine !== choices ? null : await fetchVoices();
    if (!now || mine !== choices) return;
    for (const box of boxes) box.checked = box.value === now.chosen;
  }

  const labels = boxes.map((box) => html("label.switch", {}, box, say(`spoken.${box.value}`)));
  return [html("h3.section-title", { id: "spoken-title" }, say("spoken.title")), html("div.menu.signals", { role: "radiogroup", "aria-labelledby": "spoken-title" }, ...labels)];
}
