/** Texts in the reader's language, with its plurals, digits and direction. */

import { english } from "./messages/en.js";

/**
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message  By plural form of `count` where it has several.
 * @typedef {{code: string, name: string, dir: "ltr" | "rtl", numbers: string, texts: Record<string, Message>}} Catalogue
 * @typedef {Record<string, string | number>} Values
 *
 * @typedef {object} Language
 * @property {string} code
 * @property {"ltr" | "rtl"} dir
 * @property {(key: string, values?: Values) => string} say
 * @property {(value: number) => string} digits
 */

/** The languages there are; all but English come when they are asked for. @type {{code: string, name: string, load: () => Promise<Catalogue>}[]} */
export const LANGUAGES = [
  { code: "en", name: english.name, load: async () => english },
  { code: "ru", name: "Русский", load: async () => (await import("./messages/ru.js")).russian },
  { code: "fa", name: "فارسی", load: async () => (await import("./messages/fa.js")).persian },
];

/**
 * The code of the language to read in.
 *
 * @param {readonly string[]} wanted  Language tags, the dearest first.
 */
export function codeFor(wanted) {
  const codes = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return codes.find((code) => LANGUAGES.some((language) => language.code === code)) ?? english.code;
}

/**
 * @param {string} code  Of one of the languages there are.
 * @returns {Promise<Language>}
 */
export async function languageOf(code) {
  const found = LANGUAGES.find((language) => language.code === code);
  return speaking(found ? await found.load() : english);
}

/**
 * @param {Catalogue} catalogue
 * @returns {Language}
 */
export function speaking({ code, dir, numbers, texts }) {
  const format = new Intl.NumberFormat(numbers, { useGrouping: false });
  const plural = new Intl.PluralRules(code);
  const digits = (/** @type {number} */ value) => {
    const figure = format.format(value).replace("-", "\u2212");
    // From right to left a sign would else come between its number and what stands beside it.
    return dir === "rtl" && value < 0 ? `\u2066${figure.replace("\u200e", "")}\u2069` : figure;
  };
  return { code, dir, digits, say: (key, values = {}) => filled(chosen(texts, key, values, plural), values, digits) };
}

/**
 * @param {Record<string, Message>} texts
 * @param {string} key
 * @param {Values} values
 * @param {Intl.PluralRules} plural
 */
function chosen(texts, key, values, plural) {
  const message = texts[key];
  if (message === undefined) throw new Error(`no text "${key}"`);
  return typeof message === "string" ? message : message[plural.select(Number(values.count))] ?? message.other ?? "";
}

/**
 * @param {string} message
 * @param {Values} values
 * @param {(value: number) => string} digits
 */
function filled(message, values, digits) {
  return message.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? digits(values[name]) : String(values[name])));
}
