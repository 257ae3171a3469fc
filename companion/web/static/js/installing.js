/** Has the browser keep the page's frame, for when the table is out of reach. */

/** Where the worker is: at the top, for it to have all pages in its care. */
const WORKER = "/offline.js";

/** Once all that the page begins with is there; browsers allow it at addresses that nobody can listen in on. */
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
    // Without it the page is as it ever was.
  }
}
