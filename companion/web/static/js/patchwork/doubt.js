/** The table's question, its complaint, or the decision that it is about to take. */

import { html } from "../dom.js";
import { canPush, nameOf } from "../views/page.js";
import { incomeIn } from "./box.js";
import { quilt } from "./quilt.js";
import { isAsRecorded, seatOf } from "./state.js";
import "../virtual/texts.js";
import "./texts.js";

/** The questions after the end of a game, which have no "none of these". */
const AT_THE_END = ["buttons", "tile"];
/** The choice while "none of these" is on display. */
export const NONE_SHOWN = -1;

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Question} Question
 * @typedef {import("../contract.js").Complaint} Complaint
 * @typedef {import("../contract.js").Foreseen} Foreseen
 * @typedef {import("../contract.js").Option} Option
 */

/**
 * Return the question, else the complaint, else the foreseen decision, else what a partner has decided, or nothing.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function doubtView(state, page) {
  const { question, complaint, foreseen, proposed } = state.snapshot?.patchwork ?? {};
  if (question) return questionView(question, state, page);
  if (complaint) return complaintView(complaint, state, page);
  if (foreseen) return foreseenView(foreseen, state, page);
  return proposed ? proposedView(proposed, state, page) : [];
}

/**
 * @param {Question} question
 * @param {PageState} state
 * @param {Page} page
 */
function questionView(question, state, page) {
  const options = question.options.map((option, index) => optionCard(option, index, question, state, page));
  const none = question.none_first ? card("none", null, [html("span.option-says", {}, page.say("question.none"))], question, state, page) : null;
  return [
    html("h2.doubt-title.asks", { id: "doubt-title" }, page.say("question.title")),
    html("div.doubt-body", {}, crop(question, state, page), html("ul.options", {}, ...(none ? [none] : []), ...options)),
    canPush(state, page) && !none && !AT_THE_END.includes(question.asks)
      ? html("button.plain", { type: "button", "data-key": "none", onclick: () => page.commands.answer(null) }, page.say("question.none"))
      : null,
    canPush(state, page) ? null : html("p.doubt-hint", {}, page.say("question.hint")),
  ];
}

/**
 * @param {Option} option
 * @param {number} index
 * @param {Question} question
 * @param {PageState} state
 * @param {Page} page
 */
function optionCard(option, index, question, state, page) {
  const drawn = option.buttons === undefined ? optionQuilt(option, question, state) : html("span.option-count", {}, page.language.digits(option.buttons));
  return card(`option-${index}`, index, [drawn, html("span.option-says", { dir: "auto" }, option.says)], question, state, page);
}

/**
 * Return an answer, which those who may press can press; the one on display is marked.
 *
 * @param {string} key
 * @param {number | null} answer  The option's index, or null for none of them.
 * @param {Node[]} content
 * @param {Question} question
 * @param {PageState} state
 * @param {Page} page
 */
function card(key, answer, content, { choice }, state, page) {
  const shown = (answer ?? NONE_SHOWN) === choice;
  if (!canPush(state, page)) return html("li.option", { "aria-current": shown }, ...content);
  return html("li", {}, html("button.option", { type: "button", "data-key": key, "aria-current": shown, onclick: () => page.commands.answer(answer) }, ...content));
}

/**
 * @param {Option} option
 * @param {Question} question
 * @param {PageState} state
 */
function optionQuilt(option, question, state) {
  const pieces = (seatOf(state, option.seat ?? question.seat)?.pieces ?? []).map((piece) => ({ ...piece, new: false }));
  const taken = option.cells ? [{ patch: option.patch ?? "leather", cells: option.cells, new: true }] : [];
  return quilt({ pieces: [...pieces, ...taken], label: option.says, incomeOf: incomeIn(state), plain: true });
}

/**
 * Return the camera's picture, or null if the reader may not see it. The quilts are drawn with their marks anyway.
 *
 * @param {Question | Complaint} doubt
 * @param {PageState} state
 * @param {Page} page
 */
