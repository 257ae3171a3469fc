/** The way in for who has no key. */

import { html } from "../dom.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

/**
 * The code that the TV or the terminal shows can be typed in.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function joinView(state, page) {
  if (page.view !== "board" || state.me.can_touch || !state.snapshot) return [];
  const refused = new URLSearchParams(location.search).get("join") === "refused";
  // Who was refused finds it above the game.
  if (refused) document.getElementById("game")?.before(document.getElementById("join") ?? "");
  return [
    html(
      "form.join",
      { action: "/join", method: "get" },
      html("label", { for: "join-code" }, page.say("join.label")),
      html("input", { id: "join-code", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", size: 8, maxlength: 12, dir: "ltr", "aria-describedby": refused ? "join-refused" : null }),
      html("button.plain", { type: "submit" }, page.say("join.send")),
    ),
    refused ? html("p.refused", { id: "join-refused", role: "alert" }, page.say("join.refused")) : null,
  ];
}
