/** Functions that create elements. Text is always inserted as text: nothing here parses markup. */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * Return a new HTML element. An attribute whose value is a function is a listener (`onclick`); null and undefined omit it.
 * True sets it empty and false omits it, except for ARIA attributes, which are set to "true" and "false".
 *
 * @param {string} tag  The element's name, with classes after dots: "p.lead".
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function html(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  return /** @type {HTMLElement} */ (furnish(element, attributes, children));
}

/**
 * Return a new SVG element. The arguments are those of `html`.
 *
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElementNS(SVG_NAMESPACE, name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  return /** @type {SVGElement} */ (furnish(element, attributes, children));
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-") ? value !== null && value !== undefined : value || value === 0 || value === "") {
      element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * Replace an element's children and return the keyboard focus to the child with the same `data-key`. Text being typed in a
 * field marked `data-typing` is kept.
 *
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  // Even the same children put in anew cost a layout of the page.
  if (children.length === 1 && children[0] === parent.firstChild && parent.childNodes.length === 1) return;
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.getAttribute("data-key");
  const typing = focused instanceof HTMLInputElement && "typing" in focused.dataset ? focused : null;
  parent.replaceChildren(...children.filter((child) => child || child === 0).map((child) => (child instanceof Node ? child : String(child))));
  const same = key ? /** @type {HTMLElement | null} */ (parent.querySelector(`[data-key="${CSS.escape(key)}"]`)) : null;
  same?.focus();
  if (typing && same !== typing && same instanceof HTMLInputElement) goOnTyping(same, typing);
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLInputElement} before  The field that it replaces.
 */
function goOnTyping(field, before) {
  field.value = before.value;
  field.dataset.typing = "";
  if (before.selectionStart !== null) field.setSelectionRange(before.selectionStart, before.selectionEnd);
}
