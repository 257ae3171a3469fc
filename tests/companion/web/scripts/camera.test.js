import assert from "node:assert/strict";
import { test } from "node:test";

import { Motion } from "../../../../companion/web/static/js/camera/motion.js";
import { CameraView } from "../../../../companion/web/static/js/virtual/camera.js";

/** Return the pixels of a grey picture, with a brighter part at its beginning. @param {number} grey @param {number} [bright] */
function picture(grey, bright = 0) {
  const pixels = new Uint8ClampedArray(64 * 36 * 4).fill(grey);
  pixels.fill(grey + bright, 0, pixels.length / 16);
  return pixels;
}

/** Return the number of pictures sent in some seconds. @param {Motion} motion @param {number} from @param {number} seconds @param {(ms: number) => Uint8ClampedArray} seen */
function sent(motion, from, seconds, seen) {
  return Array.from({ length: seconds * 20 }, (_, index) => from + 50 * index).filter((ms) => motion.sends(seen(ms), ms)).length;
}

test("pictures are sent often while something moves in a part of them, and seldom at rest", () => {
  const motion = new Motion();
  assert.equal(sent(motion, 0, 4, (ms) => picture(100, (ms / 50) % 2 ? 60 : 0)), 40);
  const settling = sent(motion, 4000, 4, () => picture(100));
  assert.ok(settling >= 18 && settling <= 24, String(settling));
  assert.equal(sent(motion, 10000, 4, () => picture(100)), 9);
});

test("noise is no motion", () => {
  const motion = new Motion();
  sent(motion, 0, 6, () => picture(60));
  assert.equal(sent(motion, 6000, 4, (ms) => picture(60 + ((ms / 50) % 2 ? 3 : 0))), 9);
});

test("a camera that is starting is asked for no picture", () => {
  globalThis.document = { hidden: false };
  const asked = [];
  for (const awaited of [true, false]) {
    const page = { state: () => ({ link: "open", snapshot: { table: { awaited } } }) };
    CameraView.prototype.next.call({ page, seen: true, load: async () => asked.push(awaited), next() {} });
  }
  assert.deepEqual(asked, [false]);
});
