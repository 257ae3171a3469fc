/** The step for saving: what is missing or wrong, the sheet's name, and the button that writes its file. */

import { html } from "../../dom.js";

/** The step in which the sheet is named and saved. */
export class Saving {
  name = "saving";

  /** @param {import("../main.js").Describing} app */
  constructor(app) {
    this.app = app;
    this.busy = false;
  }

  /** Return the items of all steps, for review. @returns {import("../canvas.js").Item[]} */
  items() {
    return this.app.steps
      .filter(({ name }) => ["quilt", "pictures", "patches", "spools", "stitches", "pencils"].includes(name))
      .flatMap((step) => step.items().filter(({ form, key }) => form !== "none" && !key.startsWith("cell-")).map(({ shift, pull, handles, text, ...item }) => ({ ...item, key: `${step.name}-${item.key}` })));
  }

  /** Go to the step of the selected item. @param {string} key */
  choose(key) {
    const [name, ...rest] = key.split("-");
    const step = this.app.steps.find((one) => one.name === name);
    if (!step) return;
    this.app.go(step);
    this.app.selected = rest.join("-");
  }

  panel() {
    const { app } = this;
    const { view, sheet } = app.work;
    const good = !view.missing.length && !view.fault;
    return [
      app.field("name", "name", Object.values(sheet.title ?? {})[0] ?? "", (text) => { if (text.trim()) sheet.title = { en: text.trim() }; app.work.changed(); }, { maxlength: 60 }),
      html("p.define-note", {}, app.say("id", { id: sheet.id, file: view.file })),
      view.missing.length > 0 && html("div", {}, html("h3", {}, app.say("missing")), html("ul.define-missing", {}, ...view.missing.map(({ step, says }) => html("li", {}, html("button.define-link", { type: "button", "data-key": `to-${says}`, onclick: () => this.to(step) }, says))))),
      view.fault && html("div", {}, html("h3", {}, app.say("fault")), html("p.define-fault", { dir: "ltr", lang: "en" }, view.fault)),
      good && html("p.define-good", { role: "status" }, app.say(view.saved ? "saved" : "good", { file: view.file })),
      view.saved && html("p.define-command", { dir: "ltr" }, html("code", {}, `companion score PHOTO.jpg --game kvilt --sheet ${view.file}`)),
      html("button.plain.define-save", { type: "button", "data-key": "save", "aria-disabled": !good || this.busy, onclick: () => good && !this.busy && this.save() }, app.say("save", { file: view.file })),
    ];
  }

  /** @param {string} name */
  to(name) {
    const step = this.app.steps.find((one) => one.name === name);
    if (step) this.app.go(step);
  }

  async save() {
    const { work } = this.app;
    this.busy = true;
    await work.keep();
    if (!work.refused) await work.send("/api/define/save", {});
    this.busy = false;
    this.app.refresh();
  }
}
