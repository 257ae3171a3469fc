/**
 * The page's one state, and who wants to hear of it.
 *
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {import("./contract.js").BoxPatch} BoxPatch
 *
 * @typedef {object} PageState
 * @property {Snapshot | null} snapshot  The newest; null until the first has come.
 * @property {string[]} strip  The strip of lights, one colour a pixel.
 * @property {{can_touch: boolean, can_see_camera: boolean, sets_up?: boolean, calibrates?: boolean}} me
 * @property {Record<string, BoxPatch>} box  All patches, by id.
 * @property {"connecting" | "open" | "lost" | "over"} link
 * @property {string | null} busy  The command that is under way.
 * @property {{text: string, refused: boolean} | null} said  What the table answered to the last command.
 * @property {import("./circle/picture.js").SeenCircle | null} circle  As the camera saw it; null where nothing is to be confirmed.
 * @property {boolean} looking  Whether the camera is looking at the circle.
 * @property {number | null} share  How far that look has come, 0..1.
 * @property {import("./kvilt/virtual/brush.js").Paint | null} paint  What people colour with at the virtual table of Kvilt; null at all others.
 * @property {import("./virtual/pieces.js").Tabletop | null} virtual  How the virtual table lies; null at all others.
 */

/** @returns {PageState} */
export function emptyState() {
  return {
    snapshot: null,
    strip: [],
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
    /** @param {(state: PageState) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
