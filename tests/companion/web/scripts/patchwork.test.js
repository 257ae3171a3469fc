/** Tests of the hand at the virtual table of Patchwork, and of the rules for what it lays. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellOf, nameOf, shapeKey, twinsOf } from "../../../../companion/web/static/js/patchwork/shapes.js";
import { objection, overlapped } from "../../../../companion/web/static/js/patchwork/virtual/fit.js";
import { Hand } from "../../../../companion/web/static/js/patchwork/virtual/hand.js";
import { changesOf } from "../../../../companion/web/static/js/patchwork/virtual/pieces.js";
import { Pointing } from "../../../../companion/web/static/js/patchwork/virtual/pointing.js";
import { putRight } from "../../../../companion/web/static/js/patchwork/virtual/righting.js";
import { storeWithKey, turn } from "./server.js";

test("the next piece stays in hand when the table answers about the one before", async () => {
  const answers = [];
  const asked = () => new Promise((go) => answers.push(go));
  const hand = new Hand(storeWithKey().get, { lay: asked, move: asked, lift: asked, token: asked });
  for (const refused of ["", "Something lies there."]) {
    hand.take({ patch: "domino", lying: null });
    hand.lay();
    hand.take({ patch: "plus", lying: null });
    answers.pop()(refused);
    await turn();
    assert.deepEqual([hand.held.patch, hand.held.refused, hand.held.sending], ["plus", "", false]);
  }
  hand.lay();
  answers.pop()("");
  await turn();
  assert.equal(hand.held, null);
});

test("a patch that was laid although the table was said not to answer is in hand no more", async () => {
  const store = storeWithKey();
  const hand = new Hand(store.get, { lay: async () => "The table does not answer; try again." });
  hand.take({ patch: "domino", lying: null });
  await hand.lay();
  store.set({ virtual: { pieces: [{ patch: "plus" }] } });
  hand.follow();
  assert.equal(hand.held.patch, "domino");
  store.set({ virtual: { pieces: [{ patch: "plus" }, { patch: "domino" }] } });
  hand.follow();
  assert.equal(hand.held, null);
});

test("a token that cannot be laid elsewhere stays in hand, and a scrolling finger drops nothing", async () => {
  const moves = [];
  const refusals = { token: ["Something lies there.", ""], lift: ["", "There is no such piece."] };
  const made = (what) => async () => (moves.push(what), refusals[what].shift());
  const hand = new Hand(storeWithKey().get, { lift: made("lift"), token: made("token") });
  hand.take({ patch: "token", lying: { piece: 7, seat: 1, x: 2, y: 3, angle: 0, flipped: false } });
  await hand.lay();
  assert.equal(hand.held.refused, "Something lies there.");
  Pointing.prototype.cancel.call({ drag: { id: 1, moved: false }, hide() {}, hand }, { pointerId: 1 });
  await hand.lay();
  assert.deepEqual([moves, hand.held], [["lift", "token", "token"], null]);
});

test("a piece appears over free squares, and a finger that taps it moves it until its place is chosen", () => {
  const store = storeWithKey();
  const pieces = [{ patch: "leather", cells: ["E5"] }, { patch: "bar3", cells: ["D4", "E4", "F4"] }];
  store.set({ snapshot: { patchwork: { turn: { seat: 1 }, seats: [{ seat: 1, pieces }] } } });
  const hand = new Hand(store.get, {});
  hand.take({ patch: "leather", lying: null });
  assert.equal([[3.5, 4.5], [5.5, 4.5], [4.5, 5.5]].some(([x, y]) => hand.held.x === x && hand.held.y === y), true);
  const at = (x, y) => Pointing.prototype.moves.call({ hand, byFinger: true, boards: { at: () => ({ seat: 1, x, y }) } }, 0, 0);
  assert.equal(at(hand.held.x, hand.held.y), false);
  assert.equal(at(1.5, 1.5), true);
  assert.deepEqual([hand.held.x, hand.held.y, hand.held.placed], [1.5, 1.5, true]);
  assert.equal(at(7.5, 7.5), false, "a second tap lays it");
});

test("put right, of two leather patches on a square one leaves, and what was lifted comes back", async () => {
  const recorded = [{ patch: "leather", cells: ["E5"] }, { patch: "leather", cells: ["A1"] }];
  const lying = (piece, cells) => ({ piece, patch: "leather", seat: 1, x: 0, y: 0, cells });
  const moves = [];
  const made = (what) => async (...given) => void moves.push([what, ...given]);
  const virtual = { pieces: [lying(4, ["E5"]), lying(9, ["E5"])], tokens: [] };
  const state = { own: {}, virtual, snapshot: { patchwork: { seats: [{ seat: 1, pieces: recorded }] } } };
  await putRight(() => state, { lift: made("lift"), lay: made("lay") });
  assert.deepEqual(moves, [["lift", 9], ["lay", "leather", { seat: 1, x: 0.5, y: 0.5, quarters: 0, flipped: false, snapped: true }]]);
});

test("what the rules forbid is said before a patch is laid", () => {
  const say = (key, values) => [key, ...Object.values(values ?? {})].join(" ");
  const seats = [{ seat: 1, name: "Anna", buttons: 5, pieces: [{ patch: "bar3", cells: ["A1", "B1", "C1"] }] }];
  const offers = [{ patch: "domino", buttons: 2 }, { patch: "plus", buttons: 8 }];
  const table = { turn: { seat: 1, must: "choose" }, market_known: true, offers, seats };
  const of = (more) => ({ snapshot: { game: { name: "patchwork" }, patchwork: { ...table, ...more } } });
  const cells = [{ row: 0, column: 0 }, { row: 1, column: 0 }];
  const said = (held, more = {}) => objection({ patch: "domino", seat: 1, over: true, lying: null, x: 4.5, y: 5, ...held }, cells, of(more), { say });

  assert.equal(said({}), "");
  assert.equal(said({ x: 0.5, y: 1 }), "fit.covered A1");
  assert.equal(said({ seat: 2 }), "fit.other Anna");
  assert.equal(said({ patch: "plus" }), "offers.short 3");
  assert.equal(said({ patch: "tee" }), "fit.later");
  assert.equal(said({ patch: "leather" }), "fit.no-leather");
  assert.equal(said({}, { turn: { seat: 1, must: "leather" } }), "fit.leather");
  assert.equal(said({ lying: { cells: [] } }), "");
  const own = { seat: 1, lying: { cells: ["C1", "B1", "A1"] }, x: 0.5, y: 1 };
  assert.deepEqual(overlapped(own, cells, of({})), []);
});

test("a shape is the same however it is turned or flipped", () => {
  const cells = ["A1", "A2", "A3", "B3"].map(cellOf);
  const flipped = ["B1", "B2", "B3", "A3"].map(cellOf);
  const other = ["A1", "A2", "A3", "B2"].map(cellOf);
  assert.equal(shapeKey(flipped), shapeKey(cells));
  assert.notEqual(shapeKey(other), shapeKey(cells));
  assert.equal(nameOf(cellOf("H4")), "H4");
});

test("a piece is turned and flipped only if that changes what it covers, in whatever way it lies", () => {
  const shapes = { plus: "B1 A2 B2 C2 B3", bar: "A1 B1 C1", tee: "A1 B1 C1 B2", zigzag: "A1 B1 B2 C2", block: "A1 B1 A2 B2" };
  const box = Object.fromEntries(Object.entries(shapes).map(([id, names]) => [id, { cells: names.split(" ").map(cellOf).map(({ row, column }) => [row, column]) }]));
  const turns = [...Object.keys(box), "leather", "token"].filter((patch) => changesOf(patch, box).turns);
  const flips = [...Object.keys(box), "leather", "token"].filter((patch) => changesOf(patch, box).flips);
  assert.deepEqual([turns, flips], [["bar", "tee", "zigzag"], ["tee", "zigzag"]]);
});

test("a patch is exchanged only for patches of its shape that are not laid yet", () => {
  const square = [[0, 0], [0, 1]];
  const box = { one: { id: "one", cells: square }, two: { id: "two", cells: [[0, 0], [1, 0]] }, three: { id: "three", cells: [[0, 0]] } };
  const state = (pieces) => ({ own: { patchwork: { box } }, snapshot: { patchwork: { seats: [{ pieces }] } } });
  const last = { patch: "one", new: true };
  assert.deepEqual(twinsOf(state([last])).map(({ id }) => id), ["one", "two"]);
  assert.deepEqual(twinsOf(state([{ patch: "two", new: false }, last])), []);
});
