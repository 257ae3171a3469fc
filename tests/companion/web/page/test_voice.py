"""Test the browser's voice: silent until it is switched on, then it speaks what has come since."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.browsing import DRAWN, await_true

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

LISTEN: Final = """
globalThis.heard = [];
Object.defineProperty(globalThis, "SpeechSynthesisUtterance", {
  value: class { constructor(text) { this.text = text; this.lang = ""; } },
});
Object.defineProperty(globalThis, "speechSynthesis", {
  value: {
    cancel() { globalThis.saying = null; },
    speak({ text, lang }) { heard.push([lang, globalThis.saying = text]); },
  },
});
"""
"""Replaces the browser's speech by a list of what it would say."""
DEAF: Final = "for (const name of ['speechSynthesis', 'SpeechSynthesisUtterance']) delete globalThis[name];"


@pytest.fixture
def open_with(visit: Callable[..., Page], table: Any) -> Iterator[Callable[[str], Page]]:
    """A function that opens the page in the middle of a game, with a script that runs before its own."""
    with ExitStack() as stack:
        # A detached session's scripts run no more.
        def opened(script: str) -> Page:
            page = visit()
            session = page.context.new_cdp_session(page)
            stack.callback(session.detach)
            session.send("Page.enable")
            session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            table.show("middle")
            page.goto(table.url)
            await_true(page, DRAWN, {"game": "patchwork"})
            return page

        yield opened


def _send(table: Any, situation: Callable[[str], Any], *news: tuple[str, str]) -> None:
    """Show news of the table."""
    shown = situation("middle")
    last = shown["news"][-1]["number"]
    shown["news"] += [
        {"number": last + place, "kind": kind, "says": says, "first": last + 1}
        for place, (kind, says) in enumerate(news, 1)
    ]
    table.show(shown)


def _utterances(page: Page) -> list[list[str]]:
    heard: list[list[str]] = page.evaluate("heard")
    return heard


def test_the_page_is_silent_until_it_is_switched_on_and_after_it_is_switched_off(
    open_with: Callable[[str], Page], table: Any, situation: Callable[..., Any]
) -> None:
    page = open_with(LISTEN)
    switch = page.locator("[data-key=voice]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    _send(table, situation, ("complaint", "It overlaps."))
    expect(page.locator("#spoken-news")).to_have_text("It overlaps.")
    assert _utterances(page) == []

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert _utterances(page) == [["en", "News is spoken"]]
    _send(table, situation, ("complaint", "It overlaps."), ("complaint", "It still does."))
    expect(page.locator("#spoken-news")).to_have_text("It still does.")
    assert _utterances(page)[1:] == [["en", "It still does."]]
    assert page.evaluate("saying") == "It still does."

    switch.click()
    assert page.evaluate("saying") is None
    expect(switch).to_have_attribute("aria-pressed", "false")
    _send(table, situation, ("complaint", "It overlaps."), ("complaint", "It still does."), ("question", "Which?"))
    expect(page.locator("#spoken-news")).to_have_text("Which?")
    assert len(_utterances(page)) == 2

    # The choice is kept; of a decision it says what follows.
    switch.click()
    table.show("middle")
    page.goto(f"{table.url}?language=ru")
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.wait_for_selector("#turn h2")
    _send(table, situation, ("taken", "Anna takes the small T at A1."), ("taken", "Income."), ("turn", "Boris."))
    expect(page.locator("#spoken-news")).to_contain_text("Boris.")
    assert _utterances(page) == [["ru", "Income. Boris."]]


SIGNALS: Final = """
globalThis.given = [];
globalThis.AudioContext = class { currentTime = 0; resume() {} };
globalThis.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(to) { return to; }
};
globalThis.OscillatorNode = class {
  constructor(_, { frequency }) { given.push(Math.round(frequency)); }
  connect(to) { return to; } start() {} stop() {}
};
Object.defineProperty(navigator, "vibrate", { value: (pattern) => given.push(pattern) });
Object.defineProperty(navigator, "maxTouchPoints", { value: 1 });
globalThis.Notification = class {
  static permission = "granted";
  static async requestPermission() { return "granted"; }
  constructor(says, { tag, renotify, lang, dir }) { given.push([says, tag, renotify, lang, dir]); }
  close() { given.push("closed"); }
};
globalThis.look = (away) => {
  Object.defineProperty(document, "hidden", { value: away, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Replaces the browser's sound, vibration and notifications by a list of its signals."""


def test_signals_are_given_where_they_are_switched_on(
    open_with: Callable[[str], Page], table: Any, situation: Callable[..., Any]
) -> None:
    page = open_with(SIGNALS)
    _send(table, situation, ("complaint", "It overlaps."))
    expect(page.locator("#spoken-news")).to_have_text("It overlaps.")
    page.locator("[data-key=menu]").click()
    page.get_by_label("Sounds").check()
    page.get_by_label("Vibration").check()
    assert page.evaluate("given.splice(0)") == [523, 784, 60]
    page.keyboard.press("Escape")

    _send(table, situation, ("complaint", "It overlaps."), ("turn", "Boris."), ("complaint", "It still does."))
    page.wait_for_function("() => given.length === 3")
    assert page.evaluate("given.splice(0)") == [330, 262, [180, 90, 180]]

    page.locator("[data-key=menu]").click()
    page.get_by_label("Sounds").uncheck()
    page.get_by_label("Vibration").uncheck()
    page.get_by_label("A message when the turn changes").check()
    page.evaluate("look(true)")
    _send(table, situation, *[("complaint", "It still does.")] * 3, ("turn", "Anna."))
    page.wait_for_function("() => given.length === 1")
    page.evaluate("look(false)")
    assert page.evaluate("given") == [["Anna.", "turn", True, "en", "ltr"], "closed"]


def test_a_browser_that_cannot_speak_has_no_switch_but_the_voice_at_the_table_is_chosen_in_its_menu(
    open_with: Callable[[str], Page], table: Any
) -> None:
    table.json["/api/voice"] = {"voices": ["espeak-ng", "piper"], "chosen": "espeak-ng"}
    page = open_with(DEAF)
    expect(page.locator(".theme")).to_have_count(1)
    expect(page.locator("[data-key=voice]")).to_have_count(0)
    page.locator("[data-key=menu]").click()
    group = page.get_by_role("radiogroup", name="Voice at the table")
    expect(group.get_by_label("A plain voice")).to_be_checked()
    group.get_by_label("Silence").check()
    assert table.post() == ("/api/voice", {"voice": "none"})

    table.answer = (409, {"ok": False, "error": "There is no such voice at this table."})
    group.get_by_label("A natural voice").click()
    expect(group.get_by_label("A plain voice")).to_be_checked()
