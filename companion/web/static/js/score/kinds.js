/** What games read from photographs, and the modules that show it. */

/** By the name of the server's kind. @type {Record<string, () => Promise<{scoring: import("./main.js").Scoring}>>} */
const KINDS = {
  patchwork: () => import("../patchwork/scoring/score.js"),
  circle: () => import("../patchwork/scoring/circle.js"),
  kvilt: () => import("../kvilt/scoring/sheets.js"),
};

/** Load how a kind of reading is shown. @param {string} kind */
export function scoringOf(kind) {
  return KINDS[kind]();
}
