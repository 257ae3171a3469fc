/** The entry point of the table's page: the store, the stream of events that feeds it, and the game that draws it. */

import { asked, commandsFor } from "./commands.js";
import { announcer, banner, dress, keepClear, labelFrame, part, settings, speaker } from "./frame.js";
import { remembered } from "./keeping.js";
import { listenToPresses, openSheet as tellKeys } from "./keys.js";
import { codeFor, languageOf } from "./language.js";
import { gamesIn } from "./registry.js";
import { drawer, WAITING } from "./sections.js";
import { isWanted, possible } from "./signals/wishes.js";
import { createStore, emptyState, listen } from "./store.js";
import { followTips } from "./teaching/room.js";
import "./texts.js";
import { tableOf } from "./views/page.js";

/** Sheets (dialogs) by name. Their scripts are loaded on first use. @type {Record<string, () => Promise<{openSheet: (page: Page, how?: import("./views/page.js").Opening) => unknown}>>} */
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

document.getElementById("too-old")?.remove();
const store = createStore(emptyState());
const code = codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]);
// The table's state is requested first, so that it loads while the page's texts do.
listen(store, `/api/events?language=${code}`);
const page = await createPage();

labelFrame(page);
settings(page);
const draw = drawer(page);
/** The name of the game at the table, or null before the first. @type {string | null} */
let onTable = null;
/** The drawing of that game, or null until its module is loaded. @type {import("./registry.js").Table | null} */
let table = null;
/** The drawing of the home, or null if this program has none. @type {import("./registry.js").Table | null} */
let lobby = null;
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
  if (me.home && me.can_touch && page.view === "board") followHome();
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

/** Open a sheet. @param {string} name @param {import("./views/page.js").Opening} [how] */
async function openSheet(name, how) {
  (await SHEETS[name]()).openSheet(page, how);
}

/**
 * Reload the page in the table's language if the reader has chosen none, as on a television.
 *
 * @param {string | null} code  The table's language.
 */
function followTable(code) {
  const address = new URL(location.href);
  if (!code || code === page.language.code || remembered("language") || address.searchParams.has("language")) return;
  address.searchParams.set("language", code);
  location.replace(address);
}

/**
 * Draw the game with its own module. Until the module is loaded, the page stays as it was.
 *
 * @param {import("./store.js").PageState} state
 */
function drawTable(state) {
  const name = state.snapshot?.game?.name ?? null;
  const { me, link, snapshot } = state;
  // Another room of the home, of which this page may have been told less than half while it was loaded.
  if (link === "open" && snapshot && me.room !== undefined && snapshot.room !== me.room) return location.reload();
  // Another game at the same table, or none while a friend is awaited: reload, because all games draw into the same elements.
  if (onTable && name !== onTable && (name || state.snapshot?.friend)) return location.reload();
  if (name && !onTable) openTable(name);
  const shown = name ? table : state.home?.room === "" ? lobby : WAITING;
  if (!shown) return;
  shown.follow?.(state);
  dress(state, shown, page);
  draw(shown.sections, state);
}

/** Load the module of a game and draw it. @param {string} name */
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

/** Load the home, which is drawn while none of its rooms is open. */
async function followHome() {
  const { LOBBY, open } = await import("./home/home.js");
  lobby = LOBBY;
  await open(page);
}

/** Clear `aria-busy` once everything in the first drawing has loaded, and open the guide if the address ends in #guide. */
async function settle() {
  await greeted;
  await table?.complete;
  // A game whose module is still loading settles again when it is there.
  if (table || !onTable) part("game").ariaBusy = "false";
  if (location.hash !== "#guide" || part("game").ariaBusy === "true") return;
  // Only once: a reload of the page must not open the guide again.
  history.replaceState(null, "", location.pathname + location.search);
  openSheet("guide");
}

/** At a virtual table, enable play on this page once the game and the reader's rights are known. */
async function playVirtually() {
  const { me } = store.get();
  if (!onTable || !table || !me.simulated) return;
  const { playVirtually: play, dressVirtually: dressed } = await page.games.partsOf(onTable);
  // Others who look at a simulated table see the same patches, but cannot move them.
  // Before the patches are dressed, which takes longer: the camera's picture is what there is to see.
  if (!me.virtual && me.can_see_camera && page.view === "board") await (await import("./demo.js")).open(page);
  if (me.virtual && me.can_touch && page.view === "board") await play?.(page);
  else await dressed?.(page);
}

/** Show the join code permanently, on the TV. */
async function inviteFromTv() {
  const { keepFresh } = await import("./views/inviting.js");
  keepFresh(part("tv-code"), page, () => true);
}

// Installs the service worker that caches the page without its game, for when the table is out of reach.

/** Register the worker once the page has loaded. Browsers allow it in secure contexts only. */
function keepFrame() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  if (document.readyState === "complete") return register();
  addEventListener("load", register, { once: true });
}

async function register() {
  try {
    // At the root, so that the worker's scope covers all pages.
    await navigator.serviceWorker.register("/offline.js");
    const { active } = await navigator.serviceWorker.ready;
    const made = performance.getEntriesByType("resource").map(({ name }) => name);
    active?.postMessage(["/", ...made.filter((name) => /\/(files|texts)\//.test(name))]);
  } catch {
    // The page works without it.
  }
}

// Watches for news that deserve a signal. The module that gives signals is loaded with the first one.

/** @typedef {import("./contract.js").News} News */

/** Give signals for as long as the page is open. @param {Page} page */
function followSignals(page) {
  // Nothing of the first snapshot is news.
  let last = Infinity;
  page.store.subscribe(async ({ snapshot }) => {
    if (!snapshot) return;
    const fresh = snapshot.news.filter(({ number }) => number > last);
    last = Math.max(...snapshot.news.map(({ number }) => number), 0);
    if (!fresh.length || !possible().some(isWanted)) return;
    const paid = (tableOf(snapshot)?.money ?? []).some(({ kind, buttons }) => kind === "income" && buttons > 0);
    (await import("./signals/giving.js")).give(fresh, paid);
  });
}
