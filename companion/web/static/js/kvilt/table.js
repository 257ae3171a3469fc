/** A table of Kvilt on the page: it fills the same places as Patchwork's, and two more seats. */

import { html } from "../dom.js";
import { part } from "../frame.js";
import { drawer } from "../sections.js";
import { kviltSections } from "./sections.js";

/**
 * @typedef {import("../store.js").Store} Store
 * @typedef {import("../store.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 */

/** @type {import("./contract.js").KviltSheet | null} */
let sheet = null;

/** What everybody colours; null until it has come. */
export const currentSheet = () => sheet;

/**
 * @param {Page} page
 * @param {Store} store
 * @returns {Promise<(state: PageState) => void>}  Draws a state.
 */
export async function open(page, store) {
  document.documentElement.dataset.game = "kvilt";
  document.head.append(html("link", { rel: "stylesheet", href: "/static/css/kvilt.css" }));
  for (const number of [3, 4]) {
    if (!document.getElementById(`seat-${number}`)) part("seat-2").parentElement?.insertBefore(seat(number), part("track-room"));
  }
  const draw = drawer(kviltSections(currentSheet), page);
  const use = (/** @type {any} */ answer) => {
    sheet = { ...answer.sheet, names: answer.names ?? {} };
    store.set({});
  };
  /** Each game may have another sheet. @type {number | undefined} */
  let drawn;
  return (state) => {
    const game = state.snapshot?.game?.id;
    if (game !== drawn) fetchSheet(page, use);
    drawn = game;
    title(state, page);
    draw(state);
  };
}

/** @param {number} number */
function seat(number) {
  return html("section.card.seat", { id: `seat-${number}`, "aria-labelledby": `seat-${number}-title`, hidden: true });
}

/** @param {Page} page @param {(answer: any) => void} use */
async function fetchSheet(page, use) {
  try {
    const response = await fetch(`/api/kvilt/sheet?language=${page.language.code}`);
    if (response.ok) use(await response.json());
  } catch {
    setTimeout(() => fetchSheet(page, use), 3000);
  }
}

/**
 * @param {PageState} state
 * @param {Page} page
 */
function title({ snapshot }, { say }) {
  const mover = snapshot?.kvilt?.seats.find(({ moves }) => moves);
  document.documentElement.dataset.mover = String(mover?.seat ?? "");
  for (const { seat: number, colour } of snapshot?.kvilt?.seats ?? []) document.documentElement.style.setProperty(`--seat-${number}`, colour);
  document.title = mover ? `${say("turn.whose", { name: mover.name })} · Quilt Companion` : "Quilt Companion";
}
