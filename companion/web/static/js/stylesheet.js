/** Style sheets that are loaded on first use. */

import { html } from "./dom.js";

/**
 * Add a style sheet to the page unless it is there. Resolves when it has loaded or failed.
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
