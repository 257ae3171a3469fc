/** The patches on offer and the consequences of taking each. */

import { html } from "../dom.js";
import { buttonIcon, leatherIcon, seatIcon, timeIcon } from "../icons.js";
import { nameOf } from "../views/page.js";
import { patchPicture } from "./quilt.js";
import { toCell } from "./shapes.js";
import { own, seatOf, tabletop } from "./state.js";
import "./texts.js";

const NEXT_SHOWN = 7;

/**
 * @typedef {import("../views/page.js").PageState} PageState
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {import("../contract.js").Offer} Offer
 */

/**
 * Return the patches on offer, or the leather patch to place.
 *
 * @param {PageState} state
 * @param {Page} page
 */
export function offersView(state, page) {
  const table = state.snapshot?.patchwork;
  if (!table || table.result) return [];
  if (table.turn.must === "leather") return leatherDue(table, state, page);
  if (!table.offers.length) return [];
  const many = !table.market_known;
  return [
    html("h2.section-title", { id: "offers-title" }, page.say(many ? "offers.any" : "offers.title")),
    html(`ul.offers${many ? ".offers-many" : ""}`, many ? { tabindex: 0, "aria-labelledby": "offers-title" } : {}, ...table.offers.map((offer) => offerCard(offer, state, page))),
    many ? null : following(table, state, page),
    ...table.circle_hints.map((says) => html("p.circle-hint", {}, says)),
  ];
}

/**
 * Return a note that a leather patch is due now, and the patches that will be on offer after it.
 *
 * @param {import("../contract.js").Patchwork} table
 * @param {PageState} state
 * @param {Page} page
 */
function leatherDue({ market_known: known, circle }, state, page) {
  const { box } = own(state);
  const next = known ? circle.slice(0, 3).filter((patch) => box[patch]) : [];
  return [
    html("div.leather-due", {}, leatherIcon(), html("p", {}, page.say("offers.leather"))),
    next.length > 0 && html("h2.section-title", { id: "offers-title" }, page.say("offers.after")),
    next.length > 0 && html("ul.offers", {}, ...next.map((patch) => html("li.offer", {}, ...goods({ ...box[patch], patch }, page)))),
  ];
}

/**
 * @param {Offer} offer
 * @param {PageState} state
 * @param {Page} page
 */
function offerCard(offer, state, page) {
  const mover = seatOf(state, state.snapshot?.patchwork?.turn.seat ?? null);
  const short = offer.buttons - (mover?.buttons ?? 0);
  const circle = tabletop(state)?.circle;
  const laid = Boolean(circle) && !circle?.includes(offer.patch);
  return html(
    `li.offer${offer.affordable && offer.fits ? "" : ".out-of-reach"}${laid ? ".laid" : ""}`,
    {},
    ...goods(offer, page),
    reach(offer, short, page) ?? brings(offer, state, page),
  );
}

/**
 * Return a patch with its name and price.
 *
 * @param {{patch: string, cells: [number, number][], buttons: number, time: number, income: number}} patch
 * @param {Page} page
 */
function goods(patch, page) {
  return [
    html("div.offer-cloth", {}, patchPicture(patch.patch, patch.cells.map(toCell), patch.income)),
    html("h3.offer-name", {}, page.say(`patch.${patch.patch}`)),
    price(patch, page),
  ];
}

/**
 * @param {{buttons: number, time: number, income: number}} patch
 * @param {Page} page
 */
function price(patch, page) {
  return html(
    "p.price",
    {},
    amount(buttonIcon(), page.language.digits(patch.buttons), page.say("offers.cost", { count: patch.buttons })),
    amount(timeIcon(), page.language.digits(patch.time), page.say("offers.time", { count: patch.time })),
    patch.income ? amount(null, page.say("offers.plus", { income: patch.income }), page.say("offers.income", { count: patch.income }), "gain") : null,
  );
}

/**
 * Return a number beside its icon, with a description for screen readers.
 *
 * @param {Node | null} icon
 * @param {string} shown
 * @param {string} spoken
 * @param {string} [kind]
 */
export function amount(icon, shown, spoken, kind = "") {
  return html(`span.amount${kind && `.${kind}`}`, {}, icon, html("span", { "aria-hidden": "true" }, shown), html("span.spoken", {}, spoken));
}

/**
 * @param {Offer} offer
 * @param {number} short
 * @param {Page} page
 */
function reach(offer, short, page) {
  if (short > 0) return html("p.reach", {}, page.say("offers.short", { count: short }));
  return offer.fits ? null : html("p.reach", {}, page.say("offers.no-room"));
}

/**
 * @param {Offer} offer
 * @param {PageState} state
 * @param {Page} page
 */
function brings({ brings: gain }, state, page) {
  const next = gain.ends ? page.say("offers.ends") : page.say("offers.next", { name: nameOf(state, gain.next_seat) });
  const won = [
    gain.income ? amount(buttonIcon(), page.say("offers.plus", { income: gain.income }), page.say("offers.paid", { count: gain.income })) : null,
    gain.leather ? html("span.amount", {}, leatherIcon(), page.say("offers.wins-leather")) : null,
  ].filter(Boolean);
  return html(
    "ul.brings",
    {},
    html("li", {}, page.say("offers.lands", { space: gain.time })),
    won.length ? html("li.gain", {}, ...won) : null,
    html("li.next", {}, gain.next_seat && !gain.ends ? seatIcon(gain.next_seat) : null, html("span.next-says", {}, next)),
  );
}

/**
 * Return the patches that follow those on offer in the circle.
 *
 * @param {import("../contract.js").Patchwork} table
 * @param {PageState} state
 * @param {Page} page
 */
function following({ circle, offers }, state, page) {
  const { box } = own(state);
  const rest = circle.slice(offers.length);
  const shown = rest.slice(0, NEXT_SHOWN).filter((patch) => box[patch]);
  if (!shown.length) return null;
  const pictures = shown.map((patch) => {
    const picture = patchPicture(patch, box[patch].cells.map(toCell), box[patch].income);
    return html("li", { "data-width": picture.dataset.width }, picture, html("span.spoken", {}, page.say(`patch.${patch}`)));
  });
  const more = rest.length - shown.length;
  return html(
    "div.following",
    {},
    html("h3.following-title", {}, page.say("offers.then")),
    html("ol.following-list", {}, ...pictures),
    more > 0 ? html("span.following-more", {}, page.say("offers.more", { count: more })) : null,
  );
}
