/** Tests of describing a sheet while answers to earlier commands come. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Corners } from "../../../../companion/web/static/js/defining/steps/corners.js";
import { Pictures } from "../../../../companion/web/static/js/defining/steps/pictures.js";
import { Work } from "../../../../companion/web/static/js/defining/work.js";
import { server, turn } from "./server.js";

globalThis.document = { documentElement: { lang: "en" } };

const view = (changes) => ({ ok: true, corners: [[0, 0]], flat: 1, missing: [], saved: false, sheet: { page: { width: 210 } }, ...changes });
const begun = () => new Work({ language: { code: "en" }, say: String }, view({}));

test("what is entered is sent before a command, and stays after it", async () => {
  const [waiting, work] = [server(), begun()];
  work.sheet.page.width = 148;
  work.changed();
  work.send("/api/define/turn", {});
  await turn();
  assert.deepEqual(waiting.map(({ path }) => path), ["/api/define/sheet"]);
  work.sheet.page.width = 150;
  work.changed();
  await waiting[0].answer(view({ flat: 2 }));
  await waiting[1].answer(view({ flat: 3 }));
  assert.deepEqual([waiting[0].body.sheet.page.width, waiting[1].path], [148, "/api/define/turn"]);
  assert.deepEqual([work.sheet.page.width, work.view.flat], [150, 3]);
  // The last change would be sent in the middle of the next test.
  clearTimeout(work.soon);
});

test("corners that are being dragged are not put back", async () => {
  const [waiting, work] = [server(), begun()];
  const step = new Corners({ work, say: String, redraw() {} });
  work.view.photo = [100, 100];
  step.items()[0].pull(0, [1, 1]);
  step.dropped();
  await turn();
  const held = step.items()[0];
  held.pull(0, [2, 2]);
  await waiting[0].answer(view({ corners: [[1, 1]], photo: [100, 100] }));
  assert.deepEqual(work.view.corners, [[2, 2]]);
  held.pull(0, [3, 3]);
  step.dropped();
  await turn();
  assert.deepEqual(waiting[1].body.corners, [[3, 3]]);
});

test("pictures found for other cells are dropped, and those drawn meanwhile stay", async () => {
  const waiting = server();
  const row = { cell: [[0, 0, 1, 1], [1, 0, 1, 1]], picture_outline: [null, null] };
  const work = { sheet: { quilt: { row: [row] } }, changed() {} };
  const step = new Pictures({ work, page: { language: { code: "en" }, say: String }, say: String });
  step.find();
  row.picture_outline[1] = [[9, 9]];
  await waiting[0].answer({ ok: true, outlines: [[[1, 1]], [[2, 2]]] });
  assert.deepEqual(row.picture_outline, [[[1, 1]], [[9, 9]]]);
  step.find();
  row.cell.pop();
  row.picture_outline = [null];
  await waiting[1].answer({ ok: true, outlines: [[[3, 3]], [[4, 4]]] });
  assert.deepEqual(row.picture_outline, [null]);
});