function crop(doubt, state, page) {
  if (!state.me.can_see_camera || !doubt.crop) return null;
  const cells = doubt.cells.join(" ");
  const alt = cells ? page.say("crop.cells", { cells }) : page.say("crop.alt");
  const image = html("img", { src: doubt.crop, alt, width: 384, height: 384 });
  const figure = html("figure.crop", {}, image, html("figcaption", {}, page.say("crop.caption")));
  image.addEventListener("error", () => figure.remove(), { once: true });
  return figure;
}

/**
 * @param {Complaint} complaint
 * @param {PageState} state
 * @param {Page} page
 */
function complaintView(complaint, state, page) {
  const seat = seatOf(state, complaint.quilt);
  const drawn = quilt({
    pieces: (seat?.pieces ?? []).map((piece) => ({ ...piece, new: false })),
    label: complaint.cells.length ? page.say("crop.cells", { cells: complaint.cells.join(" ") }) : seat?.name ?? "",
    marked: complaint.cells,
    markedAs: "complaint",
    language: page.language,
    incomeOf: incomeIn(state),
  });
  return [
    html("h2.doubt-title.complains", { id: "doubt-title" }, page.say("complaint.title")),
    html("div.doubt-acts", {}, righting(state, page), insistence(complaint, state, page)),
    html("div.doubt-body", {}, crop(complaint, state, page), complaint.cells.length ? html("figure.crop.drawn", {}, drawn, html("figcaption", {}, page.say("crop.books"))) : null),
    html("p.doubt-hint", {}, page.say(complaint.insists ? "complaint.hint-insist" : "complaint.hint")),
  ];
}

/**
 * Return the button that puts a virtual table right, after which the complaint lapses; null if its boards are as recorded.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function righting(state, page) {
  if (isAsRecorded(state) || !canPush(state, page)) return null;
  const right = async () => {
    const [{ putRight }, { movesAt }] = await Promise.all([import("./virtual/righting.js"), import("./virtual/moves.js")]);
    await putRight(page.state, movesAt(page.say("link.unreachable")));
    await page.commands.putRight();
  };
  return html("button.plain", { type: "button", "data-key": "put-right", onclick: right }, page.say("virtual.put-right"));
}

/**
 * Return the button that keeps the pieces as they lie, for when the camera is wrong. It is above the pictures, so that it is
 * visible on a phone.
 *
 * @param {Complaint} complaint
 * @param {PageState} state
 * @param {Page} page
 */
function insistence(complaint, state, page) {
  if (!complaint.insists || !canPush(state, page)) return null;
  const insist = () => !page.state().busy && page.commands.insist();
  return html("button.plain.insist", { type: "button", "data-key": "insist", "aria-busy": state.busy === "insist" || null, onclick: insist }, page.say("complaint.insist"));
}

/**
 * @param {Option} proposed
 * @param {PageState} state
 * @param {Page} page
 */
function proposedView(proposed, state, page) {
  const name = nameOf(state, proposed.seat ?? 0);
  return [html("h2.doubt-title.foresees", { id: "doubt-title" }, page.say("proposed.title", { name })), html("p.doubt-says", { dir: "auto" }, proposed.says)];
}

/**
 * @param {Foreseen} foreseen
 * @param {PageState} state
 * @param {Page} page
 */
function foreseenView(foreseen, state, page) {
  const bar = html("span.pause-bar");
  bar.style.animationDuration = `${foreseen.pause_s}s`;
  const stop = () => page.commands.press("undo");
  return [
    html("h2.doubt-title.foresees", { id: "doubt-title" }, page.say(foreseen.undoes ? "foreseen.undo-title" : "foreseen.title")),
    html("span.pause", { "aria-hidden": "true" }, bar),
    canPush(state, page) && !foreseen.undoes ? html("button.plain", { type: "button", "data-key": "stop", onclick: stop }, page.say("foreseen.stop")) : null,
  ];
}
