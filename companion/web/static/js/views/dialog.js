/** Sheets: modal dialogs over the page. The browser keeps the focus inside, and Escape closes them. */

import { html } from "../dom.js";

/**
 * Open a sheet, which is removed from the page when it is closed.
 *
 * @param {import("./page.js").Page} page
 * @param {string} title
 * @param {...import("../dom.js").Child} content
 * @returns {HTMLDialogElement}
 */
export function showSheet(page, title, ...content) {
  const close = html("button.sheet-close", { type: "button", "aria-label": page.say("sheet.close"), onclick: () => sheet.close() }, "×");
  const sheet = /** @type {HTMLDialogElement} */ (
    html("dialog.sheet", { "aria-labelledby": "sheet-title" }, html("div.sheet-head", {}, html("h2", { id: "sheet-title" }, title), close), ...content)
  );
  sheet.addEventListener("close", () => sheet.remove());
  // A click on the backdrop has the dialog itself as its target.
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}
