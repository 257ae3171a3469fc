/**
 * Stands between the page and the network, so that the page's frame comes up where the table is out of reach, and says so.
 * It never answers with a game: what the table says goes by it untouched, and pages are asked for anew each time.
 */

const SHELF = "page";
/** Where pages are that look alike without a game. */
const PAGES = new Set(["/", "/tv", "/watch"]);

/** @type {any} */
const worker = globalThis;

worker.addEventListener("install", () => worker.skipWaiting());
/** What pages have said before: one after the other. @type {Promise<unknown>} */
let keeping = Promise.resolve();
// The page says what it was made of: all of it is in the browser already, and is not loaded a second time.
worker.addEventListener("message", (/** @type {any} */ event) => {
  keeping = keeping.catch(() => {}).then(() => keep(event.data));
  event.waitUntil(keeping);
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});
// Whoever touches the message that the turn has passed wants to see the table.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(bringUp());
});

async function bringUp() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {any} */ { url }) => PAGES.has(new URL(url).pathname));
  return page ? page.focus() : worker.clients.openWindow("/");
}

/** @param {string[]} addresses  The page's own, and those of its files. */
async function keep(addresses) {
  const shelf = await caches.open(SHELF);
  const [page, ...files] = addresses.map((address) => new URL(address, location.href).href);
  const there = new Set((await shelf.keys()).map(({ url }) => url));
  const lacking = files.filter((file) => !there.has(file));
  if (!lacking.length && there.has(page)) return;
  // The page names its files, which have other addresses once the program was renewed: all of one making, or nothing.
  const answer = await fetch(page, { cache: "no-cache" });
  const text = await answer.clone().text();
  if (!answer.ok || !files.every((file) => text.includes(makingOf(file)))) return;
  await Promise.all(lacking.map((file) => shelf.add(new Request(file, { cache: "force-cache" }))));
  await shelf.put(page, answer);
  for (const old of there) if (!text.includes(makingOf(old))) await shelf.delete(old);
}

/**
 * The part of a file's address that all files of one making share; empty where it has none.
 *
 * @param {string} file
 */
function makingOf(file) {
  return /\/files\/[^/]+\//.exec(file)?.[0] ?? "";
}

/**
 * @param {Request} request
 * @returns {Promise<Response> | null}  Nothing where the browser does what it always does.
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
