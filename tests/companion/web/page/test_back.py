"""Test the way back in the browser's history: it closes the topmost sheet, and leaves the page if none is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.pointing import DESK, PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

_BEFORE: Final = "about:blank"
"""What a test's page showed before the table."""


_SETTLED: Final = """async () => {
  const isSettled = () => (history.state?.sheets ?? 0) === document.querySelectorAll("dialog[open]").length;
  for (let frames = 0, most = 120; frames < 5 && most > 0; most -= 1) {
    await new Promise(requestAnimationFrame);
    frames = isSettled() ? frames + 1 : 0;
  }
  return scrollY;
}"""
"""Waits until the page is done with its history, two seconds at most, and returns how far it is scrolled."""


def has_left(page: Page) -> bool:
    """Go back once, and return whether that leaves the page."""
    page.evaluate(_SETTLED)
    page.go_back()
    return page.url == _BEFORE


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_going_back_closes_a_sheet_and_going_forward_does_not_open_it(
    open_page: Callable[..., Page], device: dict[str, object]
) -> None:
    page = open_page("middle", **device)
    page.locator("[data-key=menu]").click()
    expect(page.locator("dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-key=menu]")).to_be_focused()
    page.go_forward()
    expect(page.locator("dialog")).to_have_count(0)
    assert has_left(page)


def test_going_back_closes_one_sheet_after_the_other(open_page: Callable[..., Page]) -> None:
    page = open_page("start", "/#guide")
    guide, rules = page.locator(".guide-sheet"), page.get_by_role("dialog", name="Patchwork in two minutes")
    for _ in range(10):
        if page.locator("[data-key=rules]").count():
            break
        page.locator("dialog [data-key=next]").click()
    page.locator("[data-key=rules]").click()
    expect(rules).to_be_visible()
    page.go_back()
    expect(rules).to_have_count(0)
    expect(guide).to_be_visible()
    page.go_back()
    expect(guide).to_have_count(0)
    assert has_left(page)


@pytest.mark.parametrize("how", ["button", "Escape", "backdrop"])
def test_a_sheet_closed_otherwise_leaves_nothing_to_go_back_to(open_page: Callable[..., Page], how: str) -> None:
    page = open_page("middle")
    for _ in range(2):
        page.locator("[data-key=menu]").click()
        expect(page.locator("dialog")).to_be_visible()
        if how == "button":
            page.locator("dialog .sheet-close").click()
        elif how == "Escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(2, 2)
        expect(page.locator("dialog")).to_have_count(0)
    assert has_left(page)


def test_a_sheet_that_takes_the_place_of_another_stays_until_the_way_back(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")
    page.locator("[data-key=menu]").click()
    page.locator("[data-key=menu-rules]").click()
    rules = page.get_by_role("dialog", name="Patchwork in two minutes")
    expect(rules).to_be_visible()
    page.evaluate(_SETTLED)
    expect(rules).to_be_visible()
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    assert has_left(page)


def test_a_reload_closes_the_sheets_and_the_page_is_left_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")
    page.locator("[data-key=menu]").click()
    expect(page.locator("dialog")).to_be_visible()
    page.reload()
    expect(page.locator("[data-key=menu]")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    assert has_left(page)


def test_a_page_opened_from_a_sheet_leads_back_to_the_table(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")
    page.locator("[data-key=menu]").click()
    page.locator("dialog a[href='/tv']").click()
    page.wait_for_url("**/tv")
    page.go_back()
    expect(page.locator("[data-key=menu]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert has_left(page)


def test_another_language_leaves_nothing_to_go_back_to(open_page: Callable[..., Page]) -> None:
    page = open_page("middle", "/?language=en", alone=True)
    page.locator("[data-key=menu]").click()
    page.locator("dialog button[lang=ru]").click()
    expect(page.locator("html[lang=ru] [data-key=menu]")).to_be_visible()
    assert has_left(page)


def test_the_page_is_not_scrolled_back_to_where_a_sheet_was_opened(open_page: Callable[..., Page]) -> None:
    page = open_page("middle", **PHONE)
    page.locator("#hand [data-key=guide]").click()
    while page.locator("dialog [data-key=next]").inner_text() != "To the table":
        page.locator("dialog [data-key=next]").click()
    page.locator("dialog [data-key=next]").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate(_SETTLED) == 0
