/** Style sheets that come when what they dress is first asked for. */

import { html } from "./dom.js";

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
