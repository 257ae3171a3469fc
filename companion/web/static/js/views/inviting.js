/** The code that lets another phone join: on a sheet for readers with the key, and in the corner of the TV view. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { showSheet } from "./dialog.js";

const RETRY_S = 20;

/**
 * @typedef {import("./page.js").Page} Page
 * @typedef {{code: string, url: string | null, expires_in_s: number, qr: string, may_open?: boolean}} Code
 */

/** Open the sheet with the code for another phone. @param {Page} page */
export function openSheet(page) {
  const card = html("div.invite");
  const sheet = showSheet(page, page.say("invite.title"), card);
  keepFresh(card, page, () => sheet.isConnected);
}

/**
 * Show the code in `card`, and a new one whenever the old one expires.
 *
 * @param {Element} card
 * @param {Page} page
 * @param {() => boolean} wanted  Whether the card is still visible.
 */
export async function keepFresh(card, page, wanted) {
  const code = await fetchCode();
  if (!wanted()) return;
  const reopened = () => keepFresh(card, page, wanted);
  fill(card, ...(code ? codeCard(code, page, reopened) : page.state().me.can_touch ? [] : keyless(page)));
  setTimeout(() => wanted() && keepFresh(card, page, wanted), 1000 * (code?.expires_in_s ?? RETRY_S));
}

/** @returns {Promise<Code | null>} */
async function fetchCode() {
  try {
    const response = await fetch("/api/code");
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/**
 * Return a note for a screen without the table's key, which gets no code: how to obtain one.
 *
 * @param {Page} page
 */
function keyless({ say }) {
  return [html("p.invite-how", {}, say("invite.keyless"), " ", html("bdi.invite-address", { dir: "ltr" }, location.host))];
}

/**
 * @param {Code} code
 * @param {Page} page
 * @param {() => void} reopened  Called when other machines can reach the page.
 */
function codeCard({ code, url, qr, may_open: mayOpen }, page, reopened) {
  // The offer is for the owner of the table and useless on a television.
  if (!url) return page.view === "tv" ? [] : mayOpen ? opening(page, reopened) : [html("p", {}, page.say("invite.alone"))];
  return [
    html("img.qr", { src: qr, alt: page.say("invite.qr"), width: 200, height: 200 }),
    html("p.invite-how", {}, page.say("invite.how"), " ", html("bdi.invite-address", { dir: "ltr" }, new URL(url).host)),
    html("p.invite-code", { dir: "ltr" }, html("span.spoken", {}, page.say("invite.code")), code),
  ];
}

/**
 * Return the offer to open the page to the home network, now and from now on.
 *
 * @param {Page} page
 * @param {() => void} opened
 */
function opening(page, opened) {
  const { say } = page;
  const says = html("p.refused", { role: "alert" });
  const open = async () => {
    const answer = await ask("/api/settings", page, { section: "page", key: "lan", value: true });
    if (!answer.ok) return fill(says, answer.error ?? "");
    const code = await fetchCode();
    if (code?.url) opened();
    else fill(says, say("invite.no-network"));
  };
  return [html("p", {}, say("invite.closed")), html("button.push.push-confirm", { type: "button", "data-key": "open-network", onclick: open }, html("span.push-name", {}, say("invite.open"))), says];
}
