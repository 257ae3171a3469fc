/** Loads a page again once the server answers, if a part of the page could not be loaded. Imports nothing that could fail, too. */

const RETRY_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** The number of times that this tab has been loaded again; it determines the wait, as a part may never be found. */
const KEY = "recoveries";
let isIncomplete = false;

addEventListener("error", ({ target }) => (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) && recover(), true);
addEventListener("unhandledrejection", (event) => {
  if (!isOfImport(event.reason)) return;
  event.preventDefault();
  recover();
});
// Said by parts that go on without something, such as the texts of a language.
addEventListener("incomplete", recover);
// A style sheet may have failed before this script was there to hear of it.
addEventListener("load", () => {
  for (const sheet of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]"))) if (!sheet.sheet?.cssRules.length) recover();
  setTimeout(() => isIncomplete || keepCount(0), LONGEST_WAIT_MS);
});

/** Return whether an error says that a module could not be loaded; its words depend on the browser. @param {unknown} error */
function isOfImport(error) {
  return error instanceof TypeError && /modul/i.test(error.message);
}

async function recover() {
  if (isIncomplete) return;
  isIncomplete = true;
  const count = counted();
  await later(Math.min(RETRY_MS * 2 ** count, LONGEST_WAIT_MS));
  while (!(await answers())) await later(RETRY_MS);
  keepCount(count + 1);
  location.reload();
}

/** Return whether the server answers: it is asked for a file that no service worker keeps. */
async function answers() {
  const response = await fetch("/offline.js", { cache: "no-store" }).catch(() => null);
  return response !== null && response.status < 500;
}

/** @param {number} ms */
function later(ms) {
  return new Promise((go) => setTimeout(go, ms));
}

function counted() {
  try {
    return Number(sessionStorage.getItem(KEY));
  } catch {
    // Storage may be forbidden.
    return 0;
  }
}

/** @param {number} count */
function keepCount(count) {
  try {
    sessionStorage.setItem(KEY, String(count));
  } catch {
    // Each recovery waits as long as the first then.
  }
}
