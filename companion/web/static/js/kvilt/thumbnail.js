/** Drawings of every sheet as a game has left them. */

import { html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import { sheetPicture } from "./sheet.js";

/** Return a drawing of each player's sheet; none if it is unknown here. @type {NonNullable<import("../registry.js").GameParts["thumbnail"]>} */
export async function thumbnail({ details, names }) {
  await stylesheet("/static/css/kvilt/table.css");
  /** @type {{sheet: import("./contract.js").KviltSheet | null, marks: Record<string, string>[], themes: string[], result: {winners: number[]} | null}} */
  const { sheet, marks, themes, result } = details;
  if (!sheet) return [];
  const nothing = /** @type {Set<string>} */ (new Set());
  return marks.map((coloured, index) => {
    const picture = sheetPicture(sheet, { marks: coloured, theme: themes[index], fresh: nothing, asked: nothing, openSpools: Infinity, rowScores: [], digits: String, label: names[index] ?? "" });
    return html(`span.sheet-thumb${result?.winners.includes(index + 1) ? ".wins" : ""}`, {}, picture);
  });
}
