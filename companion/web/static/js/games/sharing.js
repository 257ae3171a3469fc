/** The sheet with a picture of a game to share; the game's module draws the picture. */

import { fill, html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "../views/dialog.js";
import { HEIGHT, WIDTH } from "./paper.js";
import { showIn } from "./showing.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 */

/** The address of the picture shown last, which occupies memory until it is revoked. */
let shown = "";

/**
 * Open the sheet for the game that has just ended.
 *
 * @param {Page} page
 */
export async function openSheet(page) {
  const { say, state } = page;
  const room = html("div.games", {}, html("p", { role: "status" }, say("share.making")));
  const sheet = showSheet(page, say("share.title"), room);
  sheet.classList.add("wide");
  const response = await fetch(`/api/games/${state().snapshot?.game?.id}`).catch(() => null);
  if (!response?.ok) return fill(room, html("p.refused", { role: "alert" }, say("share.failed")));
  await sharingView((await response.json()).game, showIn(room), page, null);
}

/**
 * Show the picture of a game, with buttons to share and save it.
 *
 * @param {import("../registry.js").Played} game
 * @param {import("./showing.js").Show} show
 * @param {Page} page
 * @param {(() => void) | null} back  Shows the list of games again; null if there was none.
 */
export async function sharingView(game, show, page, back) {
  const { say } = page;
  const leave = back && html("button.plain", { type: "button", "data-key": "back", onclick: back }, say("replay.back"));
  show(html("p", { role: "status" }, say("share.making")), html("progress", { "aria-label": say("share.making") }));
  await stylesheet("/static/css/games.css");
  const { picture, pictureSays = "share.title" } = await page.games.partsOf(game.game);
  const blob = await picture?.(game, page).catch(() => null);
  if (!blob) return void show(html("p.refused", { role: "alert" }, say("share.failed")), leave);
  const name = `${game.game}-${game.id}.png`;
  URL.revokeObjectURL(shown);
  const address = (shown = URL.createObjectURL(blob));
  const file = new File([blob], name, { type: "image/png" });
  const shares = Boolean(navigator.canShare?.({ files: [file] }));
  show(
    html("img.share-picture", { src: address, width: WIDTH, height: HEIGHT, alt: say(pictureSays) }),
    html(
      "div.setup-buttons",
      {},
      leave,
      // A user who changes their mind rejects it, which is no error.
      shares && html("button.plain", { type: "button", onclick: () => navigator.share({ files: [file] }).catch(() => {}) }, say("share.send")),
      html("a.plain", { href: address, download: name, "data-key": "save-picture" }, say("share.save")),
    ),
  );
}
