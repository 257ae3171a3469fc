/** The page on which a phone is the camera: it opens the rear camera, sends its pictures, and shows the boards that are seen. */

import { pathOf } from "../score/photo.js";
import { fill, html, svg } from "../dom.js";
import { part } from "../frame.js";
import { remembered } from "../keeping.js";
import { codeFor, languageOf } from "../language.js";
import { lightened } from "../score/sending.js";
import { ask } from "../setup/asking.js";
import { Motion } from "./motion.js";
import "../texts.js";
import "./texts.js";

/** The interval at which pictures are looked at, and that of another try after a failure. */
const LOOK_MS = 50;
const RETRY_MS = 1000;
/** The name under which a tab stores that its camera is in use. */
const IN_USE = "camera-in-use";
/** The time in which a camera chooses its settings before they are held. */
const SETTLES_MS = 2500;
const QUALITY = 0.85;
const STILL_QUALITY = 0.95;
/** What a camera may hold, by the name of its constraint. */
const HELD = { exposureMode: "camera.exposure", whiteBalanceMode: "camera.white", focusMode: "camera.focus" };

/** @typedef {import("../views/page.js").Page} Page */

class Handset {
  /** @param {Page} page @param {[number, number]} size */
  constructor(page, size) {
    this.page = page;
    this.wanted = size;
    this.video = /** @type {HTMLVideoElement} */ (html("video.camera-video", { playsinline: true, muted: true, autoplay: true }));
    this.video.muted = true;
    this.marks = svg("svg.camera-marks", { "aria-hidden": "true" });
    this.says = html("div.camera-says", { role: "status" });
    this.small = /** @type {HTMLCanvasElement} */ (html("canvas", { width: 64, height: 36 }));
    this.large = /** @type {HTMLCanvasElement} */ (html("canvas", {}));
    this.motion = new Motion();
    /** @type {MediaStreamTrack | undefined} */
    this.track = undefined;
    /** @type {WakeLockSentinel | undefined} */
    this.lock = undefined;
    this.running = this.opening = false;
    this.held = "";
    /** The times of the latest pictures, for the rate. @type {number[]} */
    this.times = [];
  }

  async start() {
    this.running = true;
    if (!(await this.openCamera())) {
      this.running = false;
      return choose(this.page, this.wanted, this.page.say("camera.refused"));
    }
    // A browser may discard the page while the screen is locked, and loads it again afterwards.
    sessionStorage.setItem(IN_USE, "1");
    fill(part("work"),
      html("div.camera-room", {}, this.video, this.marks),
      html("div.camera-side", {}, this.says, html("button.plain", { type: "button", "data-key": "stop", onclick: () => this.stop() }, this.page.say("camera.stop"))));
    this.stayAwake();
    document.addEventListener("visibilitychange", () => this.comeBack());
    setTimeout(() => this.hold(), SETTLES_MS);
    this.send();
  }

  stop() {
    this.running = false;
    sessionStorage.removeItem(IN_USE);
    this.track?.stop();
    this.lock?.release().catch(() => {});
    location.reload();
  }

