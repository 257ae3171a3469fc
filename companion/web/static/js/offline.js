/**
 * The service worker: it serves the cached page when the table is out of reach, and the page then says so.
 * It never caches a game: requests to the API pass through, and pages are fetched from the network first.
 */

const SHELF = "page";
/** Paths of pages that are the same without a game; all are served from the cached "/". */
const PAGES = new Set(["/", "/tv", "/watch"]);

/** @type {any} */
const worker = globalThis;

worker.addEventListener("install", () => worker.skipWaiting());
/** The messages of pages are handled one after the other. @type {Promise<unknown>} */
let keeping = Promise.resolve();
// The page sends the addresses of its files. They are in the browser's HTTP cache already and are not downloaded again.
worker.addEventListener("message", (/** @type {any} */ event) => {
  // One that failed must not fail all later ones.
  keeping = keeping.catch(() => {}).then(() => keep(event.data));
  event.waitUntil(keeping);
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});
// A click on the notification that the turn has passed opens the table.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(bringUp());
});

async function bringUp() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {any} */ { url }) => PAGES.has(new URL(url).pathname));
  return page ? page.focus() : worker.clients.openWindow("/");
}

/** Cache a page. @param {string[]} addresses  The page's address, then those of its files. */
async function keep(addresses) {
  const shelf = await caches.open(SHELF);
  const [page, ...files] = addresses.map((address) => new URL(address, location.href).href);
  const there = new Set((await shelf.keys()).map(({ url }) => url));
  const lacking = files.filter((file) => !there.has(file));
  if (!lacking.length && there.has(page)) return;
  // The files' addresses change with each version of the program. Cache only files of the version that the page names.
  const answer = await fetch(page, { cache: "no-cache" });
  const text = await answer.clone().text();
  if (!answer.ok || !files.every((file) => text.includes(makingOf(file)))) return;
  await Promise.all(lacking.map((file) => shelf.add(new Request(file, { cache: "force-cache" }))));
  await shelf.put(page, answer);
  for (const old of there) if (!text.includes(makingOf(old))) await shelf.delete(old);
}

/**
 * Return the part of a file's address that names the program's version, or "" if it has none.
 *
 * @param {string} file
 */
function makingOf(file) {
  return /\/files\/[^/]+\//.exec(file)?.[0] ?? "";
}

/**
 * @param {Request} request
 * @returns {Promise<Response> | null}  Null if the browser should handle the request itself.
 */
function answerTo(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return null;
  if (request.mode === "navigate") return PAGES.has(pathname) ? fetch(request).catch(() => cached("/")) : null;
  if (pathname.startsWith("/files/")) return fetch(request).catch(() => cached(request));
  return pathname.startsWith("/texts/") ? fetch(request).then(copied(request), () => cached(request)) : null;
}

/** @param {Request | string} request */
async function cached(request) {
  // It was fetched with other headers than the browser asks with now.
  return (await caches.match(request, { ignoreVary: true })) ?? Response.error();
}

/**
 * @param {Request} request
 * @returns {(answer: Response) => Promise<Response>}
 */
function copied(request) {
  return async (answer) => {
    if (answer.ok) await (await caches.open(SHELF)).put(request, answer.clone());
    return answer;
  };
}
