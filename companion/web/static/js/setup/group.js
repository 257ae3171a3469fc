/** A choice of the set-up, as radio buttons for the sake of keyboards and screen readers. */

import { html } from "../dom.js";

/**
 * Return a group of radio buttons.
 *
 * @param {string} key  The property of `chosen` that is set.
 * @param {string} title
 * @param {{value: string | number, title: string, says?: string}[]} options
 * @param {any} chosen  Changed in place by the buttons.
 * @param {() => void} draw
 * @param {string} [hint]
 */
export function group(key, title, options, chosen, draw, hint) {
  const items = options.map((option) => {
    const take = () => {
      chosen[key] = option.value;
      draw();
    };
    return html(
      "label.setup-option",
      {},
      html("input", { type: "radio", name: key, "data-key": `${key}-${option.value}`, checked: chosen[key] === option.value, onchange: take }),
      html("span.setup-option-title", {}, html("bdi", {}, option.title)),
      option.says && html("span.setup-option-says", {}, option.says),
    );
  });
  return html("fieldset.setup-group", {}, html("legend.setup-legend", {}, title), html(`div.setup-options${options[0].says ? ".said-more" : ""}`, { "data-of": key }, ...items), hint && html("p.setup-hint", {}, hint));
}
