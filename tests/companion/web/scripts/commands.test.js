/** Tests of commands whose answers come in another order than they were sent. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { commandsFor } from "../../../../companion/web/static/js/commands.js";
import { server, storeWithKey } from "./server.js";

// The reader's language goes with each command.
globalThis.document = { documentElement: { lang: "en" } };

test("the answer to an older command does not replace that to a newer one", async () => {
  const [waiting, store] = [server(), storeWithKey()];
  const commands = commandsFor(store, "unreachable");
  commands.press("confirm");
  commands.circle("place", {});
  await waiting[1].answer({ ok: true, says: "new" });
  await waiting[0].answer({ ok: true, says: "old" });
  assert.equal(store.get().said.text, "new");

  commands.press("confirm");
  commands.press("undo");
  await waiting[2].answer({ ok: true });
  assert.equal(store.get().busy, "undo");
});

test("a question is answered once, and again if the answer was refused", async () => {
  const [waiting, store] = [server(), storeWithKey()];
  const { answer } = commandsFor(store, "unreachable");
  store.set({ snapshot: { number: 1 } });
  answer(0);
  answer(0);
  await waiting[0].answer({ ok: true });
  answer(0);
  assert.equal(waiting.length, 1);

  store.set({ snapshot: { number: 2 } });
  answer(1);
  await waiting[1].answer({ ok: false, error: "refused" }, 409);
  answer(2);
  assert.deepEqual(waiting.map(({ body }) => body.option), [0, 1, 2]);
});
