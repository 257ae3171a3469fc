/** The page on which photographs are scored: choosing them, the progress of reading, corners by hand, and the score sheet. */

import { Picture } from "../calibrating/picture.js";
import { fill, html } from "../dom.js";
import { part } from "../frame.js";
import { keep, remembered } from "../keeping.js";
import { codeFor, LANGUAGES, languageOf } from "../language.js";
import { ask } from "../setup/asking.js";
import { stylesheet } from "../stylesheet.js";
import { scoringOf } from "./kinds.js";
import { lightened, send } from "./sending.js";
import "../setup/texts.js";
import "../texts.js";
import "./texts.js";

const PACE_MS = 500;

/**
 * @typedef {import("../views/page.js").Page} Page
 * @typedef {[number, number]} Point
 * @typedef {{size: [number, number] | null, stage: string, done: boolean, fault: string, can_show: boolean}} Photo
 * @typedef {{id: string, kind: string, boards: number, photos: Photo[], more: boolean, sheet: any, result: boolean, kept: number | null}} View
 * @typedef {{name: string, title: string, most: number}} Kind
 *
 * @typedef {object} Scoring  How one kind of reading is shown.
 * @property {string} how  The key of the text on how to photograph it.
 * @property {string} corners  The key of the text on how to show its corners.
 * @property {readonly string[]} [cornerNames]
 * @property {string} more  The key of the text by which another photograph is asked for.
 * @property {() => object} begin  Returns what was entered before anything was.
 * @property {(work: Work) => Node[]} draw
 * @property {(work: Work) => Promise<Blob | null>} [picture]  A picture to share.
 */

/** The work on the photographs of one game. */
export class Work {
  /** @param {Page} page @param {Kind[]} kinds @param {boolean} keeps */
  constructor(page, kinds, keeps) {
    this.page = page;
    this.kinds = kinds;
    this.keeps = keeps;
    this.kind = kinds[0].name;
    /** @type {View | null} */
    this.view = null;
    /** @type {Scoring | null} */
    this.scoring = null;
    /** What was entered so far, in the form of this kind. @type {any} */
    this.entered = {};
    /** The share of the photograph that is being sent, or null. @type {number | null} */
    this.sent = null;
    this.error = "";
    this.beganAt = 0;
    this.withPicture = false;
  }

  /** Go on with the photographs that the address names, or choose some. */
  async open() {
    const id = location.hash.slice(1);
    if (id && (await this.load(id))) return this.follow();
    history.replaceState(null, "", location.pathname + location.search);
    this.draw();
  }

  /** @param {string} id */
  async load(id) {
    const answer = await ask(`/api/photographs/${id}`, this.page);
    if (!answer.ok) return false;
    await this.show(/** @type {any} */ (answer));
    return true;
  }

  /** @param {View} view */
  async show(view) {
    if (!this.scoring || this.kind !== view.kind) {
      this.scoring = (await scoringOf(view.kind)).scoring;
      this.entered = this.scoring.begin();
    }
    this.kind = view.kind;
    this.view = view;
    this.draw();
  }

  /** Poll until all photographs have been read. */
  async follow() {
    this.beganAt = Date.now();
    while (this.view && !this.view.photos.every(({ done }) => done)) {
      const { id } = this.view;
      await new Promise((go) => setTimeout(go, PACE_MS));
      const answer = await ask(`/api/photographs/${id}`, this.page);
      if (this.view?.id !== id) return;
      this.error = answer.ok ? "" : answer.status === 404 ? this.page.say("score.gone") : this.page.say("score.unreachable");
      if (answer.status === 404) this.view = null;
      if (answer.ok) await this.show(/** @type {any} */ (answer));
      else this.draw();
    }
  }

  /** @param {FileList | null} files @param {boolean} more  Whether they belong to the photographs that are here. */
  async send(files, more) {
    const { say, language } = this.page;
    let key = more ? this.view?.id : undefined;
    for (const file of files ?? []) {
      this.sent = 0;
      this.error = "";
      this.draw();
      const path = `/api/photographs?kind=${this.kind}${key ? `&to=${key}` : ""}`;
      const answer = await send(path, await lightened(file), language.code, say("score.unreachable"), (share) => {
        this.sent = share;
        this.showSent();
      });
      this.sent = null;
      if (!answer.ok) this.error = answer.error ?? say("score.unreachable");
      key = answer.id ?? key;
    }
    if (!key) return this.draw();
    history.replaceState(null, "", `#${key}`);
    if (await this.load(key)) this.follow();
  }

