/** Hints for the player to move, each deeper than the one before: a nudge, the patch, the place. */

import { ask } from "../setup/asking.js";
import "./texts.js";

/** The position that the latest hint was for, and how deep it was. */
const given = { position: "", depth: 0 };

/**
 * Show the next hint in place of the table's answer to the last command.
 *
 * @param {import("../views/page.js").Page} page
 */
export async function showHint(page) {
  const game = page.state().snapshot?.game;
  if (!game || page.state().busy) return;
  const position = `${game.id} ${game.decisions}`;
  const depth = given.position === position ? given.depth + 1 : 1;
  page.store.set({ busy: "hint", said: { text: page.say("hint.thinks"), refused: false } });
  const answer = await ask(`/api/games/${game.id}/hint/${Math.min(depth, 3)}`, page);
  Object.assign(given, answer.ok ? { position, depth } : { position: "", depth: 0 });
  const more = answer.deeper ? { text: page.say("hint.more"), ask: () => showHint(page) } : undefined;
  page.store.set({ busy: null, said: answer.ok ? { text: answer.says, refused: false, more } : { text: answer.error ?? "", refused: true } });
  // It is asked for at the bottom of the page.
  document.querySelector("#controls .said")?.scrollIntoView({ block: "nearest" });
}
