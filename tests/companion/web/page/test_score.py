"""Photographs scored on the page, at the size of a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from companion.config import PageConfig
from companion.kvilt.reading.evidence import printed_markers
from companion.kvilt.reading.finding import find_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.registry import pages
from companion.web.page import PageServer
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.pointing import reached
from vision.sheet.page import page_corners_mm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG: Final = "W" * 24
LAID: Final = (
    (1, "square", ((0, 0), (0, 1), (1, 0), (1, 1))),
    (1, "bar5", ((8, 0), (8, 1), (8, 2), (8, 3), (8, 4))),
    (2, "bar4", ((2, 2), (2, 3), (2, 4), (2, 5))),
)


@pytest.fixture(scope="module")
def finished() -> SimulatedTable:
    table = SimulatedTable(5, Conditions(ground_seed=2, creep_mm=0.5))
    for seat, name, cells in LAID:
        table.lay(seat, name, cells)
    return table


@pytest.fixture(scope="module")
def photograph(finished: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph of three megapixels, stored on its side as phones store them, with the tag that turns it."""
    upright = cv2.resize(finished.frame(0.0), (2312, 1301), interpolation=cv2.INTER_CUBIC)
    stored = cv2.imencode(".jpg", cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE))[1].tobytes()
    # Exif with the orientation 6: turn it clockwise by a quarter to see it upright.
    tag = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
    path = tmp_path_factory.mktemp("phone") / "IMG_0001.jpg"
    path.write_bytes(stored[:2] + b"\xff\xe1" + (len(tag) + 2).to_bytes(2) + tag + stored[2:])
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    with PageServer(pages(), PageConfig(port=0), tmp_path / "games.sqlite3") as opened:
        yield opened


Visit = Callable[..., Page]


def _open(visit: Visit, server: PageServer, **options: Any) -> Page:
    return visit(server.door.link, f"{server.door.address}score", **{**PHONE, **options})


def _send(page: Page, path: Path) -> None:
    """Choose a picture by the browser's own chooser."""
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Choose pictures").click()
    chooser.value.set_files(path)


def test_a_photograph_from_a_phone_becomes_a_scored_game(
    visit: Visit, server: PageServer, photograph: Path, finished: SimulatedTable
) -> None:
    page = _open(visit, server)
    _send(page, photograph)
    page.locator(".score-thumb").wait_for()
    page.locator("[data-key=buttons-2]").wait_for()
    for seat, rows in enumerate(finished.quilts(), start=1):
        covered = page.locator(f".seat-of-{seat} .score-cell.is-covered").evaluate_all(
            "cells => cells.map((cell) => cell.dataset.key.split('-')[2])"
        )
        wrong = {f"{'ABCDEFGHI'[x]}{y + 1}" for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "X"}
        assert len(wrong ^ set(covered)) <= 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []

    before = page.locator(".seat-of-2 tfoot td").inner_text()
    page.locator("[data-key=cell-2-I9]").click()
    expect(page.locator(".seat-of-2 tfoot td")).not_to_have_text(before)
    for key, value in (("name-1", "Anna"), ("buttons-1", "12"), ("name-2", "Boris"), ("buttons-2", "3")):
        page.locator(f"[data-key={key}]").fill(value)
        with page.expect_response("**/entered*"):
            page.locator(f"[data-key={key}]").press("Tab")
    expect(page.locator(".score-winner")).to_contain_text("Anna wins")

    def unsure(route: Route) -> None:
        answer = route.fetch().json()
        route.fulfill(json={**answer, "sheet": {**answer["sheet"], "sure": False}})

    page.route("**/entered*", unsure)
    page.locator("[data-key=buttons-1]").fill("13")
    page.locator("[data-key=buttons-1]").press("Tab")
    expect(page.locator(".score-winner")).to_contain_text("Anna is ahead")
    page.unroute("**/entered*")
    page.locator("[data-key=name-1]").fill(LONG)
    page.locator("[data-key=name-1]").press("Tab")
    expect(page.locator(".score-winner")).to_contain_text(f"{LONG} wins")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-key=share]").click()
    page.locator("#shared img").wait_for()
    page.locator("[data-key=with-picture]").check()
    page.locator("[data-key=keep]").click()
    page.get_by_text("Kept: you find it under Games.").wait_for()
    # The address leads back to the same photograph.
    page.reload()
    page.locator("[data-key=buttons-2]").wait_for()
    page.locator("[data-key=new]").click()
    page.locator("[data-key=take]").wait_for(state="attached")

    page.goto(server.door.address)
    page.locator("#settings").get_by_role("button", name="Games").click()
    item = page.locator(".game-item")
    expect(item).to_contain_text(f"{LONG}, Boris")
    assert item.locator(".game-won").evaluate("won => won.scrollWidth <= won.clientWidth")
    expect(item.get_by_role("link", name="Photograph 1")).to_have_count(1)
    page.locator("[data-key=scored-1]").click()
    page.locator("[data-key=scored-1]").click()
    expect(page.locator(".game-item")).to_have_count(0)