  showSent() {
    const bar = /** @type {HTMLProgressElement | null} */ (document.querySelector("progress.score-sent"));
    if (bar && this.sent !== null) bar.value = this.sent;
  }

  /** Send what was entered, and draw the score sheet with it. */
  async enter() {
    const answer = await ask(`/api/photographs/${this.view?.id}/entered`, this.page, { entered: this.entered });
    await this.answered(answer);
  }

  /** Read a photograph at these corners, or return why they are refused. @param {number} number @param {Point[][]} corners */
  async readAt(number, corners) {
    const { id, photos } = /** @type {View} */ (this.view);
    const answer = await ask(`/api/photographs/${id}/corners`, this.page, { photo: number, corners });
    if (!answer.ok) return answer.error ?? "";
    // Corrections were made to another reading.
    if (!photos[number].fault) this.entered = this.scoring?.begin();
    await this.answered(answer);
    this.follow();
    return "";
  }

  /** Forget a photograph that could not be read; the others stay. @param {number} number */
  async leaveOut(number) {
    await this.answered(await ask(`/api/photographs/${this.view?.id}/leave-out`, this.page, { photo: number }));
  }

  async keep() {
    await this.answered(await ask(`/api/photographs/${this.view?.id}/keep`, this.page, { pictures: this.withPicture }));
  }

  /** @param {import("../setup/asking.js").Answer} answer */
  async answered(answer) {
    this.error = answer.ok ? "" : answer.error ?? "";
    if (answer.ok) await this.show(/** @type {any} */ (answer));
    else this.draw();
  }

  /** What was read, in the form of this kind. @returns {any} */
  get sheet() {
    return /** @type {View} */ (this.view).sheet;
  }

  /** Forget the photographs, and choose others. */
  async begin() {
    if (this.view) await ask(`/api/photographs/${this.view.id}/forget`, this.page, {});
    this.view = null;
    this.scoring = null;
    history.replaceState(null, "", location.pathname + location.search);
    this.draw();
  }

  /** @param {number} number */
  shot(number) {
    const { id, photos } = /** @type {View} */ (this.view);
    return { address: `/api/photographs/${id}/${number}.jpg`, size: photos[number].size ?? /** @type {[number, number]} */ ([4, 3]) };
  }

  draw() {
    const refused = html("p.score-refused", { role: "alert" }, this.error);
    const busy = this.sent !== null || this.view?.photos.some(({ done }) => !done);
    fill(part("work"), refused, ...(busy ? this.progress() : this.view ? this.result(this.view) : this.choosing()));
  }

  choosing() {
    const { say } = this.page;
    const kinds = this.kinds.map(({ name, title }) =>
      html("label.score-kind", {}, html("input", { type: "radio", name: "kind", value: name, "data-key": `kind-${name}`, checked: name === this.kind, onchange: () => this.choose(name) }), html("span", {}, title)),
    );
    return [
      html("section.card.score-choose", {},
        html("fieldset.score-kinds", {}, html("legend.section-title", {}, say("score.what")), ...kinds),
        html("p", {}, say(HOW[this.kind] ?? "score.how-game")),
        html("div.score-buttons", {}, this.chooser("take", "score.take", false, true), this.chooser("choose", "score.choose", false, false)),
        html("p.score-note", {}, say("score.forgotten"))),
    ];
  }

  /** @param {string} name */
  choose(name) {
    this.kind = name;
    this.draw();
  }

  /**
   * Return a file input that looks like a button.
   *
   * @param {string} key @param {string} text @param {boolean} more @param {boolean} camera  Whether the camera is opened at once.
   */
  chooser(key, text, more, camera) {
    const most = this.kinds.find(({ name }) => name === this.kind)?.most ?? 1;
    const input = html("input.spoken", { type: "file", accept: "image/jpeg,image/png", capture: camera ? "environment" : null, multiple: !camera && most > 1, "data-key": key, onchange: () => this.send(/** @type {HTMLInputElement} */ (input).files, more) });
    return html(`label.plain.score-file${camera ? ".score-main" : ""}`, {}, this.page.say(text), input);
  }

