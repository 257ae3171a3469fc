/** Watches for news that deserve a signal. The module that gives signals is loaded with the first one. */

import { tableOf } from "../views/page.js";
import { isWanted, possible } from "./wishes.js";

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").News} News
 */

/** Give signals for as long as the page is open. @param {Page} page */
export function followSignals(page) {
  // Nothing of the first snapshot is news.
  let last = Infinity;
  page.store.subscribe(async ({ snapshot }) => {
    if (!snapshot) return;
    const fresh = snapshot.news.filter(({ number }) => number > last);
    last = Math.max(...snapshot.news.map(({ number }) => number), 0);
    if (!fresh.length || !possible().some(isWanted)) return;
    const paid = (tableOf(snapshot)?.money ?? []).some(({ kind, buttons }) => kind === "income" && buttons > 0);
    (await import("./giving.js")).give(fresh, paid);
  });
}
