/** Sheets over the page, whose scripts come when they are first asked for. */

import { html } from "./dom.js";

/** @typedef {import("./views/page.js").Page} Page */

/** @type {Record<string, () => Promise<{openSheet: (page: Page) => unknown}>>} */
const SHEETS = {
  correct: () => import("./views/correcting.js"),
  name: () => import("./views/naming.js"),
  invite: () => import("./views/inviting.js"),
  games: () => import("./views/games.js"),
  calibrate: () => import("./calibrating/sheet.js"),
  share: () => import("./games/sharing.js"),
  setup: () => import("./setup/sheet.js"),
};

/**
 * The look of what comes when it is asked for; nothing is shown before it is there.
 *
 * @param {string} href
 * @returns {Promise<unknown>}
 */
export function stylesheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((ready) => {
    document.head.append(html("link", { rel: "stylesheet", href, onload: ready, onerror: ready }));
  });
}

/**
 * @param {string} name
 * @param {Page} page
 */
export async function openSheet(name, page) {
  (await SHEETS[name]()).openSheet(page);
}