  progress() {
    const { say, language } = this.page;
    const items = (this.view?.photos ?? []).map((photo, number) => {
      const says = photo.done ? photo.fault || "✓" : say("score.reading", { stage: photo.stage, count: Math.round((Date.now() - this.beganAt) / 1000) });
      const shown = photo.size && html("img.score-thumb", { src: this.shot(number).address, alt: say("score.photo", { number: number + 1 }) });
      return html("li.card.score-step", {}, shown, html("p", { role: "status" }, says), !photo.done && html("progress", { "aria-label": photo.stage }));
    });
    const sending = this.sent !== null && html("li.card.score-step", {}, html("p", { role: "status" }, say("score.sending", { share: language.digits(Math.round(100 * this.sent)) })), html("progress.score-sent", { value: this.sent, max: 1, "aria-label": say("score.sending", { share: language.digits(Math.round(100 * this.sent)) }) }));
    return [html("ul.score-steps", {}, ...items, sending)];
  }

  /** @param {View} view */
  result(view) {
    const faulty = view.photos.findIndex(({ fault }) => fault);
    if (faulty >= 0) return this.fault(view.photos[faulty], faulty);
    const { say } = this.page;
    const { draw, picture, more } = /** @type {Scoring} */ (this.scoring);
    const another = view.more && html("section.card.score-more", {}, html("p", {}, say(more)), html("div.score-buttons", {}, this.chooser("take", "score.take", true, true), this.chooser("choose", "score.choose", true, false)));
    const keeping = this.keeps && view.sheet && view.result && html("div.score-keep", {},
      html("button.plain.score-main", { type: "button", "data-key": "keep", onclick: () => this.keep() }, say("score.keep")),
      html("label.score-check", {}, html("input", { type: "checkbox", checked: this.withPicture, "data-key": "with-picture", onchange: (/** @type {any} */ event) => (this.withPicture = event.target.checked) }), say("score.keep-picture")),
      view.kept !== null && html("p.score-good", { role: "status" }, say("score.kept")));
    return [
      ...draw(this),
      another || null,
      html("section.score-ends", {}, keeping || null,
        html("div.score-buttons", {},
          picture && view.result && html("button.plain", { type: "button", "data-key": "share", onclick: () => this.share() }, say("score.share")),
          ...(view.boards ? view.photos : []).map((_, number) => html("button.plain", { type: "button", "data-key": `show-${number}`, onclick: () => this.corners(number) }, view.photos.length > 1 ? say("score.show-in", { number: number + 1 }) : say("score.show"))),
          html("button.plain", { type: "button", "data-key": "new", onclick: () => this.begin() }, say("score.new"))),
        html("div", { id: "shared" })),
    ];
  }

  /** @param {Photo} photo @param {number} number */
  fault(photo, number) {
    const { say } = this.page;
    const shown = photo.size && html("img.score-shown", { src: this.shot(number).address, alt: say("score.photo", { number: number + 1 }) });
    return [
      html("section.card.score-fault", {}, html("p.score-refused", { role: "alert" }, photo.fault), shown,
        html("div.score-buttons", {},
          photo.can_show && html("button.plain.score-main", { type: "button", "data-key": `show-${number}`, onclick: () => this.corners(number) }, say("score.show")),
          this.view?.photos.length === 1
            ? html("button.plain", { type: "button", "data-key": "new", onclick: () => this.begin() }, say("score.again"))
            : html("button.plain", { type: "button", "data-key": "leave-out", onclick: () => this.leaveOut(number) }, say("score.leave-out")))),
    ];
  }

