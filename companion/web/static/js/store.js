/** The page's state with its subscribers, and the stream of events that updates it. */

import { follow } from "./stream.js";

/** How long an answer stays at least, however soon other decisions follow: a long sentence is read in that time. */
const READING_MS = 4000;

/**
 * @typedef {import("./contract.js").Snapshot} Snapshot
 *
 * @typedef {object} PageState
 * @property {Snapshot | null} snapshot  The newest, or null before the first.
 * @property {string[]} announcements  The hall's announcements to this table.
 * @property {string[]} strip  The colours of the light strip, one for each pixel.
 * @property {{frames: string[][], lasts_s: number} | null} loop  The animation that the strip repeats; null while it plays something else.
 * @property {{can_touch: boolean, can_see_camera: boolean, home?: boolean, room?: string | null, virtual?: boolean, simulated?: boolean, sets_up?: boolean, calibrates?: boolean, secure?: boolean, phone_camera?: boolean, tempo?: {speed: number, paused: boolean} | null}} me
 * @property {"connecting" | "open" | "lost" | "over"} link
 * @property {string | null} busy  The command that is being sent.
 * @property {{text: string, refused: boolean, decisions?: number, at?: number, more?: {text: string, ask: () => void}} | null} said  The table's answer to the last command, the number of decisions with its own, when it came in milliseconds, and what can be asked next.
 * @property {import("./home/home.js").Home | null} home  The home; null if this program has none, or this page may not choose.
 * @property {any} virtual  What lies on a virtual table, as its game describes it; null elsewhere.
 * @property {Record<string, any>} own  What belongs to a game besides its table: what its desk sends, and what its modules add; by the game's name.
 */

/** Return the state before anything is known. @returns {PageState} */
export function emptyState() {
  return {
    snapshot: null,
    announcements: [],
    strip: [],
    loop: null,
    me: { can_touch: false, can_see_camera: false },
    link: "connecting",
    busy: null,
    said: null,
    home: null,
    virtual: null,
    own: {},
  };
}

/**
 * Return a store. Subscribers are called at once and after each change.
 *
 * @param {PageState} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: PageState) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    /** @param {Partial<PageState>} change */
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener(state);
    },
    /** Change what belongs to a game. @param {string} game @param {object} change */
    setOwn(game, change) {
      this.set({ own: { ...state.own, [game]: { ...state.own[game], ...change } } });
    },
    /**
     * @param {(state: PageState) => void} listener
     * @returns {() => void}  Unsubscribes.
     */
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * Update the store from the table's events for as long as the page is open.
 *
 * @param {Store} store
 * @param {string} address
 */
export function listen(store, address) {
  follow(
    address,
    (source, { renew, settled }) => {
      source.addEventListener("snapshot", (event) => {
        settled();
        take(store, JSON.parse(event.data));
      });
      source.addEventListener("strip", (event) => {
        const { pixels, loop, loop_s: lasts_s } = JSON.parse(event.data);
        store.set({ strip: pixels, loop: loop ? { frames: loop, lasts_s } : null });
      });
      source.addEventListener("announcements", (event) => store.set({ announcements: JSON.parse(event.data).announcements }));
      source.addEventListener("desk", (event) => {
        for (const [game, sent] of Object.entries(JSON.parse(event.data))) store.setOwn(game, sent);
      });
      source.addEventListener("virtual", (event) => store.set({ virtual: ofThisGame(store, JSON.parse(event.data)) }));
      source.addEventListener("bye", () => {
        store.set({ link: "over" });
        renew();
      });
    },
    // A home that was left has nothing to look at.
    () => (store.get().link !== "over" || !store.get().snapshot?.game) && store.set({ link: "lost" }),
  );
}

/**
 * @param {Store} store
 * @param {Snapshot} snapshot
 */
function take(store, snapshot) {
  // A snapshot's pixels are one moment of the animation, which goes on.
  const strip = store.get().loop ? store.get().strip : snapshot.strip.pixels;
  const { said } = store.get();
  // After another decision, as by a partner, the answer is past: once it can have been read.
  const isPast = (snapshot.game?.decisions ?? 0) > (said?.decisions ?? Infinity);
  const left = isPast ? (said?.at ?? 0) + READING_MS - Date.now() : 0;
  if (left > 0) setTimeout(() => store.get().said === said && store.set({ said: null }), left);
  store.set({ snapshot, strip, said: isPast && left <= 0 ? null : said, link: snapshot.over ? "over" : "open" });
}

/**
 * Return the virtual table to draw: the old one if the new one is of another game, for which the page is about to reload.
 *
 * @param {Store} store
 * @param {any} tabletop
 */
function ofThisGame(store, tabletop) {
  const { virtual, snapshot } = store.get();
  // The page may have been loaded while the previous game was still on the table.
  const isOther = virtual && virtual.game !== tabletop.game && snapshot?.game?.name !== tabletop.game;
  return isOther ? virtual : tabletop;
}
