/** The current choice in Kvilt: the options, a complaint about a sheet, and the three push-buttons. */

import { html } from "../dom.js";
import { answered, doubtLine, pushButtons, undoing } from "../views/controls.js";
import { canPush } from "../views/page.js";
import { nameOfColour, pencil, scrap, screenOf } from "./colours.js";
import { weaveOf } from "./weaves.js";
import "./texts.js";

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("./contract.js").KviltOption} KviltOption
 * @typedef {import("./contract.js").KviltSheet} KviltSheet
 */

/**
 * Return a function that draws the options of the current choice.
 *
 * @param {() => KviltSheet | null} sheet
 * @returns {(state: PageState, page: Page) => (Node | null)[]}
 */
export function choiceView(sheet) {
  return (state, page) => {
    const choice = state.snapshot?.kvilt?.choice;
    if (!choice) return [];
    const options = choice.options.map((option, index) => optionCard(option, index, choice, state, page, sheet()));
    const none = choice.asks === "doubt" && canPush(state, page);
    return [
      html("h2.section-title.kvilt-asks", { id: "offers-title" }, page.say(`kvilt.asks-${choice.asks}`), choice.drawn ? inHand(choice.drawn, sheet(), page) : null),
      html("div.kvilt-ask", {}, crop(state, page), html(`ul.kvilt-options.of-${choice.asks}`, {}, ...options)),
      none ? html("button.plain", { type: "button", "data-key": "none", onclick: () => page.commands.answer(null) }, page.say("kvilt.look-again")) : null,
    ];
  };
}

/**
 * Return the drawn pencil, shown beside the question where to place it.
 *
 * @param {string} colour
 * @param {KviltSheet | null} sheet
 * @param {Page} page
 */
function inHand(colour, sheet, page) {
  return html("span.in-hand", {}, pencil(screenOf(sheet, colour), weaveOf(sheet, colour)), nameOfColour(sheet, colour, page));
}

/**
 * Return the camera's picture of the regions in question, for readers who may see its pictures.
 *
 * @param {PageState} state
 * @param {Page} page
 */
function crop({ snapshot, me }, page) {
  const path = snapshot?.kvilt?.crop;
  if (!path || !me.can_see_camera) return null;
  const image = html("img", { src: path, alt: page.say("kvilt.crop"), width: 480 });
  const figure = html("figure.crop.kvilt-crop", {}, image, html("figcaption", {}, page.say("crop.caption")));
  image.addEventListener("error", () => figure.remove(), { once: true });
  return figure;
}

/**
 * @param {KviltOption} option
 * @param {number} index
 * @param {import("./contract.js").KviltChoice} choice
 * @param {PageState} state
 * @param {Page} page
 * @param {KviltSheet | null} sheet
 */
function optionCard(option, index, choice, state, page, sheet) {
  const chosen = index === choice.shown;
  const look = choice.asks === "token" ? scrap : pencil;
  const pictures = option.colours.map((key) => look(screenOf(sheet, key), weaveOf(sheet, key)));
  const content = [pictures.length ? html("span.option-pencils", {}, ...pictures) : null, html("span.option-says", { dir: "auto" }, option.says)];
  if (!canPush(state, page)) return html("li.option", { "aria-current": chosen }, ...content);
  const take = () => page.commands.answer(index);
  return html("li", {}, html("button.option", { type: "button", "data-key": `option-${index}`, "aria-current": chosen, onclick: take }, ...content));
}

/**
 * Return the current complaint.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function complaintView({ snapshot }, page) {
  const complaint = snapshot?.kvilt?.complaint;
  if (!complaint) return [];
  return [html("h2.doubt-title.complains", { id: "doubt-title" }, page.say("complaint.title"))];
}

/**
 * Return the push-buttons for readers with the table's key, and the answer to the last press.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function pushView(state, page) {
  const { snapshot, said } = state;
  if (!canPush(state, page) || !snapshot?.game) return [];
  const choice = snapshot.kvilt?.choice;
  // The page shows the choice already.
  const isNews = said && (said.refused || (said.text !== choice?.says && choice?.asks !== "take-back"));
  const does = {
    undo: undoing(state, page),
    advance: { sense: page.say("kvilt.advance"), idle: !choice || choice.options.length < 2 },
    confirm: { sense: choice?.options[choice.shown]?.says ?? "", idle: !choice },
  };
  return [doubtLine(state), isNews ? answered(state) : null, pushButtons(does, state, page)];
}
