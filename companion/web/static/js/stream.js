/** A stream of the server's events that comes back by itself, however it was cut. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * @typedef {object} Stream
 * @property {() => void} renew  Wait a while, then ask for it anew.
 * @property {() => void} settled  It works: what is cut from now on is asked for soon again.
 */

/**
 * Follow the server's events for as long as the page is open.
 *
 * The browser's own attempts give up on a refused connection, as when the program is started anew, and on an error, as from a
 * proxy whose server is away: ours do not.
 *
 * @param {string} address
 * @param {(source: EventSource, stream: Stream) => void} hear  Listens to each stream that is begun.
 * @param {() => void} lost  Is called whenever one was cut.
 */
export function follow(address, hear, lost) {
  let wait = FIRST_WAIT_MS;
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const stream = { renew, settled: () => void (wait = FIRST_WAIT_MS) };

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(address);
    source.addEventListener("error", lose);
    hear(source, stream);
  }

  function lose() {
    lost();
    renew();
  }

  function renew() {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  watchOver(open, lose);
  open();
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
