"""Test the page's stream: messages are shown, and a cut stream reconnects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.browsing import await_true

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

_ARE: Final = """async (state) => {
  const pulses = document.getAnimations().filter(({ effect }) => effect.target.matches(".pixel"));
  return pulses.length === 3 && pulses.every(({ playState }) => playState === state);
}"""
LOST = "The table cannot be reached. This page reconnects by itself."


def test_a_new_snapshot_is_on_the_page_at_once_and_the_evening_s_end_is_told_over_the_last(
    open_page: Callable[..., Page], table: Any
) -> None:
    page = open_page("start")
    page.get_by_role("heading", name="Anna’s turn").wait_for()

    table.show("end")

    page.get_by_role("heading", name="Boris wins").wait_for()
    expect(page.locator("#offers")).to_be_hidden()

    # The server stops answering, as when the program has ended; otherwise the page would soon reconnect.
    page.route("**/api/events*", lambda route: route.abort())
    table.send("bye", {})

    page.get_by_text("Play has ended.").wait_for()
    page.locator(".push").first.wait_for(state="detached")
    expect(page.locator(".score-sheet")).to_be_visible()


def test_only_what_has_changed_is_drawn_anew(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    shown = situation("middle")
    page = open_page(shown, reduced_motion="no-preference")
    page.locator("#seat-1 .quilt").evaluate("quilt => { quilt.dataset.old = 'yes'; }")
    page.locator("#seat-2 .quilt").evaluate("quilt => { quilt.dataset.old = 'yes'; }")

    shown["patchwork"]["seats"][1]["buttons"] = 99
    table.show(shown)
    page.locator("#seat-2 .figure dd", has_text="99").wait_for()

    expect(page.locator("#seat-1 .quilt[data-old]")).to_have_count(1)
    expect(page.locator("#seat-2 .quilt[data-old]")).to_have_count(0)

    # Lights follow the strip.
    table.send("strip", {"pixels": ["#ff0000", "#000000", "#00ff00"]})
    page.wait_for_selector(".strip .pixel:nth-child(3):last-child")
    colours = page.locator(".pixel").evaluate_all("all => all.map((pixel) => getComputedStyle(pixel).backgroundColor)")
    assert colours == ["rgb(255, 0, 0)", "rgb(0, 0, 0)", "rgb(0, 255, 0)"]

    # A pulse runs while it is in view, in the same lights.
    page.locator(".pixel").first.evaluate("pixel => { pixel.dataset.old = 'yes'; }")
    page.set_viewport_size({"width": 1366, "height": 400})
    table.send("strip", {"pixels": ["#ff0000"] * 3, "loop": [["#ff0000"] * 3, ["#000000"] * 3], "loop_s": 2.0})
    for y, state in ((0, "paused"), (10_000, "running"), (0, "paused")):
        page.evaluate("y => scrollTo(0, y)", y)
        await_true(page, _ARE, state)
    expect(page.locator(".pixel[data-old]")).to_have_count(1)


def test_a_hall_s_announcement_stands_above_the_game_until_it_is_withdrawn(
    open_page: Callable[..., Page], table: Any
) -> None:
    page = open_page("start")
    shown = page.locator("#announcements")
    table.send("announcements", {"announcements": ["<b>Round 2</b> at eight", "دور دوم"]})
    expect(shown.locator("p")).to_have_text(["<b>Round 2</b> at eight", "دور دوم"])
    assert shown.locator("p").last.evaluate("e => getComputedStyle(e).direction") == "rtl"
    table.send("announcements", {"announcements": []})
    expect(shown).to_be_hidden()

    # A cut stream is told of and comes back by itself.
    table.cut()
    page.get_by_text(LOST).wait_for()
    expect(page.locator("#seat-1 .quilt")).to_be_visible()
    table.show("complaint")

    page.locator(".complains").wait_for()
    expect(page.locator("#banner")).to_be_hidden()


def test_a_proxy_that_answers_for_the_table_while_it_is_away_is_asked_again(
    visit: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    table.json["/api/me"] = table.get_json("/api/me") | {"home": True, "phone_camera": True}
    table.json["/api/home"] = {"ok": True, "room": "here", "fault": "", "entries": [], "last": None}
    table.show("start")
    page = visit()
    asked = [refuse_once(page, path) for path in ("/api/events", "/api/me", "/api/home")]
    page.goto(table.url)

    expect(page.locator("[data-key=confirm]")).to_be_visible()
    expect(page.locator("[data-key=home]")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()
    assert all(asked)

    # A camera that goes away is told of, too: a phone has no cable.
    shown = situation("start")
    shown["table"]["camera"] = False
    table.show(shown)
    expect(page.locator("#turn .trouble")).to_contain_text("No picture comes from the phone.")


@pytest.mark.parametrize(
    "path", ["/js/main.js", "/js/dom.js", "/js/patchwork/game.js", "/css/base.css", "/texts/ru.json"]
)
def test_a_page_of_which_a_part_did_not_come_loads_again_by_itself(
    visit: Callable[..., Page], table: Any, path: str
) -> None:
    table.show("start")
    page = visit(alone=True)
    refused = refuse_once(page, path)
    page.goto(f"{table.url}/?language=ru")

    expect(page.locator("[data-key=confirm]")).to_contain_text("Готово")
    expect(page.locator("#seat-1 .quilt")).to_be_visible()
    expect(page.locator("body")).to_have_css("margin", "0px")
    assert refused


def test_a_page_that_was_told_of_two_rooms_while_it_was_loaded_loads_again(
    visit: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    me = table.get_json("/api/me") | {"home": True, "virtual": False}
    home = {"ok": True, "fault": "", "entries": [], "last": None, "begins_in_s": None}
    # All but the first answer come from the room that has just been opened.
    table.json |= {"/api/me": me | {"room": "here"}, "/api/home": home | {"room": "here"}}
    table.show(situation("start") | {"room": "here"})
    page = visit(alone=True)
    left: list[str] = []

    def answer(route: Route) -> None:
        if left:
            route.fallback()
        else:
            left.append(route.request.url)
            route.fulfill(json=me | {"room": ""})

    page.route("**/api/me*", answer)
    loaded: list[str] = []
    page.on("domcontentloaded", lambda page: loaded.append(page.url))
    page.goto(table.url)

    # Of the first load nothing could be used.
    expect(page.locator("[data-key=home]")).to_be_visible()
    assert len(loaded) == 2
    assert left


def refuse_once(page: Page, path: str) -> list[str]:
    """Answer the first request for `path` like a proxy without its server; return the list of refused requests."""
    refused: list[str] = []

    def answer(route: Route) -> None:
        if refused:
            route.fallback()
        else:
            refused.append(route.request.url)
            route.fulfill(status=502, body="Bad Gateway")

    page.route(f"**{path}*", answer)
    return refused


@pytest.mark.parametrize("can_touch", [True, False])
def test_a_table_that_cannot_begin_says_what_it_waits_for(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any], can_touch: bool
) -> None:
    table.can_touch = can_touch
    shown = situation("waiting")
    shown["table"]["waiting_for"] = "The camera is not there: look at its cable. Trying again."
    page = open_page("waiting")
    page.get_by_text("The game appears here as soon as it starts.").wait_for()

    table.show(shown)

    page.get_by_text("The camera is not there: look at its cable.").wait_for()
    expect(page.get_by_text("The game appears here")).to_have_count(0)
