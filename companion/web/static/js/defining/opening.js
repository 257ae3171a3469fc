/** The start of a page that describes a sheet or a time board: its language, its title and the server's data. */

import { fill, html } from "../dom.js";
import { codeFor, LANGUAGES, languageOf } from "../language.js";
import { ask } from "../setup/asking.js";

/** Return the element with an id, which must exist. @param {string} id @returns {HTMLElement} */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Open the page in the reader's language, or show the server's refusal.
 *
 * @param {string} path  The path of the server's data.
 * @param {(page: import("../views/page.js").Page, view: object) => void} begin
 */
export async function open(path, begin) {
  const language = await languageOf(codeFor([new URLSearchParams(location.search).get("language") ?? "", ...navigator.languages]), "-whole");
  const page = /** @type {import("../views/page.js").Page} */ (/** @type {unknown} */ ({ language, say: language.say }));
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  document.title = language.say("title");
  fill(part("title"), language.say("title"));
  fill(part("language-name"), language.say("language"));
  fill(part("language"), ...LANGUAGES.map(({ code, name }) => html("option", { value: code, selected: code === language.code, lang: code }, name)));
  part("language").addEventListener("change", (event) => location.assign(`/?language=${/** @type {HTMLSelectElement} */ (event.target).value}`));
  const view = await ask(path, page);
  if (!view.ok) return fill(part("work"), html("p.define-refused", { role: "alert" }, view.status === 401 ? language.say("no-key") : view.error ?? ""));
  begin(page, view);
}
