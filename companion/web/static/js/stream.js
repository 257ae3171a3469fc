/** The stream of snapshots, which comes back by itself when it was cut. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Listen to the table for as long as the page is open.
 *
 * @param {import("./store.js").Store} store
 * @param {string} address
 */
export function listen(store, address) {
  let wait = FIRST_WAIT_MS;
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(address);
    source.addEventListener("snapshot", (event) => {
      wait = FIRST_WAIT_MS;
      take(store, JSON.parse(event.data));
    });
    source.addEventListener("strip", (event) => store.set({ strip: JSON.parse(event.data).pixels }));
    source.addEventListener("circle", (event) => {
      const { circle, looking = false, share = null } = JSON.parse(event.data);
      store.set({ circle, looking, share });
    });
    source.addEventListener("virtual", (event) => store.set({ virtual: ofThisGame(store, JSON.parse(event.data)) }));
    source.addEventListener("bye", () => later("over"));
    source.addEventListener("error", () => later("lost"));
  }

  /** @param {"lost" | "over"} link */
  function later(link) {
    // The browser's own attempts give up on a refused connection, as when the program is started anew: ours do not.
    source?.close();
    if (store.get().link !== "over") store.set({ link });
    clearTimeout(timer);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  watchOver(open, () => later("lost"));
  open();
}

/**
 * @param {import("./store.js").Store} store
 * @param {import("./contract.js").Snapshot} snapshot
 */
function take(store, snapshot) {
  store.set({ snapshot, strip: snapshot.strip.pixels, link: snapshot.over ? "over" : "open" });
}

/**
 * When another game is laid on the virtual table the page begins anew; until then what was drawn stays.
 *
 * @param {import("./store.js").Store} store
 * @param {any} tabletop
 */
function ofThisGame(store, tabletop) {
  const drawn = /** @type {any} */ (store.get().virtual);
  return drawn && drawn.game !== tabletop.game ? drawn : tabletop;
}

/**
 * Phones cut a sleeping page's stream without a word: begin anew whenever the page is looked at again.
 *
 * @param {() => void} open
 * @param {() => void} lose
 */
function watchOver(open, lose) {
  addEventListener("offline", lose);
  addEventListener("online", open);
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && open());
}
