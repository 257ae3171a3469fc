/** A stream of server-sent events that reconnects by itself after any failure. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * @typedef {object} Stream
 * @property {() => void} renew  Reconnect after the current wait, which doubles each time.
 * @property {() => void} settled  Report that the stream works, which resets the wait.
 */

/**
 * Follow the server's events for as long as the page is open.
 *
 * The browser's own reconnection gives up on a refused connection (the program is restarting) and on an error status (a proxy
 * whose server is down); this one does not.
 *
 * @param {string} address
 * @param {(source: EventSource, stream: Stream) => void} hear  Adds listeners to each new stream.
 * @param {() => void} lost  Called whenever a stream is interrupted.
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
 * Reconnect whenever the page becomes visible or the device comes online: phones drop a sleeping page's stream without an error.
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
