/** Tests of colouring at the virtual table of Kvilt. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Brush } from "../../../../companion/web/static/js/kvilt/virtual/brush.js";
import { weaveOf } from "../../../../companion/web/static/js/kvilt/weaves.js";
import { server, storeWithKey, turn } from "./server.js";

// The reader's language goes with each command.
globalThis.document = { documentElement: { lang: "en" } };

const lying = (store) => (marks) => store.set({ virtual: { game: "kvilt", sheets: [{ seat: 1, marks }] } });

test("a stroke stays until the table has it, before or after the answer", async () => {
  const [waiting, store] = [server(), storeWithKey()];
  const lies = lying(store);
  lies({});
  const brush = new Brush(store, "unreachable");
  brush.take("red");
  brush.stroke(1, "p1");
  await turn();
  await waiting[0].answer({ ok: true });
  assert.deepEqual(brush.marks(1), { p1: "red" });
  lies({ p1: "red" });
  assert.deepEqual(brush.marks(1), { p1: "red" });
  // Another page rubs it out.
  lies({});
  assert.deepEqual(brush.marks(1), {});

  brush.stroke(1, "p2");
  await turn();
  lies({ p2: "red" });
  await waiting[1].answer({ ok: true });
  lies({});
  assert.deepEqual(brush.marks(1), {});
});

test("the newest stroke on a region holds, whatever becomes of the one before", async () => {
  const [waiting, store] = [server(), storeWithKey()];
  lying(store)({});
  const brush = new Brush(store, "unreachable");
  brush.take("red");
  brush.stroke(1, "p1");
  brush.take("blue");
  brush.stroke(1, "p1");
  await turn();
  await waiting[0].answer({ ok: false, error: "It is coloured already." }, 409);
  assert.deepEqual([brush.marks(1), brush.paint.says], [{ p1: "blue" }, "It is coloured already."]);
  await waiting[1].answer({ ok: false, error: "It is coloured already." }, 409);
  assert.deepEqual(brush.marks(1), {});
});

test("each colour of a sheet has a pattern of its own", () => {
  const colours = ["a", "b", "c", "d", "e", "f"].map((key) => ({ key }));
  assert.equal(new Set(colours.map(({ key }) => weaveOf({ colours }, key))).size, 6);
});
