/** The menu: controls from the bottom of the page, and those without room in the page's head. */

import { html } from "../dom.js";
import { helpAddress } from "../frame.js";
import { keep } from "../keeping.js";
import { LANGUAGES } from "../language.js";
import { voiceChoice } from "../signals/spoken.js";
import { signalSwitches } from "../signals/switches.js";
import { setTips, tips } from "../teaching/wish.js";
import { hasRules } from "../rules/sheet.js";
import { showSheet } from "./dialog.js";

/** Open the menu. @param {import("./page.js").Page} page */
export function openSheet(page) {
  // Those buttons themselves, so that each is offered here exactly when the game offers it there.
  const below = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#hand button")]);
  const acts = below.map((button) =>
    html("button.plain", { type: "button", onclick: () => (sheet.close(), button.click()) }, button.textContent),
  );
  const languages = LANGUAGES.map(({ code, name }) =>
    html("button.plain", { type: "button", lang: code, "aria-pressed": code === page.language.code, onclick: () => choose(code) }, name),
  );
  const isOn = tips() === "on";
  const teaching = html("button.plain", { type: "button", "data-key": "menu-tips", "aria-pressed": isOn, onclick: () => (sheet.close(), setTips(isOn ? "off" : "on", page)) }, page.say("tips.switch"));
  const rules = hasRules(page) && html("button.plain", { type: "button", "data-key": "menu-rules", onclick: () => (sheet.close(), page.openSheet("rules")) }, page.say("rules.title"));
  const help = html("a.plain", { href: helpAddress(page.language.code) }, page.say("page.help"));
  const { me } = page.state();
  const link = (/** @type {string} */ to) => html("a.plain", { href: `/${to}` }, page.say(`page.${to}`));
  const sheet = showSheet(
    page,
    page.say("page.menu"),
    html("div.menu", {}, ...acts, rules, teaching, help, link("tv"), me.phone_camera && link("camera"), me.secure && link("trust")),
    html("h3.section-title", {}, page.say("signals.title")),
    html("div.menu.signals", {}, ...signalSwitches(page)),
    voiceChoice(page),
    html("h3.section-title", {}, page.say("page.language")),
    html("div.menu", {}, ...languages),
  );
}

/** @param {string} code */
function choose(code) {
  keep("language", code);
  const address = new URL(location.href);
  address.searchParams.delete("language");
  location.replace(address);
}
