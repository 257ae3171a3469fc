/** Texts in the reader's language, with its plurals, digits and direction. */

/** Stands between a context and its message, as in gettext's compiled catalogues. */
const CONTEXT_ENDS = "\u0004";

/**
 * @typedef {{id: string, one: string, other: string | null}} Message  Its key in catalogues, and its English; `other` is null where nothing is counted.
 * @typedef {{plurals: string, texts: Record<string, string | string[]>}} Catalogue  Translations by the messages' keys. Of `plurals` the digit at a
 *     number says which form is for so many: for 0 to 199, after which it goes on as from 100.
 * @typedef {Record<string, string | number>} Values
 * @typedef {{code: string, name: string, dir: "ltr" | "rtl", numbers: string}} Tongue
 *
 * @typedef {object} Language
 * @property {string} code
 * @property {"ltr" | "rtl"} dir
 * @property {(key: string, values?: Values) => string} say
 * @property {(key: string) => boolean} knows  Whether there is such a text.
 * @property {(value: number) => string} digits
 */

/** @type {Tongue} */
const ENGLISH = { code: "en", name: "English", dir: "ltr", numbers: "en" };

/** The languages there are. @type {readonly Tongue[]} */
export const LANGUAGES = [
  ENGLISH,
  { code: "ru", name: "Русский", dir: "ltr", numbers: "ru" },
  { code: "fa", name: "فارسی", dir: "rtl", numbers: "fa" },
];

/** @type {Catalogue} */
const NOTHING = { plurals: "", texts: {} };

/** All texts that the page can say so far, by key. @type {Record<string, Message>} */
const known = {};

/**
 * A message for people; literal, so that it is found for translation. Words in braces are put in.
 *
 * @param {string} text
 * @returns {Message}
 */
export function said(text) {
  return { id: text, one: text, other: null };
}

/**
 * A message about so many of something, which is `{count}` in it; other languages have more forms than two.
 *
 * @param {string} one
 * @param {string} other
 * @returns {Message}
 */
export function counted(one, other) {
  return { id: one, one, other };
}

/**
 * A message that means one thing here and another elsewhere.
 *
 * @param {string} context  Tells translators which it is.
 * @param {string} text
 * @returns {Message}
 */
export function meant(context, text) {
  return { id: context + CONTEXT_ENDS + text, one: text, other: null };
}

/**
 * Learn texts: each part of the page brings its own.
 *
 * @param {Record<string, Message>} texts  By key.
 */
export function teach(texts) {
  Object.assign(known, texts);
}

/**
 * The code of the language to read in.
 *
 * @param {readonly string[]} wanted  Language tags, the dearest first.
 */
export function codeFor(wanted) {
  const codes = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return codes.find((code) => LANGUAGES.some((language) => language.code === code)) ?? ENGLISH.code;
}

/**
 * @param {string} code  Of one of the languages there are; English is spoken where its catalogue does not come.
 * @param {"" | "-whole"} texts  The table's page has its own alone; other pages take the whole.
 * @returns {Promise<Language>}
 */
export async function languageOf(code, texts = "") {
  const tongue = LANGUAGES.find((language) => language.code === code) ?? ENGLISH;
  const catalogue = tongue === ENGLISH ? NOTHING : await fetchCatalogue(code + texts);
  return catalogue ? speaking(tongue, catalogue) : speaking(ENGLISH, NOTHING);
}

/**
 * @param {string} name
 * @returns {Promise<Catalogue | null>}
 */
async function fetchCatalogue(name) {
  const response = await fetch(`/texts/${name}.json`).catch(() => null);
  return response?.ok ? response.json() : null;
}

/**
 * @param {Tongue} tongue
 * @param {Catalogue} catalogue  What it lacks is said in English.
 * @returns {Language}
 */
export function speaking({ code, dir, numbers }, catalogue) {
  const format = new Intl.NumberFormat(numbers, { useGrouping: false });
  const digits = (/** @type {number} */ value) => {
    const figure = format.format(value).replace("-", "\u2212");
    // From right to left a sign would else come between its number and what stands beside it.
    return dir === "rtl" && value < 0 ? `\u2066${figure.replace("\u200e", "")}\u2069` : figure;
  };
  return { code, dir, digits, knows: (key) => key in known, say: (key, values = {}) => filled(worded(key, Number(values.count), catalogue), values, digits) };
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
  if (Array.isArray(translated)) return translated[Number(plurals[count < 200 ? count : 100 + (count % 100)])];
  return translated ?? (message.other === null || count === 1 ? message.one : message.other);
}

/**
 * @param {string} message
 * @param {Values} values
 * @param {(value: number) => string} digits
 */
function filled(message, values, digits) {
  return message.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (typeof value === "number") return digits(value);
    // Cells are named as at the edge of a quilt, where rows have the reader's digits.
    return name === "cells" ? String(value).replace(/\d/g, (digit) => digits(Number(digit))) : String(value);
  });
}
