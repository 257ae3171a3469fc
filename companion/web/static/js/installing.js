/** Installs the service worker that caches the page without its game, for when the table is out of reach. */

/** At the root, so that the worker's scope covers all pages. */
const WORKER = "/offline.js";

/** Register the worker once the page has loaded. Browsers allow it in secure contexts only. */
export function keepFrame() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  if (document.readyState === "complete") return register();
  addEventListener("load", register, { once: true });
}

async function register() {
  try {
    await navigator.serviceWorker.register(WORKER);
    const { active } = await navigator.serviceWorker.ready;
    const made = performance.getEntriesByType("resource").map(({ name }) => name);
    active?.postMessage(["/", ...made.filter((name) => /\/(files|texts)\//.test(name))]);
  } catch {
    // The page works without it.
  }
}
