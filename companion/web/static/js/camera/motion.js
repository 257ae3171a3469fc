/** When a picture is worth sending: often while something moves, seldom while nothing does. */

/** The least time between two pictures, in ms: while something moves, shortly after, and at rest. */
export const PACES_MS = { moving: 100, settling: 200, resting: 500 };
/** The time after the last motion for which the table still looks for what has changed. */
const SETTLES_MS = 4000;
/** The mean difference of a pixel, of 255, from which something moves; noise of a dim picture has up to 4. */
const MOVES = 5;

/** The choice of the pictures of a camera that are sent. */
export class Motion {
  constructor() {
    /** @type {Uint8ClampedArray | null} */
    this.last = null;
    this.movedAt = -Infinity;
    this.sentAt = -Infinity;
  }

  /**
   * Return whether the picture of this moment is to be sent.
   *
   * @param {Uint8ClampedArray} pixels  Small: red, green, blue and opacity of each pixel.
   * @param {number} now_ms
   */
  sends(pixels, now_ms) {
    if (this.last === null || this.differs(pixels, this.last)) this.movedAt = now_ms;
    this.last = pixels;
    const still = now_ms - this.movedAt;
    const pace = still < PACES_MS.settling ? PACES_MS.moving : still < SETTLES_MS ? PACES_MS.settling : PACES_MS.resting;
    // A tenth less, as timers come a little early or late.
    if (now_ms - this.sentAt < 0.9 * pace) return false;
    this.sentAt = now_ms;
    return true;
  }

  /** @param {Uint8ClampedArray} one @param {Uint8ClampedArray} other */
  differs(one, other) {
    // In parts of the picture, as a hand over one corner changes little of the whole.
    const parts = 16;
    const length = Math.floor(one.length / parts / 4) * 4;
    for (let part = 0; part < parts; part += 1) {
      let sum = 0;
      for (let at = part * length; at < (part + 1) * length; at += 4) sum += Math.abs(one[at + 1] - other[at + 1]);
      if (sum / (length / 4) > MOVES) return true;
    }
    return false;
  }
}