def test_corners_of_boards_that_were_not_found_are_dragged_with_a_magnifier(
    visit: Visit, server: PageServer, tmp_path: Path
) -> None:
    path = tmp_path / "dark.jpg"
    cv2.imwrite(str(path), np.full((600, 800, 3), 20, np.uint8))
    page = _open(visit, server)
    _send(page, path)
    page.get_by_text("The picture is dark").wait_for()
    page.locator("[data-key=show-0]").click()
    page.locator("[data-key=boards-1]").click()
    x, y = reached(page.locator("[data-key='1-0']"))

    def drag(*ways: tuple[float, float]) -> None:
        page.mouse.move(x + ways[0][0], y + ways[0][1])
        page.mouse.down()
        page.mouse.move(x + ways[1][0], y + ways[1][1], steps=3)

    # Across the board: it says so, and the corner stays to be dragged.
    drag((0, 0), (150, 150))
    page.mouse.up()
    page.locator("[data-key=read-there]").click()
    page.get_by_text("The corners must go around the board or sheet, not across it.").wait_for()
    drag((150, 150), (-12, -8))
    expect(page.locator(".loupe")).to_be_visible()
    page.mouse.up()
    with page.expect_request("**/corners*") as sent:
        page.locator("[data-key=read-there]").click()
    (corners,) = json.loads(sent.value.post_data or "")["corners"]
    scale = 800 / 390
    assert corners[0][0] < corners[3][0] - 6 * scale
    # With the corners shown, whatever is there is read.
    page.locator(".score-seat").wait_for()


def test_corners_of_a_sheet_of_kvilt_are_dragged_by_finger_with_a_magnifier(
    visit: Visit, server: PageServer, tmp_path: Path
) -> None:
    sheet, layout = SimulatedSheet(4), load_layout()
    sheet.colour({"r1c1.picture": "red", "p3": "green"})
    image = sheet.photograph()
    place = find_sheet(image, layout).page.place
    for quad in list(printed_markers(layout).values())[:2]:
        cv2.fillConvexPoly(
            image, np.rint(place(quad) + 4 * np.sign(quad - quad.mean(axis=0))).astype(np.int32), (40, 60, 90)
        )
    path = tmp_path / "sheet.jpg"
    cv2.imwrite(str(path), image)
    page = _open(visit, server)
    page.locator("[data-key=kind-kvilt]").check()
    _send(page, path)
    page.locator("[data-key=show-0]").click()
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in spots]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    goals = place(page_corners_mm(layout.size))
    scale = 0.0
    for number, corner in enumerate(goals):
        start = reached(page.locator(f"[data-key='1-{number}']"))
        picture = page.locator(".calibration-image").bounding_box()
        assert picture is not None
        scale = picture["width"] / image.shape[1]
        goal = (picture["x"] + scale * corner[0], picture["y"] + scale * corner[1])
        touch("touchStart", start)
        touch("touchMove", ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2))
        touch("touchMove", goal)
        expect(page.locator(".loupe")).to_be_visible()
        touch("touchEnd")
    with page.expect_request("**/corners*") as sent:
        page.locator("[data-key=read-there]").click()
    (corners,) = json.loads(sent.value.post_data or "")["corners"]
    # Within a pixel or two of the screen; reading there is tested without a browser.
    assert np.abs(np.array(corners) - goals).max() < 2.5 / scale


def test_without_the_key_it_says_how_to_get_in(visit: Visit, server: PageServer) -> None:
    page = visit(f"{server.door.address}score", **PHONE)
    page.get_by_text("join with the code on the TV view").wait_for()
