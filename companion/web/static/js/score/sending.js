/** Sending photographs to the table's computer, smaller if the browser can make them so. */

/** The longer side of a photograph that is sent, in pixels: more shows no more of a quilt. */
const LONGEST_PX = 4096;
/** The size in bytes up to which a photograph is sent as it is. */
const SMALL_BYTES = 4 << 20;

/**
 * Return a photograph as it is to be sent. A large one is made smaller here, where it need not travel first.
 *
 * @param {Blob} file
 * @returns {Promise<Blob>}
 */
export async function lightened(file) {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((made) => canvas.toBlob((blob) => made(blob ?? file), "image/jpeg", 0.92));
  } catch {
    // The table's computer can open more kinds of pictures, and larger ones.
    return file;
  }
}

/**
 * Send a photograph. A failed request is returned as an answer with `ok` false.
 *
 * @param {string} path
 * @param {Blob} blob
 * @param {string} language  The reader's.
 * @param {string} unreachable  The error if there is no answer.
 * @param {(share: number) => void} sent  Called with the share that was sent, 0 to 1.
 * @returns {Promise<{ok: boolean, id?: string, error?: string}>}
 */
export function send(path, blob, language, unreachable, sent) {
  // `fetch` does not tell how much was sent.
  const request = new XMLHttpRequest();
  return new Promise((done) => {
    request.open("POST", path);
    request.setRequestHeader("Content-Type", blob.type.startsWith("image/") ? blob.type : "image/jpeg");
    request.setRequestHeader("Accept-Language", language);
    request.responseType = "json";
    request.upload.onprogress = (event) => sent(event.loaded / Math.max(1, event.total));
    request.onload = () => done(request.response ?? { ok: false, error: unreachable });
    request.onerror = () => done({ ok: false, error: unreachable });
    request.send(blob);
  });
}
