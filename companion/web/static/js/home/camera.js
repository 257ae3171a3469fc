/** The choice of the camera over a real table, with its live picture and what is wrong with it in words. */

import { fill, html } from "../dom.js";
import { ask } from "../setup/asking.js";
import { showSheet } from "../views/dialog.js";
import { drawPicture } from "../virtual/livepicture.js";
import "./texts.js";

const PACE_MS = 900;

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {{driver: string, device: string, name: string}} Camera
 * @typedef {{fault: string, pictured: boolean, says: string, remarks: {says: string, blocks: boolean}[], ready: boolean}} Seen
 */

/**
 * Open the sheet.
 *
 * @param {Page} page
 * @param {() => void} begin  Called when the players want to begin at this camera.
 */
export async function openSheet(page, begin) {
  const { say } = page;
  const list = html("div.home-cameras", { role: "radiogroup", "aria-label": say("home.camera") });
  // Hidden until it is known that no picture comes: a phone and a camera in the network are not found, but may be chosen.
  const none = html("p", { hidden: true }, say("home.camera-none", { command: "\u2066companion doctor\u2069" }));
  const image = /** @type {HTMLCanvasElement} */ (html("canvas.home-preview", { role: "img", "aria-label": say("home.camera-alt"), width: 1536, height: 864, hidden: true }));
  const says = html("div.home-seen", { role: "status" });
  const again = html("button.plain", { type: "button", "data-key": "look-again", onclick: () => choices() }, say("home.camera-again"));
  const name = html("span.push-name", {}, say("home.camera-begin"));
  const go = html("button.push.push-confirm", { type: "button", hidden: true, "data-key": "begin", onclick: () => (sheet.close(), begin()) }, name);
  const sheet = showSheet(page, say("home.camera"), list, again, image, says, go);
  sheet.classList.add("wide");
  await choices();
  watch();

  async function choices() {
    const [found, held] = await Promise.all([ask("/api/home/cameras", page), ask("/api/settings", page)]);
    const value = (/** @type {string} */ key) => held.settings?.find((/** @type {any} */ one) => one.section === "camera" && one.key === key)?.value;
    const cameras = /** @type {Camera[]} */ (found.cameras ?? []);
    const driver = value("driver");
    const phone = { driver: "phone", device: "", name: say("home.camera-phone") };
    fill(
      list,
      ...(cameras.length ? cameras.map((camera) => choice(camera, camera.driver === driver && camera.device === value("device"))) : [none]),
      choice(phone, driver === "phone", say("home.camera-phone-how", { path: "\u2066/camera\u2069" })),
      driver === "phone" && html("button.plain", { type: "button", "data-key": "invite-camera", onclick: () => page.openSheet("invite") }, say("hand.invite")),
      network(),
    );
    // The only one there is needs no choice.
    if (cameras.length === 1 && !list.querySelector(":checked")) await take(cameras[0]);
  }

  /** Return the form for the address of a camera that is not plugged in. */
  function network() {
    const address = /** @type {HTMLInputElement} */ (html("input.home-text", { type: "url", dir: "ltr", required: true, placeholder: say("home.camera-url"), "aria-label": say("home.camera-url") }));
    const use = async (/** @type {Event} */ event) => {
      event.preventDefault();
      image.hidden = true;
      const answer = await ask("/api/home/network-camera", page, { url: address.value.trim() });
      if (answer.ok) await choices();
      fill(refused, answer.error ?? "");
    };
    const refused = html("span.refused", { role: "alert", dir: "auto" });
    return html("form.home-camera", { onsubmit: use }, html("span", {}, say("home.camera-network")), address, html("button.plain", { type: "submit", "data-key": "use-network" }, say("home.camera-use")), refused);
  }

  /** @param {Camera} camera @param {boolean} checked @param {string} [how] */
  function choice(camera, checked, how) {
    const input = html("input", { type: "radio", name: "camera", checked, onchange: () => take(camera) });
    return html("label.home-camera", {}, input, html("bdi", {}, camera.name), " ", html("span.home-device", how ? {} : { dir: "ltr" }, how ?? camera.device));
  }

  /** @param {Camera} camera */
  async function take({ driver, device }) {
    image.hidden = true;
    // A phone has no name by which it could be chosen.
    for (const [key, value] of device ? [["driver", driver], ["device", device]] : [["driver", driver]]) {
      const answer = await ask("/api/settings", page, { section: "camera", key, value });
      if (!answer.ok) return fill(says, html("p.refused", { role: "alert", dir: "auto" }, answer.error ?? ""));
    }
    await choices();
  }

  async function watch() {
    while (sheet.isConnected) {
      const seen = /** @type {Seen & import("../setup/asking.js").Answer} */ (/** @type {unknown} */ (await ask("/api/home/preview", page)));
      fill(says, ...told(seen));
      none.hidden = seen.pictured;
      go.hidden = !seen.pictured;
      name.textContent = say(seen.ready ? "home.camera-begin" : "home.camera-anyway");
      if (seen.pictured && (await drawPicture(image, "/camera.jpg?reading=0"))) image.hidden = false;
      await new Promise((go) => setTimeout(go, PACE_MS));
    }
  }

  /** @param {Seen & import("../setup/asking.js").Answer} seen */
  function told({ ok, error, fault, pictured, says: now, remarks, ready }) {
    if (!ok || fault) return [html("p.refused", { dir: "auto" }, fault || error || "")];
    if (!pictured) return [html("p", {}, html("span.needle", { "aria-hidden": "true" }), say("home.camera-opens"))];
    const faults = remarks.map((one) => html(`li${one.blocks ? ".refused" : ""}`, { dir: "auto" }, one.says));
    return [html("p.home-now", { dir: "auto" }, ready ? say("home.camera-ready") : now), faults.length ? html("ul.home-remarks", {}, ...faults) : null].filter((one) => one !== null);
  }
}
