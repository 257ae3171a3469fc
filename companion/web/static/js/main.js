/** Puts the page together: one store, the stream that feeds it, and the game at the table, which draws it. */

import { asked, commandsFor } from "./commands.js";
import { announcer, banner, dress, keepClear, labelFrame, part, settings, speaker } from "./frame.js";
import { keepFrame } from "./installing.js";
import { remembered } from "./keeping.js";
import { listenToPresses, openSheet as tellKeys } from "./keys.js";
import { codeFor, languageOf } from "./language.js";
import { gamesIn } from "./registry.js";
import { drawer, WAITING } from "./sections.js";
import { createStore, emptyState, listen } from "./store.js";
import { followSignals } from "./signals/following.js";
import { followTips } from "./teaching/room.js";
import "./texts.js";

/** Sheets over the page, whose scripts come when they are first asked for. @type {Record<string, () => Promise<{openSheet: (page: Page, how?: import("./views/page.js").Opening) => unknown}>>} */
const SHEETS = {
  invite: () => import("./views/inviting.js"),
  games: () => import("./views/games.js"),
  calibrate: () => import("./calibrating/sheet.js"),
  share: () => import("./games/sharing.js"),
  setup: () => import("./setup/sheet.js"),
  menu: () => import("./views/menu.js"),
  keys: async () => ({ openSheet: tellKeys }),
  guide: () => import("./guide/sheet.js"),
  rules: () => import("./rules/sheet.js"),
};

/** @typedef {import("./views/page.js").Page} Page */

const store = createStore(emptyState());
const code = codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]);
// The table's state is asked for before all else: the page's texts may come meanwhile.
listen(store, `/api/events?language=${code}`);
const page = await createPage();

labelFrame(page);
settings(page);
const draw = drawer(page);
/** The name of the game at the table; null before the first. @type {string | null} */
let onTable = null;
/** That game; null until its part of the page is there. @type {import("./registry.js").Table | null} */
let table = null;
keepClear();
if (page.view === "board") listenToPresses(page);
followTips(page);
followSignals(page);
keepFrame();
for (const listener of [banner(page), announcer(), drawTable, speaker()]) store.subscribe(listener);
const greeted = asked("/api/me").then((me) => {
  if (!me) return;
  store.set({ me });
  followTable(me.language);
  if (page.view === "tv") inviteFromTv();
  playVirtually();
});
settle();

/** @returns {Promise<Page>} */
async function createPage() {
  const language = await languageOf(code);
  const { say } = language;
  const commands = commandsFor(store, say("link.unreachable"));
  const view = location.pathname.startsWith("/tv") ? "tv" : location.pathname.startsWith("/watch") ? "watch" : "board";
  return { language, say, view, commands, store, state: store.get, games: gamesIn(say), openSheet };
}

/** @param {string} name @param {import("./views/page.js").Opening} [how] */
async function openSheet(name, how) {
  (await SHEETS[name]()).openSheet(page, how);
}

/**
 * Who has chosen no language reads the table's own, as the television does.
 *
 * @param {string | null} code
 */
function followTable(code) {
  const address = new URL(location.href);
  if (!code || code === page.language.code || remembered("language") || address.searchParams.has("language")) return;
  address.searchParams.set("language", code);
  location.replace(address);
}

/**
 * Each game is drawn by its own; until its part of the page has come, what was drawn stays.
 *
 * @param {import("./store.js").PageState} state
 */
function drawTable(state) {
  const name = state.snapshot?.game?.name ?? null;
  // Another game at the same table: the page begins anew, for all are drawn into the same places.
  if (name && onTable && name !== onTable) return location.reload();
  if (name && !onTable) openTable(name);
  const shown = name ? table : WAITING;
  if (!shown) return;
  shown.follow?.(state);
  dress(state, shown, page);
  draw(shown.sections, state);
}

/** @param {string} name */
async function openTable(name) {
  onTable = name;
  part("game").ariaBusy = "true";
  const parts = await page.games.partsOf(name);
  table = await parts.open(page);
  document.documentElement.dataset.game = name;
  drawTable(store.get());
  playVirtually();
  settle();
}

/** The page is busy until all has come that its first drawing shows; after that only the table changes it. */
async function settle() {
  await greeted;
  await table?.complete;
  if (table || !onTable) part("game").ariaBusy = "false";
  if (location.hash !== "#guide" || part("game").ariaBusy === "true") return;
  history.replaceState(null, "", location.pathname + location.search);
  openSheet("guide");
}

/** At a virtual table people play on this page: as soon as it is known who may, and which game it is. */
async function playVirtually() {
  const { me } = store.get();
  if (!onTable || !table || !me.simulated) return;
  const { playVirtually: play, dressVirtually: dressed } = await page.games.partsOf(onTable);
  if (me.virtual && me.can_touch && page.view === "board") await play?.(page);
  else await dressed?.(page);
}

/** The TV shows the code all the time. */
async function inviteFromTv() {
  const { keepFresh } = await import("./views/inviting.js");
  keepFresh(part("tv-code"), page, () => true);
}
