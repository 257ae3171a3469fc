/** Turns an SVG drawing into an image. Its styles are copied into it, because style sheets do not apply inside an image. */

/** The CSS properties that are copied, including those of text. */
const LOOKS = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "fill-opacity"];

/**
 * Return a drawing as an image.
 *
 * @param {SVGElement} drawing  A drawing that is not in the page.
 * @param {number} size_px  The image's width, and its height unless that is given.
 * @param {string} colour  The colour of the seat.
 * @param {number} [height_px]
 * @returns {Promise<HTMLImageElement>}
 */
export async function drawnPicture(drawing, size_px, colour, height_px = size_px) {
  const stage = document.createElement("div");
  // Out of sight, and in the light theme whatever the page's is.
  stage.className = "spoken daylight";
  stage.setAttribute("aria-hidden", "true");
  stage.style.setProperty("--seat-1", colour);
  stage.style.setProperty("--seat-2", colour);
  stage.append(drawing);
  document.body.append(stage);
  try {
    const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
    dress(drawing, copy);
    // An image cannot refer to patterns outside of itself.
    const defs = document.querySelector(".cupboard defs");
    if (defs) copy.prepend(defs.cloneNode(true));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(size_px));
    copy.setAttribute("height", String(height_px));
    return await loaded(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  } finally {
    stage.remove();
  }
}

/**
 * Write the computed styles of a tree into its copy as attributes.
 *
 * @param {Element} from
 * @param {Element} to
 */
function dress(from, to) {
  const [shown, written] = [[from, ...from.querySelectorAll("*")], [to, ...to.querySelectorAll("*")]];
  for (const [index, element] of shown.entries()) {
    const looks = getComputedStyle(element);
    for (const name of LOOKS) {
      const value = looks.getPropertyValue(name);
      // Computed styles may have the page's address before a pattern's name.
      if (value) written[index].setAttribute(name, value.replaceAll(/url\("?[^#"]*#([^")]+)"?\)/g, "url(#$1)"));
    }
    written[index].removeAttribute("class");
  }
}

/**
 * @param {Blob} blob
 * @returns {Promise<HTMLImageElement>}
 */
async function loaded(blob) {
  const address = URL.createObjectURL(blob);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return image;
}
