/** Pictures of the camera that follow one another in one canvas. */

/** A table that does not answer is asked again. */
const PATIENCE_MS = 5000;

/**
 * Draw the picture at an address into a canvas. An `img` with ever new addresses would make the browser keep each picture, by
 * the hundred; of these it keeps none.
 *
 * @param {HTMLCanvasElement} canvas  It gets the picture's size.
 * @param {string} address
 * @returns {Promise<boolean>} whether there was a picture; if not, the last one stays.
 */
export async function drawPicture(canvas, address) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return false;
    const bitmap = await createImageBitmap(await answer.blob());
    drawInto(canvas, bitmap);
    bitmap.close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Draw a picture into a canvas, which gets its size.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap | HTMLImageElement} picture
 */
export function drawInto(canvas, picture) {
  // Setting a size, even the same one, would clear the canvas.
  if (canvas.width !== picture.width) canvas.width = picture.width;
  if (canvas.height !== picture.height) canvas.height = picture.height;
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
}
