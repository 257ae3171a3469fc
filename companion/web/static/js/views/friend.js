/** The friend at another table: whether that table is on, and words to and from there. */

import { html } from "../dom.js";
import { counted, said, teach } from "../language.js";
import { stylesheet } from "../stylesheet.js";
import { showSheet } from "./dialog.js";
import { canPush, canTouch, tableOf } from "./page.js";
import { withCodes } from "./story.js";

/**
 * @typedef {import("./page.js").PageState} PageState
 * @typedef {import("./page.js").Page} Page
 */

teach({
  "friend.title": said("{name}, at the other table"),
  "friend.there": said("The other table is on."),
  "friend.away": said("The other table is away; the game goes on once it is back."),
  "friend.unknown": said("Looking for the other table…"),
  "friend.code": said("The code of this game: {code}"),
  "friend.waiting": said("Waiting for your friend"),
  "friend.circle": said("The circle that both tables lay"),
  "friend.own-word": said("You: {word}"),
  "friend.word": said("A word to {name}"),
  "friend.send": said("Send"),
  "friend.asks": counted("{name} asks to take back {count} decision. Press undo if you agree, or just go on.", "{name} asks to take back {count} decisions. Press undo if you agree, or just go on."),
});

const EMOJI = ["👍", "😀", "🤔", "😮", "😢", "👏", "🎉", "❤️"];
const LONGEST = 200;
/** What was typed and not sent, which a redrawn section must not lose. */
let draft = "";

/**
 * Return what is known of the friend's table, and the words; nothing if all players are at this table.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function friendView(state, page) {
  const friend = state.snapshot?.friend;
  // One who is awaited is shown in place of the game.
  if (!friend?.name) return [];
  const { say } = page;
  const there = friend.is_there === null ? "friend.unknown" : friend.is_there ? "friend.there" : "friend.away";
  return [
    html("h2.section-title", { id: "friend-title" }, say("friend.title", { name: friend.name })),
    html("p.friend-there", {}, say(there)),
    friend.is_there ? null : html("p.friend-code", {}, ...withCodes(say("friend.code", { code: friend.code }))),
    friend.word ? html("p.friend-word", { dir: "auto" }, friend.word) : null,
    friend.own_word ? html("p.friend-own", { dir: "auto" }, say("friend.own-word", { word: friend.own_word })) : null,
    laysCircle(state, page) ? html("button.plain", { type: "button", "data-key": "friend-circle", onclick: () => showCircle(page) }, say("friend.circle")) : null,
    ...(canPush(state, page) ? wording(friend.name, page) : []),
  ];
}

/**
 * Return whether the circle, which one of the tables has dealt, may not lie at this one yet.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function laysCircle(state, page) {
  return state.snapshot?.game?.decisions === 0 && !state.me.simulated && canTouch(state, page);
}

/**
 * Show how to lay the circle out.
 *
 * @param {Page} page
 */
async function showCircle(page) {
  const { snapshot } = page.state();
  const setUp = await (await page.games.partsOf(snapshot?.game?.name ?? "")).setUp?.();
  const room = html("div.setup");
  const sheet = showSheet(page, page.say("friend.circle"), room);
  sheet.classList.add("wide");
  await stylesheet("/static/css/setup.css");
  const close = () => sheet.close();
  await setUp?.deal?.(room, page, close, close, tableOf(snapshot)?.circle ?? []);
}

/**
 * @param {string} name
 * @param {Page} page
 */
function wording(name, { say, commands }) {
  const field = /** @type {HTMLInputElement} */ (
    html("input.friend-field", { type: "text", maxlength: LONGEST, value: draft, autocomplete: "off", dir: "auto", "data-key": "friend-field", "aria-label": say("friend.word", { name }), placeholder: say("friend.word", { name }) })
  );
  field.addEventListener("input", () => (draft = field.value));
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (draft.trim() && (await commands.word(draft.trim())).ok) field.value = draft = "";
  };
  const emoji = EMOJI.map((one, place) => html("button.plain.friend-emoji", { type: "button", "data-key": `emoji-${place}`, onclick: () => commands.word(one) }, one));
  return [
    html("form.friend-form", { onsubmit: send }, field, html("button.plain", { type: "submit", "data-key": "friend-send" }, say("friend.send"))),
    html("div.friend-emojis", {}, ...emoji),
  ];
}
