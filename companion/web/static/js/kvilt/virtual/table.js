/** The virtual table of Kvilt: sheets to colour on the page, with the camera's picture beside them. */

import { keepClear, part } from "../../frame.js";
import { box } from "../../patchwork/virtual/seeing.js";
import { stylesheet } from "../../stylesheet.js";
import { laid } from "../../virtual/laid.js";
import { CameraView } from "../../virtual/camera.js";
import { Brush } from "./brush.js";
import { Painting } from "./painting.js";
import { Tray } from "./tray.js";
import { Troubles } from "./troubles.js";
import "../../virtual/texts.js";
import "./texts.js";

/**
 * Enable colouring on the page.
 *
 * @param {import("../../views/page.js").Page} page
 * @param {() => import("../contract.js").KviltSheet | null} currentSheet  Returns the layout, or null until it is loaded.
 */
export async function open(page, currentSheet) {
  const { store } = page;
  const [{ table, ranges }] = await Promise.all([laid("kvilt"), stylesheet("/static/css/virtual.css"), stylesheet("/static/css/kvilt/virtual.css")]);
  const brush = new Brush(store, page.say("link.unreachable"));
  const painting = new Painting(brush, currentSheet);
  const tray = new Tray(page, brush, currentSheet);
  const camera = new CameraView(page, page.say("paint.camera-alt"), box(page.say("virtual.reading"), true, () => {}));
  const troubles = new Troubles(page, brush, ranges, /** @type {any} */ (table).styles);
  document.documentElement.dataset.table = "virtual";
  // After the push-buttons, so that those do not move.
  part("controls").after(tray.tray);
  keepClear(tray.tray, "--tray");
  part("offers").after(camera.card);
  part("track-room").after(troubles.card);
  for (const seat of [1, 2, 3, 4]) {
    const room = document.getElementById(`seat-${seat}`);
    if (room) painting.listen(room, seat);
  }
  // A state that arrived as an event is newer than the one requested.
  if (/** @type {any} */ (store.get().virtual)?.game !== table.game) store.set({ virtual: table });
  store.subscribe(() => {
    tray.draw();
    camera.draw();
    troubles.draw();
  });
  camera.start();
}
