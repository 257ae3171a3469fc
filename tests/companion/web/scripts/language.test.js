/** Tests of the page's sentences in a language. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { codeFor, counted, languageOf, meant, said, speaking, teach } from "../../../../companion/web/static/js/language.js";
import "../../../../companion/web/static/js/patchwork/texts.js";

const CATALOGUES = new URL("../../../../companion/languages/", import.meta.url);

/** Serve the compiled catalogues. */
function serveCatalogues() {
  globalThis.fetch = async (path) => {
    const code = /^\/texts\/(\w+)\.json$/.exec(path)[1];
    return new Response(await readFile(new URL(`${code}/LC_MESSAGES/page.json`, CATALOGUES)));
  };
}

for (const [code, count, says] of [
  ["ru", 1, "Остался 1\u00a0кожаный лоскут."],
  ["ru", 3, "Осталось 3\u00a0кожаных лоскута."],
  ["ru", 11, "Осталось 11\u00a0кожаных лоскутов."],
  ["ru", 221, "Остался 221\u00a0кожаный лоскут."],
  ["ru", 212, "Осталось 212\u00a0кожаных лоскутов."],
  ["fa", 1, "۱ تکهٔ چرمی مانده است."],
  ["en", 1, "1 leather patch is still out."],
  ["en", 2, "2 leather patches are still out."],
])
  test(`a count of ${count} is said in ${code} by the catalogue's plural`, async () => {
    serveCatalogues();
    assert.equal((await languageOf(code)).say("track.leather", { count }), says);
  });

test("a text without a translation is said in English, and one of two meanings is not confused", () => {
  teach({ "test.one": said("Go on, {name}."), "test.many": counted("{count} spool", "{count} spools"), "test.lamp": meant("lamp", "Light") });
  const { say } = speaking({ code: "ru", name: "", dir: "ltr", numbers: "ru" }, { plurals: "", texts: { Light: "Свет" } });
  assert.equal(say("test.one", { name: "Ann" }), "Go on, Ann.");
  assert.deepEqual([1, 5].map((count) => say("test.many", { count })), ["1 spool", "5 spools"]);
  assert.equal(say("test.lamp"), "Light");
});

test("a negative count has the plural of its size", () => {
  teach({ "test.points": counted("{count} point", "{count} points") });
  const { say } = speaking({ code: "ru", name: "", dir: "ltr", numbers: "ru" }, { plurals: "2011".padEnd(200, "2"), texts: { "{count} point": ["{count} очко", "{count} очка", "{count} очков"] } });
  assert.deepEqual([-1, -3, -205].map((count) => say("test.points", { count })), ["−1 очко", "−3 очка", "−205 очков"]);
});

test("without its catalogue a language is English throughout", async () => {
  globalThis.fetch = async () => new Response("", { status: 404 });
  const { code, dir } = await languageOf("fa");
  assert.deepEqual([code, dir], ["en", "ltr"]);
});

test("the first supported language that a reader wants is taken, or else English", () => {
  assert.equal(codeFor(["de-AT", "fa-IR", "ru"]), "fa");
  assert.equal(codeFor(["de"]), "en");
});

test("figures are written in the language's digits, with a sign that stays before them", () => {
  const persian = speaking({ code: "fa", name: "", dir: "rtl", numbers: "fa" }, { plurals: "", texts: {} });
  assert.equal(persian.digits(12), "۱۲");
  assert.equal(persian.digits(-3), "\u2066\u2212۳\u2069");
  assert.equal(persian.unknown, "؟");
  teach({ "test.cells": said("On {cells}.") });
  assert.equal(persian.say("test.cells", { cells: "A1 B2" }), "On A۱ B۲.");
});

test("names keep their places among figures and other names in a text from right to left", () => {
  const persian = speaking({ code: "fa", name: "", dir: "rtl", numbers: "fa" }, { plurals: "", texts: {} });
  teach({ "test.squares": said("{name} {count}"), "test.turn": said("{name}") });
  assert.equal(persian.say("test.squares", { name: "Anna", count: 3 }), "\u2068Anna\u2069 ۳");
  assert.equal(persian.say("test.turn", { name: "Anna" }), "Anna");
});

test("dates are written as in the reader's region, or as most of the world writes them", () => {
  const locales = (/** @type {string[]} */ languages) => {
    Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
    return ["en", "ru"].map((code) => speaking({ code, name: "", dir: "ltr", numbers: code }, { plurals: "", texts: {} }).locale);
  };
  assert.deepEqual(locales(["en-GB", "en-US", "en"]), ["en-GB", "ru"]);
  assert.deepEqual(locales(["ru-KZ", "en"]), ["en-001", "ru-KZ"]);
});
