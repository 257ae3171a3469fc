/** The page's one state, who wants to hear of it, and the stream that feeds it. */

import { follow } from "./stream.js";

/**
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {import("./contract.js").BoxPatch} BoxPatch
 *
 * @typedef {object} PageState
 * @property {Snapshot | null} snapshot  The newest; null until the first has come.
 * @property {string[]} announcements  What the hall announces to the people here.
 * @property {string[]} strip  The strip of lights, one colour a pixel.
 * @property {{frames: string[][], lasts_s: number} | null} loop  What it shows over and over; null while something happens.
 * @property {{can_touch: boolean, can_see_camera: boolean, virtual?: boolean, simulated?: boolean, sets_up?: boolean, calibrates?: boolean}} me
 * @property {Record<string, BoxPatch>} box  All patches, by id.
 * @property {"connecting" | "open" | "lost" | "over"} link
 * @property {string | null} busy  The command that is under way.
 * @property {{text: string, refused: boolean} | null} said  What the table answered to the last command.
 * @property {import("./patchwork/circle/picture.js").SeenCircle | null} circle  As the camera saw it; null where nothing is to be confirmed.
 * @property {boolean} looking  Whether the camera is looking at the circle.
 * @property {number | null} share  How far that look has come, 0..1.
 * @property {string[]} themes  Of the sheets of Kvilt, a seat each, as the camera has seen them; "" for the usual one.
 * @property {import("./kvilt/virtual/brush.js").Paint | null} paint  What people colour with at the virtual table of Kvilt; null at all others.
 * @property {import("./patchwork/virtual/pieces.js").Tabletop | null} virtual  How the virtual table lies; null at all others.
 */

/** @returns {PageState} */
export function emptyState() {
  return {
    snapshot: null,
    announcements: [],
    strip: [],
    loop: null,
    me: { can_touch: false, can_see_camera: false },
    box: {},
    link: "connecting",
    busy: null,
    said: null,
    circle: null,
    looking: false,
    share: null,
    virtual: null,
    paint: null,
    themes: [],
  };
}

/**
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
    /**
     * @param {(state: PageState) => void} listener
     * @returns {() => void}  Ends it.
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
 * Listen to the table for as long as the page is open.
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
      source.addEventListener("circle", (event) => {
        const { circle, looking = false, share = null } = JSON.parse(event.data);
        store.set({ circle, looking, share });
      });
      source.addEventListener("sheets", (event) => store.set({ themes: JSON.parse(event.data).themes }));
      source.addEventListener("virtual", (event) => store.set({ virtual: ofThisGame(store, JSON.parse(event.data)) }));
      source.addEventListener("bye", () => {
        store.set({ link: "over" });
        renew();
      });
    },
    () => store.get().link !== "over" && store.set({ link: "lost" }),
  );
}

/**
 * @param {Store} store
 * @param {Snapshot} snapshot
 */
function take(store, snapshot) {
  const strip = store.get().loop ? store.get().strip : snapshot.strip.pixels;
  store.set({ snapshot, strip, link: snapshot.over ? "over" : "open" });
}

/**
 * When another game is laid on the virtual table the page begins anew; until then what was drawn stays.
 *
 * @param {Store} store
 * @param {any} tabletop
 */
function ofThisGame(store, tabletop) {
  const { virtual, snapshot } = store.get();
  const drawn = /** @type {any} */ (virtual);
  // The page may have begun while the game before still lay there.
  const isOther = drawn && drawn.game !== tabletop.game && snapshot?.game?.name !== tabletop.game;
  return isOther ? drawn : tabletop;
}
