/** Sheets over the page, whose scripts come when they are first asked for. */

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
 * @param {string} name
 * @param {Page} page
 */
export async function openSheet(name, page) {
  (await SHEETS[name]()).openSheet(page);
}