  /** Let people drag the corners of the boards. @param {number} number */
  async corners(number) {
    await stylesheet("/static/css/calibrating.css");
    const { say } = this.page;
    const view = /** @type {View} */ (this.view);
    const { address, size } = this.shot(number);
    const { corners: how, cornerNames } = /** @type {Scoring} */ (this.scoring);
    const seats = (view.sheet?.seats ?? view.sheet?.sheets ?? []).filter((/** @type {any} */ seat) => seat.photo === number && seat.corners);
    const picture = new Picture(this.page, () => {}, address, cornerNames);
    picture.canvas.setAttribute("aria-label", say("score.photo", { number: number + 1 }));
    const place = (/** @type {Point[][]} */ boards) => picture.show(/** @type {any} */ ({ size, corners: Object.fromEntries(boards.map((corners, index) => [index + 1, corners])) }));
    const refused = html("p.score-refused", { role: "alert" });
    const read = async () => fill(refused, await this.readAt(number, Object.values(picture.corners)));
    const counts = (view.boards > 1 ? [1, 2] : []).map((count) =>
      html("button.plain", { type: "button", "data-key": `boards-${count}`, onclick: () => place(guesses(count, size)) }, say(count === 1 ? "score.one-board" : "score.two-boards")));
    fill(part("work"),
      html("section.card.score-corners", {}, html("p", {}, say(how)), picture.element, refused,
        html("div.score-buttons", {}, ...counts, html("button.plain.score-main", { type: "button", "data-key": "read-there", onclick: read }, say("score.read-again")),
          html("button.plain", { type: "button", "data-key": "cancel", onclick: () => this.draw() }, say("score.cancel")))));
    place(seats.length ? seats.map((/** @type {any} */ seat) => seat.corners) : guesses(view.boards, size));
  }

  /** Draw a picture of the result, and offer to share and to save it. */
  async share() {
    const { say } = this.page;
    const blob = await this.scoring?.picture?.(this);
    if (!blob) return;
    const file = new File([blob], "score.png", { type: "image/png" });
    const shares = Boolean(navigator.canShare?.({ files: [file] }));
    const address = URL.createObjectURL(blob);
    fill(part("shared"),
      html("img.score-shown", { src: address, alt: say("score.share") }),
      html("div.score-buttons", {},
        // A user who changes their mind rejects it, which is no error.
        shares && html("button.plain", { type: "button", onclick: () => navigator.share({ files: [file] }).catch(() => {}) }, say("score.share")),
        html("a.plain", { href: address, download: "score.png", "data-key": "save-picture" }, say("score.save"))));
    part("shared").scrollIntoView({ block: "nearest" });
  }
}

/** The keys of the texts on how to photograph each kind. */
const HOW = /** @type {Record<string, string>} */ ({});

/**
 * Return squares in the middle of a picture, for people to drag onto the boards.
 *
 * @param {number} count
 * @param {readonly [number, number]} size
 * @returns {Point[][]}
 */
function guesses(count, [width, height]) {
  const side = 0.7 * Math.min(width / count, height);
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [(width * (index + 0.5)) / count, height / 2];
    const [left, right, top, bottom] = [x - side / 2, x + side / 2, y - side / 2, y + side / 2];
    return /** @type {Point[]} */ ([[left, top], [right, top], [right, bottom], [left, bottom]]);
  });
}

async function main() {
  const code = codeFor([new URLSearchParams(location.search).get("language") ?? remembered("language") ?? "", ...navigator.languages]);
  const language = await languageOf(code, "-whole");
  const { say } = language;
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.dir;
  document.documentElement.dataset.theme = remembered("theme") ?? "auto";
  document.title = say("score.title");
  fill(part("title"), say("score.title"));
  fill(part("table"), say("score.table"));
  part("language").setAttribute("aria-label", say("score.language"));
  fill(part("language"), ...LANGUAGES.map(({ code: each, name }) => html("option", { value: each, selected: each === language.code, lang: each }, name)));
  part("language").addEventListener("change", (event) => (keep("language", /** @type {HTMLSelectElement} */ (event.target).value), location.reload()));
  const page = /** @type {Page} */ (/** @type {unknown} */ ({ language, say, state: () => ({ snapshot: null }) }));
  const answer = await ask("/api/photographs", page);
  if (!answer.ok) return fill(part("work"), html("p.score-refused", { role: "alert" }, answer.status === 401 ? say("score.no-key") : answer.error ?? ""));
  for (const { name } of answer.kinds) HOW[name] = (await scoringOf(name)).scoring.how;
  await new Work(page, answer.kinds, answer.keeps).open();
}

await main();
