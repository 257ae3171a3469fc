"""Describing a sheet in a real browser, from the photograph to the file; the server is the program's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.config import PageConfig
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.web.describing import sheet_page
from tests.companion.boxedsheet import LAYOUT, SHEET, boxed_sheet, entered
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.holding import Held
from tests.companion.web.page.served import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from companion.kvilt.defining.desk import DefiningDesk


@pytest.fixture
def open_defining(visit: Callable[..., Page], sheet_desk: DefiningDesk) -> Iterator[Callable[..., Page]]:
    """A function that opens the page."""
    with sheet_page(PageConfig(port=0), sheet_desk) as served:

        def opened(**options: Any) -> Page:
            page = visit(served.link, **options)
            page.wait_for_selector(".define-step")
            return page

        yield opened


class Pointer:
    """A mouse in millimetres of the sheet."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def _at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        box = self._page.locator(".define-marks").bounding_box()
        assert box is not None
        scale = box["width"] / LAYOUT.size[0]
        return box["x"] + x_mm * scale, box["y"] + y_mm * scale

    def draw(self, rect: tuple[float, ...]) -> None:
        """Drag from corner to corner."""
        x, y, width, height = rect
        self.drag((x, y), (x + width, y + height))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move and release."""
        mouse = self._page.mouse
        mouse.move(*self._at(*start))
        mouse.down()
        mouse.move(*self._at((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        mouse.move(*self._at(*end))
        mouse.up()

    def tap(self, at: tuple[float, float]) -> None:
        """Press and release."""
        self._page.mouse.click(*self._at(*at))


def enter(page: Page, key: str, value: str) -> None:
    """Type into a field and leave it."""
    field = page.locator(f"[data-key={key}]")
    field.fill(value)
    field.press("Tab")


def press(page: Page, key: str) -> None:
    page.locator(f"[data-key={key}]").click()


def test_a_sheet_is_described_and_a_coloured_one_read(
    open_defining: Callable[..., Page], sheet_desk: DefiningDesk
) -> None:
    page = open_defining()
    pointer = Pointer(page)
    press(page, "next")
    pointer.draw((21.0, 30.0, 125.0, 84.0))
    press(page, "next")
    press(page, "do-find-pictures")
    page.get_by_text("35 of 35 pictures were found.").wait_for()
    press(page, "next")
    last_row = len(SHEET.rows) - 1
    for number in (0, last_row):
        row = SHEET.rows[number]
        press(page, f"row-{number}")
        enter(page, "points-at-once", " ".join(map(str, row.points)))
        for cell, marks in enumerate(row.bonuses, start=1):
            for place, mark in enumerate(marks or ("-",)):
                page.locator(f"[data-key=mark-r{number + 1}c{cell}-{place}]").select_option(str(mark))
    await_row(page, sheet_desk, last_row)
    fill_rows_in(sheet_desk, range(1, last_row))
    page.reload()
    press(page, "step-patches")
    for number, patch in enumerate(SHEET.patches):
        press(page, "do-add-patch")
        pointer.draw(LAYOUT.patches[patch.id].region)
        enter(page, f"patch-points-{number}", str(patch.points))
    press(page, "next")
    enter(page, "spool-points", "1 2 3 4 6 8 11")
    first, last = LAYOUT.spools[0], LAYOUT.spools[-1]
    for key, begins, ends in (
        ("threads", first.thread, last.thread),
        ("flanges", first.body[0], last.body[0]),
        ("flanges", first.body[1], last.body[1]),
    ):
        press(page, f"do-draw-{key}")
        pointer.draw(begins)
        pointer.draw(ends)
    press(page, "next")
    for figure in SHEET.embroideries:
        press(page, f"do-add-{ {2: 'pencils-2', 1: 'pencils-1', 0: 'backgrounds'}[figure.pencils] }")
        for part in figure.regions:
            pointer.tap(LAYOUT.parts[part])
    press(page, "next")
    press(page, "do-draw-samples")
    pointer.draw(LAYOUT.swatches["red"])
    pointer.draw(LAYOUT.swatches["brown"])
    press(page, "next")
    page.get_by_text("Everything is there.").wait_for()
    press(page, "save")
    page.get_by_text("mine.toml is written.").wait_for()

    sheet, layout = load_sheet(sheet_desk.path), load_layout(sheet_desk.path)
    assert [(row.points, row.bonuses) for row in sheet.rows] == [(row.points, row.bonuses) for row in SHEET.rows]
    assert [(patch.column, patch.points) for patch in sheet.patches] == [(2, 3), (4, 5), (5, 7)]
    names = dict(zip(SHEET.regions(), sheet.regions(), strict=True))
    true = {"r1c1.picture": "red", "r1c1.background": "red", "p5": "green", "e3a.2": "blue", "spool2.thread": "brown"}
    coloured = boxed_sheet(21)
    coloured.colour(true)
    reading = SheetReader(sheet, layout).read(coloured.photograph())
    seen = {name: colour for name, colour in reading.seen.items() if colour and name not in reading.doubtful}
    assert seen == {names[name]: colour for name, colour in true.items()}


def await_row(page: Page, desk: DefiningDesk, number: int) -> None:
    """Wait until all marks of a row have been sent to the program."""
    ends_s = time.monotonic() + PATIENCE_S
    expected = marks_of(number)
    while [row["bonus"] for row in desk.view().tables["quilt"]["row"]][number:] != [expected]:
        assert time.monotonic() < ends_s
        page.wait_for_timeout(5)


def marks_of(number: int) -> list[str]:
    """Return the marks of a row as they are entered."""
    return ["+".join(map(str, marks)) or "-" for marks in SHEET.rows[number].bonuses]


def fill_rows_in(desk: DefiningDesk, numbers: range) -> None:
    """Enter the points and the marks of some rows."""
    tables = desk.view().tables
    for number in numbers:
        tables["quilt"]["row"][number] |= {"points": list(SHEET.rows[number].points), "bonus": marks_of(number)}
    desk.put(tables)


def fill_in(desk: DefiningDesk) -> None:
    desk.put({**desk.view().tables, **entered(desk.pictures)})


def test_a_cell_is_taken_out_and_put_back_and_moved_by_the_keyboard_with_its_picture(
    open_defining: Callable[..., Page], sheet_desk: DefiningDesk
) -> None:
    fill_in(sheet_desk)
    page = open_defining()
    pointer = Pointer(page)
    press(page, "step-quilt")
    pointer.tap((29.5 + 18 * 6, 38 + 17 * 2))
    with page.expect_response("**/api/define/sheet*"):
        press(page, "do-remove-cell")
    assert [len(row["cell"]) for row in sheet_desk.view().tables["quilt"]["row"]] == [7, 7, 6, 7, 7]
    assert sheet_desk.view().tables["quilt"]["row"][2]["points"] == list(SHEET.rows[2].points[:6])
    with page.expect_response("**/api/define/sheet*"):
        press(page, "do-undo")
    assert sheet_desk.view().tables["quilt"]["row"][2]["points"] == list(SHEET.rows[2].points)

    before = sheet_desk.view().tables["quilt"]["row"][0]
    page.locator("[data-key=r1c2]").focus()
    with page.expect_response("**/api/define/sheet*"):
        page.keyboard.press("Shift+ArrowRight")
    after = sheet_desk.view().tables["quilt"]["row"][0]
    assert after["cell"][1] == pytest.approx([before["cell"][1][0] + 2, *before["cell"][1][1:]])
    moved = [[x + 2, y] for x, y in before["picture_outline"][1]]
    assert after["picture_outline"][1] == [pytest.approx(point) for point in moved]
    assert after["cell"][0] == before["cell"][0]


def test_a_fault_cannot_be_saved_and_without_the_key_it_says_how_to_get_in(
    open_defining: Callable[..., Page], sheet_desk: DefiningDesk
) -> None:
    fill_in(sheet_desk)
    tables = sheet_desk.view().tables
    tables["patch"][0]["region"] = [205.0, 2.0, 14.0, 6.0]
    sheet_desk.put(tables)
    page = open_defining()
    press(page, "step-saving")
    assert page.locator(".define-fault").inner_text().startswith("mine.toml: page: p3 lies over its edge")
    expect(page.locator("[data-key=save]")).to_have_attribute("aria-disabled", "true")

    page.context.clear_cookies()
    page.reload()
    page.get_by_text("Open this page with the link").wait_for()


@pytest.mark.parametrize(("locale", "scheme", "step"), [("ru-RU", "light", "values"), ("fa-IR", "dark", "pencils")])
def test_axe_finds_nothing_on_a_phone(
    open_defining: Callable[..., Page], sheet_desk: DefiningDesk, locale: str, scheme: str, step: str
) -> None:
    fill_in(sheet_desk)
    page = open_defining(locale=locale, color_scheme=scheme, viewport={"width": 390, "height": 844})
    press(page, f"step-{step}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []


def test_a_corner_is_dragged_and_what_is_being_typed_stays_when_the_program_answers(
    open_defining: Callable[..., Page], sheet_desk: DefiningDesk
) -> None:
    page = open_defining()
    _drag_a_corner(page, sheet_desk)
    number = sheet_desk.view().flat_number
    width, height = page.locator("[data-key=width]"), page.locator("[data-key=height]")
    answers = Held(page, "**/api/define/sheet*", "POST")
    enter(page, "width", "211")
    answers.wait()
    height.press("ControlOrMeta+a")
    height.press_sequentially("14")
    answers.release()
    # The sheet was rectified again, and everything is redrawn.
    assert sheet_desk.view().flat_number == number + 1
    expect(height).to_be_focused()
    expect(height).to_have_value("14")
    expect(width).to_have_value("211")
    answers.end()
    height.press_sequentially("9")
    height.press("Tab")
    expect(height).to_have_value("149")


def _drag_a_corner(page: Page, sheet_desk: DefiningDesk) -> None:
    before = sheet_desk.view().corners_px
    assert before is not None
    box = page.locator("[data-key='corners:2']").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 15, y - 10)
    page.mouse.move(x - 30, y - 20)
    with page.expect_response("**/api/define/corners*"):
        page.mouse.up()
    after = sheet_desk.view().corners_px
    assert after is not None
    assert (after[2] - before[2])[0] < -40
    assert after[:2] == pytest.approx(before[:2], abs=0.2)
