"""Test the page's accessibility with axe-core in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.accessibility import ALL_KINDS, findings

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("scene", "theme"),
    [("waiting", "dark"), ("income", "light"), ("twins", "light"), ("complaint", "dark"), ("end", "dark")],
)
def test_axe_finds_nothing_on_a_phone(look: Callable[..., Page], scene: str, theme: str) -> None:
    page = look(scene, color_scheme=theme, viewport=PHONE)

    assert findings(page, ALL_KINDS, least=31) == []


def test_axe_finds_nothing_on_any_sheet_in_persian(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    game = {"id": 1, "started_at": "2026-11-20T18:30:00+00:00", "players": ["Anna", "Boris"], "scores": [3, 4]}
    game |= {"game": "patchwork", "winner": 2}
    table.json["/api/games"] = {"games": [{**game, "live": False, "error": None, "decisions": 41}]}
    start = {**situation("middle")["patchwork"], "number": 0, "says": ["It is Anna’s turn."]}
    table.json["/api/games/1/replay"] = {"states": [start]}
    table.json["/api/voice"] = {"voices": ["espeak-ng"], "chosen": "none"}
    page = open_page("start", "/?language=fa", viewport=PHONE)
    close = page.locator("dialog .sheet-close")

    page.locator("[data-key=tips-round]").click()
    expect(page.locator("dialog .guide-title")).to_be_visible()
    assert findings(page) == []
    close.click()
    expect(page.locator(".tips-now")).to_be_visible()
    page.locator("[data-key=menu]").click()
    expect(page.get_by_role("radiogroup")).to_be_visible()
    assert findings(page) == []
    close.click()

    table.show("middle")
    # Contrast over a backdrop is left undecided; the colours are the page's.
    page.locator("[data-key=correct]").click()
    page.locator(".tap-cell[data-key=A7]").click()
    assert findings(page) == []
    close.click()

    page.get_by_role("button", name="بازی‌ها").click()
    page.locator(".game-item [data-key^=game-]").wait_for()
    assert findings(page) == []
    page.locator(".game-item [data-key^=game-]").click()
    page.get_by_role("slider").wait_for()
    assert findings(page) == []


def test_a_move_is_told_to_who_cannot_see(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("start")
    expect(page.locator("#spoken-news")).to_have_text("", use_inner_text=True)

    table.show("complaint")
    page.wait_for_selector(".complains")

    assert "overlaps what is on E6 and F5" in (page.locator("#spoken-news").text_content() or "")


def test_quilts_and_track_say_what_they_show(look: Callable[..., Page]) -> None:
    page = look("middle")

    named = [image.get_attribute("aria-label") or "" for image in page.get_by_role("img").all()]
    assert any(name.startswith("Anna’s quilt: 39 of 81 squares are covered.") and "leather" in name for name in named)
    where = "Anna is on space 30 of 53. Boris is on space 29 of 53. 3 leather patches"
    assert any(where in name for name in named)


def test_nothing_moves_where_motion_is_unwanted(look: Callable[..., Page]) -> None:
    animated = "document.getAnimations().length"
    assert look("looking", reduced_motion="no-preference").evaluate(animated) > 0
    assert look("looking").evaluate(animated) == 0


def test_the_marks_of_a_page_that_is_left_open_come_to_rest(look: Callable[..., Page]) -> None:
    page = look("twins", reduced_motion="no-preference")
    ends = page.evaluate("document.getAnimations().map((each) => each.effect.getComputedTiming().endTime ?? 1e9)")

    assert ends
    assert max(ends) < 20_000


def test_seats_are_told_apart_without_colour(look: Callable[..., Page]) -> None:
    page = look("middle")

    forms = [page.locator(f"#seat-{seat} .seat-head .seat-shape").get_attribute("d") for seat in (1, 2)]
    assert forms[0] != forms[1]
    expect(page.locator("#seat-2 .turn-badge")).to_have_text("to move", use_inner_text=True)
    expect(page.locator("#seat-1 .turn-badge")).to_have_count(0)


def test_axe_finds_nothing_on_the_tv(look: Callable[..., Page]) -> None:
    page = look("middle", "/tv", viewport={"width": 1920, "height": 1080})
    page.wait_for_selector(".tv-code img")

    assert findings(page, ALL_KINDS, least=31) == []
