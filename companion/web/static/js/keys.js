/** Keyboard shortcuts: a key for each push-button, and a sheet that lists all keys. */

import { html } from "./dom.js";
import { keep, remembered } from "./keeping.js";
import { canTouch } from "./views/page.js";

/** By the key's position (`event.code`), so that they are the same on Russian and Persian keyboards. @type {Record<string, "confirm" | "advance" | "undo">} */
const PRESSES = { KeyC: "confirm", KeyA: "advance", KeyU: "undo" };

/** The keys in the order of the sheet; those of the game's virtual table follow. */
const LISTED = ["confirm", "advance", "undo", "help"];
/** @type {Record<string, string>} */
const CAPS = { confirm: "C", advance: "A", undo: "U", help: "?", take: "Enter", move: "\u2190 \u2191 \u2192 \u2193", turn: "R", flip: "F", other: "B", back: "Esc", lift: "Del" };

/** @typedef {import("./views/page.js").Page} Page */

/** Return whether keys without a modifier work. Users of speech input or with unsteady hands may switch them off. */
export function lettersWork() {
  return remembered("letters") !== "off";
}

/** Let keys act as push-buttons, except in text fields and dialogs; "?" opens the list of keys. @param {Page} page */
export function listenToPresses(page) {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    // A key that is held down repeats, but is one press.
    if (!lettersWork() || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !(target instanceof Element) || target.closest("dialog, input, select, textarea")) return;
    if (event.key === "?" || event.key === "\u061f") return page.openSheet("keys");
    const button = PRESSES[event.code];
    if (button) press(button, page);
  });
}

/**
 * @param {"confirm" | "advance" | "undo"} button
 * @param {Page} page
 */
function press(button, page) {
  const state = page.state();
  const drawn = document.querySelector(`#controls [data-key="${button}"]`);
  // During a question its answers are drawn instead of the push-buttons, but the keys still act as the buttons on the table.
  if (!canTouch(state, page) || state.busy || !state.snapshot?.game || drawn?.getAttribute("aria-disabled") === "true") return;
  page.commands.press(button);
}

/** Open the list of keys, with the switch for keys without a modifier. @param {Page} page */
export async function openSheet(page) {
  const { showSheet } = await import("./views/dialog.js");
  const { table, game } = document.documentElement.dataset;
  const virtual = table === "virtual" && game ? (await page.games.partsOf(game)).virtualKeys : undefined;
  const rows = [...LISTED, ...(virtual ?? [])].map((key) => [html("dt", {}, html("kbd.key", { dir: "ltr" }, CAPS[key])), html("dd", {}, page.say(`keys.${key}`))]);
  showSheet(page, page.say("keys.title"), html("dl.keys", {}, ...rows.flat()), lettersSwitch(page));
}

/** @param {Page} page */
function lettersSwitch({ say }) {
  const box = html("input", { type: "checkbox", checked: lettersWork(), onchange: ({ target }) => keep("letters", target.checked ? "on" : "off") });
  return html("label.switch", {}, box, say("keys.letters"));
}
