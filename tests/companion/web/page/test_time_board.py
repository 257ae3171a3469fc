"""Describing a time board in a real browser; the server is the program's own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from companion.config import PageConfig
from companion.patchwork.timeboard_print import layout_in
from companion.web.describing import time_board_page
from tests.companion.patchwork.timeboard.boards import PHOTO_SHAPE, tapped
from tests.companion.patchwork.timeboard.conftest import printing_desk
from tests.companion.web.page.accessibility import findings
from vision.timeboard.board import load_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from companion.patchwork.timeboard_print import PrintingDesk

__all__ = ["printing_desk"]


def tap(page: Page, point: tuple[float, float]) -> None:
    """Click on a place in the photograph."""
    marks = page.locator(".define-marks")
    box = marks.bounding_box()
    assert box is not None
    scale = box["width"] / PHOTO_SHAPE[1]
    marks.click(position={"x": point[0] * scale, "y": point[1] * scale})


def test_the_last_spaces_are_tapped_a_wrong_tap_is_taken_back_and_the_file_is_saved(
    visit: Callable[..., Page], printing_desk: PrintingDesk
) -> None:
    printing_desk.put(tapped(51))
    with time_board_page(PageConfig(port=0), printing_desk) as served:
        page = visit(served.link)
        page.locator("[data-key=step-spaces]").click()
        tap(page, (400.0, 300.0))
        expect(page.locator(".define-hint")).to_have_text("Tap the middle of space 52.")
        page.locator("[data-key=undo]").click()
        expect(page.locator(".define-hint")).to_have_text("Tap the middle of space 51.")
        expect(page.locator("path.mark[data-key=space-51]")).to_have_count(0)
        for space in (51, 52, 53):
            expect(page.locator(".define-note")).to_have_text(f"{space} spaces are tapped.")
            tap(page, tapped().spaces[space])
        expect(page.locator(".define-note")).to_have_text("54 spaces are tapped.")
        expect(page.locator("path.mark[data-key=space-53]")).to_have_count(1)
        page.locator("[data-key=next]").click()
        expect(page.locator("path.mark[data-key=mark-5]")).to_have_attribute("aria-label", "Income before space 5")
        expect(page.locator("[data-key=save]")).to_have_attribute("aria-disabled", "false")
        assert findings(page) == []
        page.locator("[data-key=save]").click()
        expect(page.locator("#kept")).to_have_text("Saved as mine.toml")

    assert abs(layout_in(printing_desk.path).middles() - load_layout("even").middles()).max() < 0.1


def test_corners_that_cross_are_named_at_their_own_step(
    visit: Callable[..., Page], printing_desk: PrintingDesk
) -> None:
    given = tapped()
    printing_desk.put(given)
    with time_board_page(PageConfig(port=0), printing_desk) as served:
        page = visit(served.link)
        expect(page.locator("#step-title")).to_have_text("Corners")
        expect(page.locator(".define-note")).to_have_count(0)
        one, two, *others = given.corners
        printing_desk.put(replace(given, corners=(two, one, *others)))
        page.reload()
        says = "The corners must go clockwise round the printed area, starting at the upper left."
        expect(page.locator(".define-note")).to_have_text(says)
        page.locator("[data-key=step-spaces]").click()
        expect(page.locator(".define-note")).to_have_text("54 spaces are tapped.")
        page.locator("[data-key=step-marks]").click()
        expect(page.locator(".define-note")).to_have_text(says)
