/** A circle of patches in a photograph: the pieces numbered clockwise, and those to name. */

import { html, svg } from "../../dom.js";
import { pathOf, photo } from "../../score/photo.js";
import "../../score/texts.js";

/**
 * @typedef {import("../../score/main.js").Work} Work
 * @typedef {import("../../score/photo.js").Point} Point
 * @typedef {{patch: string | null, outline: Point[], middle: Point, candidates: string[], doubtful: boolean}} Piece
 */

/** The view of a circle. @type {import("../../score/main.js").Scoring} */
export const scoring = { how: "score.how-circle", corners: "score.corners-how", more: "score.how-circle", begin: () => ({ places: [] }), draw };

/** @param {Work} work */
function draw(work) {
  const { say, language } = work.page;
  const { pieces, names, missing, begins, circle } = work.sheet;
  const shot = work.shot(0);
  const size = shot.size[0] / 45;
  const marks = pieces.flatMap((/** @type {Piece} */ { outline, middle: [x, y], doubtful, patch }, /** @type {number} */ index) => [
    svg(`path.score-piece${doubtful || !patch ? ".is-doubtful" : ""}`, { d: pathOf(outline) }),
    svg("text.score-number", { x, y, "font-size": size }, language.digits(index + 1)),
  ]);
  const doubts = pieces.filter((/** @type {Piece} */ { doubtful, patch }) => doubtful || !patch).length;
  return [
    html("section.card", {}, photo(shot, null, say("score.circle"), ...marks)),
    html("section.card", {},
      html("h2.section-title", {}, say("score.circle")),
      html("p", { role: "status" }, circle ? say("score.circle-whole") : missing.length ? say("score.circle-missing", { count: missing.length }) : begins === "nowhere" ? say("score.circle-start") : ""),
      doubts > 0 && html("p.score-warning", {}, say("score.circle-check", { count: doubts })),
      html("ol.score-places", {}, ...pieces.map((/** @type {Piece} */ piece, /** @type {number} */ index) => place(piece, index + 1, names, work))),
      circle && html("p", {}, say("score.circle-copy")),
      circle && html("code.score-code", { dir: "ltr" }, `market = ${JSON.stringify(circle)}`)),
  ];
}

/** @param {Piece} piece @param {number} number @param {Record<string, string>} names @param {Work} work */
function place({ patch, candidates, doubtful }, number, names, work) {
  const { say } = work.page;
  if (!candidates.length && patch) return html("li", {}, names[patch]);
  const choices = [...new Set([...(patch ? [patch] : []), ...candidates])];
  const select = html("select", { "data-key": `place-${number}`, "aria-label": say("score.photo", { number }), onchange: () => {
    const { value } = /** @type {HTMLSelectElement} */ (select);
    const others = work.entered.places.filter((/** @type {{place: number}} */ { place: at }) => at !== number);
    work.entered.places = value ? [...others, { place: number, patch: value }] : others;
    work.enter();
  } }, ...(patch ? [] : [html("option", { value: "" }, say("score.unknown"))]), ...choices.map((each) => html("option", { value: each, selected: each === patch }, names[each])));
  return html(`li${doubtful ? ".is-doubtful" : ""}`, {}, select);
}
