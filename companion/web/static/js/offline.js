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
// The page says what it was made of: all of it is in the browser already, and is not loaded a second time.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keep(event.data)));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

/** @param {string[]} addresses */
async function keep(addresses) {
  const shelf = await caches.open(SHELF);
  const wanted = new Set(addresses.map((address) => new URL(address, location.href).href));
  for (const old of await shelf.keys()) {
    if (old.url.includes("/files/") && !wanted.has(old.url)) await shelf.delete(old);
  }
  await Promise.all([...wanted].map(async (address) => (await shelf.match(address)) ?? shelf.add(new Request(address, { cache: "force-cache" }))));
}

/**
 * @param {Request} request
 * @returns {Promise<Response> | null}  Nothing where the browser does what it always does.
 */
function answerTo(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return null;
  if (request.mode === "navigate") return PAGES.has(pathname) ? fetch(request).catch(() => kept("/")) : null;
  if (pathname.startsWith("/files/")) return fetch(request).catch(() => kept(request));
  return pathname.startsWith("/texts/") ? fetch(request).then(copied(request), () => kept(request)) : null;
}

/** @param {Request | string} request */
async function kept(request) {
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
