/** Tests of the state that the table's events leave behind. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { commandsFor } from "../../../../companion/web/static/js/commands.js";
import { banner } from "../../../../companion/web/static/js/frame.js";
import { createStore, emptyState, listen } from "../../../../companion/web/static/js/store.js";
import { server } from "./server.js";

globalThis.addEventListener = () => {};
globalThis.document = { addEventListener: () => {}, documentElement: { lang: "en", dataset: {} } };

/** Return a store that follows a stream, and the function that sends an event through it. */
function followed() {
  let source;
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super();
      source = this;
    }
    close() {}
  };
  const store = createStore(emptyState());
  listen(store, "/api/events");
  return { store, send: (topic, data) => source.dispatchEvent(new MessageEvent(topic, { data: JSON.stringify(data) })) };
}

test("the virtual table of the game on the page stays when another game's comes", () => {
  const { store, send } = followed();
  const lies = () => [store.get().virtual.game, store.get().virtual.at];
  send("snapshot", { game: { name: "kvilt" }, strip: { pixels: [] } });
  send("virtual", { game: "patchwork", at: 1 });
  send("virtual", { game: "kvilt", at: 2 });
  assert.deepEqual(lies(), ["kvilt", 2]);
  send("virtual", { game: "patchwork", at: 3 });
  assert.deepEqual(lies(), ["kvilt", 2]);
});

test("what a game's desk sends is kept under the game's name beside what its modules have added", () => {
  const { store, send } = followed();
  store.setOwn("dominoes", { box: [1] });
  send("desk", { dominoes: { stock: 7 } });
  send("desk", { other: { stock: 1 } });
  assert.deepEqual(store.get().own, { dominoes: { box: [1], stock: 7 }, other: { stock: 1 } });
});

test("a snapshot's pixels do not stop the animation that the strip repeats", () => {
  const { store, send } = followed();
  send("strip", { pixels: ["#000"], loop: [["#000"], ["#fff"]], loop_s: 2 });
  send("snapshot", { game: null, strip: { pixels: ["#fff"] } });
  assert.deepEqual([store.get().strip, store.get().link], [["#000"], "open"]);
  send("snapshot", { game: null, over: true, strip: { pixels: [] } });
  assert.equal(store.get().link, "over");
});

test("the answer to a command is gone after the decision that follows its own, once it can have been read", async ({ mock }) => {
  const [waiting, { store, send }] = [server(), followed()];
  const comes = (decisions) => send("snapshot", { game: { decisions }, strip: { pixels: [] } });
  const said = () => store.get().said?.text;
  comes(4);
  commandsFor(store, "unreachable").press("advance");
  comes(5);
  await waiting[0].answer({ ok: true, says: "It is the robot’s turn." });
  comes(5);
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  comes(6);
  mock.timers.tick(2500);
  assert.equal(said(), "It is the robot’s turn.");
  mock.timers.tick(2500);
  assert.equal(said(), undefined);

  store.set({ said: { text: "later", refused: false, decisions: 7, at: Date.now() } });
  mock.timers.tick(9000);
  assert.equal(said(), "later");
  comes(8);
  assert.equal(said(), undefined);
});

test("that the table did not answer is no longer said once it is back", async ({ mock }) => {
  const { store, send } = followed();
  globalThis.fetch = () => Promise.reject(new TypeError("offline"));
  await commandsFor(store, "unreachable").press("advance");
  assert.equal(store.get().said.text, "unreachable");
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 5000 });
  send("snapshot", { game: { decisions: 4 }, strip: { pixels: [] } });
  assert.equal(store.get().said, null);
});

test("where no game was, a goodbye says nothing until the table is out of reach; a game that was there has ended", () => {
  const element = {};
  document.getElementById = () => element;
  const { store, send } = followed();
  store.subscribe(banner({ say: (key) => key }));
  const says = (game, ...topics) => {
    send("snapshot", { game, strip: { pixels: [] } });
    for (const topic of topics) send(topic, {});
    return element.textContent;
  };
  assert.deepEqual([says(null, "bye"), says(null, "bye", "error")], ["", "link.lost"]);
  assert.deepEqual([says({}, "bye"), says({}, "bye", "error"), says({}, "error")], ["link.over", "link.over", "link.lost"]);
});
