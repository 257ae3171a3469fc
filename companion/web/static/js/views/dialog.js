/**
 * Sheets: modal dialogs over the page. The browser keeps the focus inside; Escape and the way back in the history close them.
 *
 * Each open sheet has an entry of the history, whose state has the number of sheets. A close watcher, which not all browsers have,
 * does not hear the back button of a desktop.
 */

import { html } from "../dom.js";

/** The open sheets, the topmost last. @type {HTMLDialogElement[]} */
const open = [];
/** The number of sheets opened so far. */
let opened = 0;
/** Whether the page itself is going back in the history, which takes the browser a moment. */
let isLeaving = false;

// The sheets of a page that was reloaded are gone, but not their entries.
keepHistory();
addEventListener("popstate", () => {
  // A sheet that was opened while the page went back gets its entry now.
  if (!isLeaving) for (const sheet of open.splice(entries()).reverse()) sheet.close();
  isLeaving = false;
  // Later, because the browser restores what it scrolls after this event.
  setTimeout(keepHistory);
});

/**
 * Open a sheet, which is removed from the page when it is closed.
 *
 * @param {import("./page.js").Page} page
 * @param {string} title
 * @param {...import("../dom.js").Child} content
 * @returns {HTMLDialogElement}
 */
export function showSheet(page, title, ...content) {
  // One sheet may lie on another.
  const id = `sheet-title-${(opened += 1)}`;
  const close = html("button.sheet-close", { type: "button", "aria-label": page.say("sheet.close"), onclick: () => sheet.close() }, "×");
  const sheet = /** @type {HTMLDialogElement} */ (
    html("dialog.sheet", { "aria-labelledby": id }, html("div.sheet-head", {}, html("h2", { id }, title), close), ...content)
  );
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (open.includes(sheet)) open.splice(open.indexOf(sheet), 1);
    keepHistory();
  });
  // A click on the backdrop has the dialog itself as its target.
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
  open.push(sheet);
  keepHistory();
  return sheet;
}

/** Close all sheets and wait until their entries are left, so that a new address is that of the page's own entry. */
export async function closeSheets() {
  for (const sheet of open.splice(0)) sheet.close();
  keepHistory();
  if (isLeaving) await new Promise((left) => addEventListener("popstate", left, { once: true }));
}

/** Return the number of sheets that have an entry, up to the current one. @returns {number} */
function entries() {
  return history.state?.sheets ?? 0;
}

/** Leave the entries of closed sheets, also one to which the reader went forward, or add those of new sheets. */
function keepHistory() {
  if (isLeaving) return;
  const more = open.length - entries();
  if (more < 0) {
    isLeaving = true;
    history.go(more);
    return;
  }
  // Behind a sheet the page may scroll on: closing it must not scroll back.
  history.scrollRestoration = open.length ? "manual" : "auto";
  for (let added = 0; added < more; added += 1) history.pushState({ sheets: entries() + 1 }, "");
}
