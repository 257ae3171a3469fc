/** Puts the page together: one store, the stream that feeds it, the sections that draw it. */

import { commandsFor } from "./commands.js";
import { clothCupboard } from "./fabrics.js";
import { banner, dress, keepClear, labelFrame, part, settings, speaker } from "./frame.js";
import { remembered } from "./keeping.js";
import { codeFor, languageOf } from "./language.js";
import { drawer, sections } from "./sections.js";
import { createStore, emptyState } from "./store.js";
import { listen } from "./stream.js";
import { canTouch } from "./views/page.js";

/** Room a space of the time track needs to be read, in CSS pixels. */
const SPACE_PX = 36;

const store = createStore(emptyState());
const code = codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]);
// The table's state is asked for before all else: the page's texts may come meanwhile.
listen(store, `/api/events?language=${code}`);
const page = await createPage();

document.body.prepend(clothCupboard());
labelFrame(page);
settings(page);
const draw = drawer(sections(trackColumns), page);
/** Whether the virtual table is still to be opened. */
let virtually = false;
/** The game that is drawn; null before the first. @type {"patchwork" | "kvilt" | null} */
let onTable = null;
/** Draws a table of Kvilt; null until there is one. @type {Promise<(state: import("./store.js").PageState) => void> | null} */
let kvilt = null;
keepClear();
for (const listener of [banner(page), dress(page), drawTable, speaker()]) store.subscribe(listener);
new ResizeObserver(() => drawTable(store.get())).observe(document.body);
fetchOnce("/api/me", (me) => {
  store.set({ me });
  followTable(me.language);
  if (page.view === "tv") inviteFromTv();
  followCircle();
  virtually = Boolean(me.virtual && me.can_touch && page.view === "board");
  drawTable(store.get());
});
fetchOnce("/api/box", ({ patches }) => store.set({ box: Object.fromEntries(patches.map((/** @type {{id: string}} */ patch) => [patch.id, patch])) }));

/** @returns {Promise<import("./views/page.js").Page>} */
async function createPage() {
  const language = await languageOf(code);
  const commands = commandsFor(store, language.say("link.unreachable"));
  const view = location.pathname.startsWith("/tv") ? "tv" : location.pathname.startsWith("/watch") ? "watch" : "board";
  return { language, say: language.say, view, commands, state: store.get };
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
 * Each game is drawn by its own; what Kvilt's needs comes when it is played.
 *
 * @param {import("./store.js").PageState} state
 */
function drawTable(state) {
  if (changesGame(state.snapshot)) return;
  if (!state.snapshot?.kvilt) {
    if (onTable) playVirtually(() => import("./virtual/table.js"));
    return draw(state);
  }
  kvilt ??= import("./kvilt/table.js").then(({ open }) => open(page, store));
  kvilt.then((drawKvilt) => {
    drawKvilt(store.get());
    playVirtually(() => import("./kvilt/virtual/table.js"));
  });
}

/**
 * Another game at the same table: the page begins anew, for both are drawn into the same places.
 *
 * @param {import("./contract.js").Snapshot | null} snapshot
 */
function changesGame(snapshot) {
  if (!snapshot?.game) return false;
  const now = snapshot.kvilt ? "kvilt" : "patchwork";
  const changes = onTable !== null && onTable !== now;
  if (changes) location.reload();
  onTable = now;
  return changes;
}

/** The TV shows the code all the time. */
async function inviteFromTv() {
  const { keepFresh } = await import("./views/inviting.js");
  keepFresh(part("tv-code"), page, () => true);
}

/**
 * At the virtual table people move the patches, or colour the sheets, on this page.
 *
 * @param {() => Promise<{open: (page: import("./views/page.js").Page, at: import("./store.js").Store) => Promise<void>}>} load
 */
async function playVirtually(load) {
  if (!virtually) return;
  virtually = false;
  const { open } = await load();
  await open(page, store);
}

/** Everybody sees that the camera looks at the circle; what it saw waits for somebody with the key to confirm it. */
function followCircle() {
  let opened = false;
  store.subscribe(async (state) => {
    if (opened || !(state.looking || (state.circle && canTouch(state, page)))) return;
    opened = true;
    const { open } = await import("./circle/panel.js");
    await open(page, store);
  });
}

/** How many spaces of the track go side by side, so that its rows come out even: 54 is 6 x 9, 3 x 18 and 2 x 27. */
function trackColumns() {
  const width = part("track").parentElement ? part("track-room").clientWidth : 0;
  return [27, 18].find((columns) => width >= columns * SPACE_PX) ?? 9;
}

/**
 * @param {string} path
 * @param {(answer: any) => void} use
 */
async function fetchOnce(path, use) {
  try {
    const response = await fetch(path);
    if (response.ok) use(await response.json());
  } catch {
    setTimeout(() => fetchOnce(path, use), 3000);
  }
}
