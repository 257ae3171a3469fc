/** The module of Kvilt: it fills the same elements as other games, and two more seats. */

import { asked } from "../commands.js";
import { html } from "../dom.js";
import { part } from "../frame.js";
import { kviltSections } from "./sections.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 */

/** The parts of Kvilt. @type {import("../registry.js").GameParts} */
export const game = {
  open,
  playVirtually: async (page) => (await import("./virtual/table.js")).open(page, currentSheet),
  replay: async (...wanted) => (await import("./replaying.js")).kviltReplay(...wanted),
  picture: async (...wanted) => (await import("./sharing.js")).kviltPicture(...wanted),
  thumbnail: async (position) => (await import("./thumbnail.js")).thumbnail(position),
  pictureSays: "share.alt-kvilt",
  figures: async () => (await import("./figures.js")).figures,
  teacher: async () => (await import("./teaching/lessons.js")).teacher,
  rules: async () => (await import("./teaching/rules.js")).rules,
  guide: async () => (await import("./teaching/guide.js")).guide,
  setUp: async () => (await import("./setup.js")).setUp,
};

/** @type {import("./contract.js").KviltSheet | null} */
let sheet = null;

/** Return the layout of the players' sheets, or null until it is loaded. */
const currentSheet = () => sheet;

/**
 * @param {Page} page
 * @returns {Promise<import("../registry.js").Table>}
 */
async function open(page) {
  document.head.append(html("link", { rel: "stylesheet", href: "/static/css/kvilt/table.css" }));
  for (const number of [3, 4]) {
    if (!document.getElementById(`seat-${number}`)) part("seat-2").parentElement?.insertBefore(seat(number), part("track-room"));
  }
  const arrange = page.view === "tv" ? arranging() : () => {};
  /** The id of the game whose sheet was requested, because each game may have another one. @type {number | undefined} */
  let drawn;
  return {
    sections: kviltSections(currentSheet),
    seats: ({ kvilt }) => kvilt?.seats ?? [],
    follow: ({ snapshot }) => {
      arrange(snapshot?.kvilt?.seats.length ?? 0);
      const now = snapshot?.game?.id;
      if (now !== drawn) fetchSheet(page);
      drawn = now;
    },
  };
}

/**
 * Return a function that moves the middle of the table, on a television, below whose turn it is if there are three sheets or more:
 * as one column beside two rows of sheets they push none of them down, however long a name is.
 *
 * @returns {(seats: number) => void}
 */
function arranging() {
  const room = part("track-room");
  const { parentElement: game, nextElementSibling: next } = room;
  return (seats) => {
    const column = part("turn").parentElement;
    if (seats > 2 && room.parentElement !== column) column?.append(room);
    else if (seats <= 2 && room.parentElement !== game) game?.insertBefore(room, next);
  };
}

/** @param {number} number */
function seat(number) {
  return html("section.card.seat", { id: `seat-${number}`, "aria-labelledby": `seat-${number}-title`, hidden: true });
}

/** The number of requests for a sheet. */
let wanted = 0;

/** @param {Page} page */
async function fetchSheet({ language, store }) {
  const mine = (wanted += 1);
  const answer = await asked(`/api/kvilt/sheet?language=${language.code}`);
  // Another game has started since, and its sheet was requested.
  if (mine !== wanted) return;
  if (answer) sheet = { ...answer.sheet, names: answer.names ?? {} };
  store.set({});
}
