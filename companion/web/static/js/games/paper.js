/** The background of a picture to share, and functions to draw on it. */

/** The size of a picture to share, in pixels. */
export const [WIDTH, HEIGHT] = [1600, 1130];

/** @typedef {import("../views/page.js").Page} Page */

/** Paint the page's linen background of the light theme. @param {CanvasRenderingContext2D} ink */
export function ground(ink) {
  ink.fillStyle = "#eee2cc";
  ink.fillRect(0, 0, WIDTH, HEIGHT);
  ink.fillStyle = "rgb(120 90 50 / 5%)";
  for (let at = 0; at < WIDTH; at += 5) ink.fillRect(at, 0, 1.4, HEIGHT);
  for (let at = 0; at < HEIGHT; at += 5) ink.fillRect(0, at, WIDTH, 1.4);
  ink.strokeStyle = "#b89c72";
  ink.lineWidth = 3;
  ink.setLineDash([14, 9]);
  ink.strokeRect(18, 18, WIDTH - 36, HEIGHT - 36);
  ink.setLineDash([]);
}

/**
 * Fill a rounded rectangle.
 *
 * @param {CanvasRenderingContext2D} ink
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function plate(ink, x, y, width, height, radius) {
  ink.beginPath();
  ink.roundRect(x, y, width, height, radius);
  ink.fill();
}

/**
 * Write a line of text in the reader's language.
 *
 * @param {CanvasRenderingContext2D} ink
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} font
 * @param {CanvasTextAlign} align
 * @param {Page} page
 * @param {number} [most]  The greatest width in pixels; longer texts are condensed.
 */
export function write(ink, text, x, y, font, align, page, most) {
  const face = getComputedStyle(document.documentElement).getPropertyValue("--display") || "serif";
  ink.font = `${font} ${page.language.code === "fa" ? "system-ui, sans-serif" : face}`;
  ink.direction = page.language.dir;
  ink.textAlign = align;
  ink.fillText(text, x, y, most);
}
