/** Translated texts, with the plurals, digits and writing direction of the reader's language. */

/** The separator of a context and its message, as in gettext's compiled catalogues. */
const CONTEXT_ENDS = "\u0004";

/**
 * @typedef {{id: string, one: string, other: string | null}} Message  `id` is its key in catalogues; `one` and `other` are English, `other` null if nothing is counted.
 * @typedef {{plurals: string, texts: Record<string, string | string[]>}} Catalogue  Translations by the messages' keys. The digit of
 *     `plurals` at index n is the plural form for n, from 0 to 199; larger numbers repeat those from 100.
 * @typedef {Record<string, string | number>} Values
 * @typedef {{code: string, name: string, dir: "ltr" | "rtl", numbers: string}} Tongue
 *
 * @typedef {object} Language
 * @property {string} code
 * @property {string} locale  The browser's own kind of the language, such as British English, whose dates differ.
 * @property {"ltr" | "rtl"} dir
 * @property {(key: string, values?: Values) => string} say
 * @property {(key: string) => boolean} knows  Whether there is a text with this key.
 * @property {(value: number) => string} digits
 * @property {string} unknown  The sign in place of what is not known.
 */

/** @type {Tongue} */
const ENGLISH = { code: "en", name: "English", dir: "ltr", numbers: "en" };

/** The supported languages. @type {readonly Tongue[]} */
export const LANGUAGES = [
  ENGLISH,
  { code: "ru", name: "Русский", dir: "ltr", numbers: "ru" },
  { code: "fa", name: "فارسی", dir: "rtl", numbers: "fa" },
];

/** @type {Catalogue} */
const NOTHING = { plurals: "", texts: {} };

/** All texts registered so far, by key. @type {Record<string, Message>} */
const known = {};

/**
 * Return a translatable message. The argument must be a literal, so that extraction finds it; words in braces are placeholders.
 *
 * @param {string} text
 * @returns {Message}
 */
export function said(text) {
  return { id: text, one: text, other: null };
}

/**
 * Return a message with plural forms, chosen by its placeholder `{count}`. Catalogues may have more than two forms.
 *
 * @param {string} one
 * @param {string} other
 * @returns {Message}
 */
export function counted(one, other) {
  return { id: one, one, other };
}

/**
 * Return a message whose English text has different meanings in different contexts.
 *
 * @param {string} context  Tells translators the meaning.
 * @param {string} text
 * @returns {Message}
 */
export function meant(context, text) {
  return { id: context + CONTEXT_ENDS + text, one: text, other: null };
}

/**
 * Register texts. Each part of the page registers its own.
 *
 * @param {Record<string, Message>} texts  By key.
 */
export function teach(texts) {
  Object.assign(known, texts);
}

/**
 * Return the code of the first wanted language that is supported, or else English.
 *
 * @param {readonly string[]} wanted  Language tags, most preferred first.
 */
export function codeFor(wanted) {
  const codes = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return codes.find((code) => LANGUAGES.some((language) => language.code === code)) ?? ENGLISH.code;
}

/**
 * Return a language with its catalogue loaded, or English if the catalogue cannot be loaded.
 *
 * @param {string} code  The code of a supported language.
 * @param {"" | "-whole"} texts  "" for the texts of the table's page; "-whole" for those of all pages.
 * @returns {Promise<Language>}
 */
export async function languageOf(code, texts = "") {
  const tongue = LANGUAGES.find((language) => language.code === code) ?? ENGLISH;
  const catalogue = tongue === ENGLISH ? NOTHING : await fetchCatalogue(code + texts);
  // The page is loaded again as soon as they can be had.
  if (!catalogue) globalThis.dispatchEvent?.(new Event("incomplete"));
  // English throughout: texts of two languages and two writing directions would be mixed otherwise.
  return catalogue ? speaking(tongue, catalogue) : speaking(ENGLISH, NOTHING);
}

/**
 * @param {string} name
 * @returns {Promise<Catalogue | null>}
 */
async function fetchCatalogue(name) {
  const response = await fetch(`/texts/${name}.json`).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}

/**
 * Return the functions of a language.
 *
 * @param {Tongue} tongue
 * @param {Catalogue} catalogue  Messages missing here are in English.
 * @returns {Language}
 */
export function speaking({ code, dir, numbers }, catalogue) {
  const format = new Intl.NumberFormat(numbers, { useGrouping: false });
  const digits = (/** @type {number} */ value) => {
    const figure = format.format(value).replace("-", "\u2212");
    // Without the isolate, a sign in right-to-left text would move to the other side of its number.
    return dir === "rtl" && value < 0 ? `\u2066${figure.replace("\u200e", "")}\u2069` : figure;
  };
  return { code, get locale() { return localeOf(code); }, dir, digits, unknown: dir === "rtl" ? "\u061f" : "?", knows: (key) => key in known, say: (key, values = {}) => filled(worded(key, Number(values.count), catalogue), values, digits, dir) };
}

/**
 * Return the tag of a language for dates: the browser's own, which names a region, if it has one of this language.
 *
 * @param {string} code
 */
function localeOf(code) {
  // Plain "en" would write dates as in the United States only.
  return navigator.languages.find((each) => each.startsWith(`${code}-`)) ?? (code === "en" ? "en-001" : code);
}

/**
 * @param {string} key
 * @param {number} count
 * @param {Catalogue} catalogue
 */
function worded(key, count, { plurals, texts }) {
  const message = known[key];
  if (!message) throw new Error(`no text "${key}"`);
  const translated = texts[message.id];
  const size = Math.abs(count);
  if (Array.isArray(translated)) return translated[Number(plurals[size < 200 ? size : 100 + (size % 100)])];
  return translated ?? (message.other === null || count === 1 ? message.one : message.other);
}

/**
 * @param {string} message
 * @param {Values} values
 * @param {(value: number) => string} digits
 * @param {"ltr" | "rtl"} dir
 */
function filled(message, values, digits, dir) {
  // A Latin name and the number or name after it would change places in right-to-left text.
  const isolates = dir === "rtl" && message.indexOf("{") !== message.lastIndexOf("{");
  return message.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (typeof value === "number") return digits(value);
    // Cell names use the reader's digits, as the row labels of a quilt do.
    const text = name === "cells" ? String(value).replace(/\d/g, (digit) => digits(Number(digit))) : String(value);
    return isolates ? `\u2068${text}\u2069` : text;
  });
}
