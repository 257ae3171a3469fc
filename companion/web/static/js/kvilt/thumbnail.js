/** Thumbnails of every sheet at the end of a game. */

import { html } from "../dom.js";
import { stylesheet } from "../stylesheet.js";
import { sheetPicture } from "./sheet.js";

/**
 * Return a small drawing of each player's sheet.
 *
 * @param {{id: number, winner: number | null}} game
 * @returns {Promise<Node[]>}  Empty if the journal cannot be read or the game's sheet is unknown here.
 */
export async function thumbnail({ id }) {
  const [response] = await Promise.all([fetch(`/api/games/${id}`).catch(() => null), stylesheet("/static/css/kvilt/table.css")]);
  if (!response?.ok) return [];
  /** @type {{sheet: import("./contract.js").KviltSheet | null, marks: Record<string, string>[], themes: string[], result: {winners: number[]} | null}} */
  const { sheet, marks, themes, result } = (await response.json()).game;
  if (!sheet) return [];
  const nothing = /** @type {Set<string>} */ (new Set());
  return marks.map((coloured, index) => {
    const picture = sheetPicture(sheet, { marks: coloured, theme: themes[index], fresh: nothing, asked: nothing, openSpools: Infinity, rowScores: [], digits: String, label: "" });
    return html(`span.sheet-thumb${result?.winners.includes(index + 1) ? ".wins" : ""}`, {}, picture);
  });
}
