/** The statistics over many games of Kvilt. */

import "./texts.js";

const COLUMNS = ["games", "won", "best", "mean", "rows", "patches", "spools", "buttons", "streak"];

/** Kvilt's part of the statistics. @type {import("../registry.js").Figures} */
export const figures = {
  columns: Object.fromEntries(COLUMNS.map((column) => [column, `kvilt-player.${column}`])),
  tables: ["games", "players"],
};