  async openCamera() {
    const [width, height] = this.wanted;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 15 } } });
      this.video.srcObject = stream;
      [this.track] = stream.getVideoTracks();
      // A call, or another program, may take the camera away.
      this.track.onended = () => this.comeBack();
      await this.video.play();
      return true;
    } catch {
      return false;
    }
  }

  /** Hold what the camera has chosen by now, as far as the browser lets it. */
  async hold() {
    /** @type {any} */
    const able = this.track?.getCapabilities?.() ?? {};
    const names = [];
    for (const [name, text] of Object.entries(HELD)) {
      if (!able[name]?.includes("manual")) continue;
      try {
        await this.track?.applyConstraints(/** @type {any} */ ({ advanced: [{ [name]: "manual" }] }));
        names.push(this.page.say(text));
      } catch {
        // The camera goes on choosing it.
      }
    }
    this.held = names.length ? this.page.say("camera.held", { what: names.join(this.page.say("camera.comma")) }) : "";
  }

  async stayAwake() {
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch {
      // Without it the phone's own setting decides.
    }
  }

  /** Open the camera again after the screen was locked, or another program had it. */
  async comeBack() {
    if (!this.running || document.visibilityState !== "visible") return;
    this.stayAwake();
    if (this.opening || this.track?.readyState === "live") return;
    this.opening = true;
    // Another program may have the camera for some time after the page is seen again.
    while (this.running && !(await this.openCamera())) {
      fill(this.says, html("p.camera-fault", {}, this.page.say("camera.refused")));
      await new Promise((go) => setTimeout(go, RETRY_MS));
    }
    this.opening = false;
    setTimeout(() => this.hold(), SETTLES_MS);
  }

  /** Send pictures for as long as the camera is in use. */
  async send() {
    while (this.running) {
      await new Promise((go) => setTimeout(go, LOOK_MS));
      // During a call the picture stands still.
      if (document.visibilityState !== "visible" || this.track?.readyState !== "live" || this.track.muted || this.video.readyState < 2 || !this.motion.sends(this.glance(), performance.now())) continue;
      const answer = await this.sendPicture();
      if (answer.ok) {
        this.show(answer);
        if (answer.wants_still) await this.post("still", await this.photograph());
      } else {
        fill(this.says, html("p.camera-fault", {}, answer.status ? answer.error : this.page.say("camera.away")));
        await new Promise((go) => setTimeout(go, RETRY_MS));
      }
    }
  }

  /** Return the pixels of the picture, much reduced. */
  glance() {
    const ink = /** @type {CanvasRenderingContext2D} */ (this.small.getContext("2d", { willReadFrequently: true }));
    ink.drawImage(this.video, 0, 0, 64, 36);
    return ink.getImageData(0, 0, 64, 36).data;
  }

  /** @returns {Promise<any>} */
  async sendPicture() {
    const { videoWidth: width, videoHeight: height } = this.video;
    const scale = Math.min(1, Math.max(...this.wanted) / Math.max(width, height));
    [this.large.width, this.large.height] = [Math.round(width * scale), Math.round(height * scale)];
    this.large.getContext("2d")?.drawImage(this.video, 0, 0, this.large.width, this.large.height);
    return this.post("frame", await this.encoded(QUALITY));
  }

  /** @param {number} quality @returns {Promise<Blob>} */
  encoded(quality) {
    return new Promise((made) => this.large.toBlob((blob) => made(/** @type {Blob} */ (blob)), "image/jpeg", quality));
  }

  /** Return a photograph in the camera's full resolution, or the latest picture if the browser takes none. @returns {Promise<Blob>} */
  async photograph() {
    try {
      return await lightened(await new ImageCapture(/** @type {MediaStreamTrack} */ (this.track)).takePhoto());
    } catch {
      return this.encoded(STILL_QUALITY);
    }
  }

  /** @param {"frame" | "still"} what @param {Blob} picture @returns {Promise<any>} */
  async post(what, picture) {
    try {
      const response = await fetch(`/api/camera/${what}?language=${this.page.language.code}`, { method: "POST", headers: { "Content-Type": picture.type }, body: picture });
      return { status: response.status, ...(await response.json()) };
    } catch {
      return { ok: false };
    }
  }

  /** @param {{boards: Record<string, [number, number][]>, size: [number, number] | null, says: string[], table: string[]}} answer */
  show({ boards, size, says, table }) {
    const { say } = this.page;
    const [width, height] = size ?? [this.large.width, this.large.height];
    this.marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
    fill(this.marks, ...Object.entries(boards).map(([seat, corners]) => svg(`path.camera-board.camera-board-${seat}`, { d: pathOf(corners) })));
    const now = performance.now();
    this.times = [...this.times.filter((time) => now - time < 5000), now];
    const rate = say("camera.rate", { count: Math.round((10 * this.times.length) / 5) / 10 });
    const lines = table.length ? table : [say("camera.waits")];
    fill(this.says, ...says.map((each) => html("p.camera-fault", {}, each)), ...lines.map((each) => html("p", {}, each)), html("p.camera-note", {}, `${rate} ${this.held}`));
  }
}

/**
 * Show the button that begins, or what is in the way.
 *
 * @param {Page} page @param {[number, number]} size @param {string} fault
 */
function choose(page, size, fault) {
  const { say } = page;
  fill(part("work"),
    html("section.card.camera-choose", {},
      html("h1", {}, say("camera.title")),
      fault && html("p.camera-fault", { role: "alert" }, fault),
      html("p", {}, say("camera.how")),
      html("button.plain.camera-main", { type: "button", "data-key": "use", onclick: () => new Handset(page, size).start() }, say("camera.use")),
      html("a.plain", { href: "/" }, say("camera.table"))));
}

/** @param {Page} page @param {string} fault @param {Node | null} [more] */
function refuse({ say }, fault, more) {
  fill(part("work"), html("section.card.camera-choose", {}, html("h1", {}, say("camera.title")), html("p.camera-fault", { role: "alert" }, fault), more ?? null, html("a.plain", { href: "/" }, say("camera.table"))));
}

async function main() {
  const language = await languageOf(codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]), "-whole");
  const { say } = language;
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  document.documentElement.dataset.theme = remembered("theme") ?? "auto";
  document.title = say("camera.title");
  const page = /** @type {Page} */ (/** @type {unknown} */ ({ language, say }));
  const state = await ask("/api/camera", page);
  if (!state.ok) return refuse(page, state.status === 401 ? say("camera.no-key") : state.error ?? "");
  if (!state.is_camera) return refuse(page, say("camera.other"));
  if (!isSecureContext || !navigator.mediaDevices) {
    const link = state.secure ? html("a.plain.camera-main", { href: `https://${location.hostname}:${state.secure}/camera` }, say("camera.secure")) : html("p", {}, say("camera.configure"));
    return refuse(page, say("camera.insecure"), link);
  }
  if (sessionStorage.getItem(IN_USE)) return void new Handset(page, state.size).start();
  choose(page, state.size, "");
}

await main();
