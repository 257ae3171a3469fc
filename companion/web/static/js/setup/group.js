/** A choice of the set-up: a group of radio buttons, so that keys and screen readers find it. */

import { html } from "../dom.js";

/**
 * One choice of several.
 *
 * @param {string} key  Of what is chosen.
 * @param {string} title
 * @param {{value: string | number, title: string, says?: string}[]} options
 * @param {any} chosen  Changed by what is chosen.
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
