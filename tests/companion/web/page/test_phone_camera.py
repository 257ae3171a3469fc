"""A phone as the camera, in a browser whose camera plays a recorded table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.config import Config, PageConfig
from companion.patchwork.photograph.photo import read_photo
from companion.registry import pages
from companion.web.page import PageServer
from hardware.clock import SystemClock
from hardware.driver import CameraDriver
from hardware.drivers.phone import PhoneCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from tests.companion.web.page.browsing import await_true
from tests.companion.web.page.filming import Film, phone_before
from tests.companion.web.page.program import Program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

LAID = ((1, "square", ((0, 0), (0, 1), (1, 0), (1, 1))), (2, "bar4", ((2, 2), (2, 3), (2, 4), (2, 5))))


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(5, Conditions(ground_seed=2, creep_mm=0.5))
    for seat, name, cells in LAID:
        table.lay(seat, name, cells)
    return table


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    config = Config(camera=CameraDriver.of({"driver": "phone"}))
    with PageServer(pages(), PageConfig(port=0), tmp_path / "games.sqlite3", table=config) as opened:
        yield opened


@pytest.fixture
def phone(browser: Browser, server: PageServer, table: SimulatedTable, tmp_path: Path) -> Iterator[Page]:
    """A page with the key, whose camera sees the table."""
    film = Film(tmp_path / "table.y4m")
    film.show(*(table.frame(0.1 * number) for number in range(2)))
    with phone_before(film, browser.browser_type, tmp_path / "profile") as page:
        page.goto(server.door.link)
        page.goto(f"{server.door.address}camera")
        yield page


def test_a_patch_in_the_phones_pictures_is_read_as_it_lies(phone: Page, table: SimulatedTable) -> None:
    camera = PhoneCamera(SystemClock())
    phone.locator("[data-key=use]").click()
    frame = camera.capture()
    assert frame.image.shape == (864, 1536, 3)
    true = [tuple("".join(row) for row in rows) for rows in table.quilts()]
    assert [quilt.rows for quilt in read_photo(frame.image)] == true
    expect(phone.locator(".camera-says")).to_contain_text("pictures a second")
    # Nothing moves: a picture every half second is enough, and it goes on.
    assert camera.capture().name == "000001.jpg"
    # A photograph has the camera's own size, as the browser's camera takes it.
    assert camera.still().image.shape == (864, 1536, 3)


def test_the_phone_says_when_the_table_is_away_and_goes_on(phone: Page) -> None:
    camera = PhoneCamera(SystemClock())
    phone.locator("[data-key=use]").click()
    camera.capture()
    # A browser discards the page while the screen is locked: nobody has to touch the phone afterwards.
    phone.reload()
    camera.capture()
    phone.route("**/api/camera/frame*", lambda route: route.abort())
    phone.get_by_text("The table’s computer does not answer").wait_for()
    phone.unroute_all()
    camera.capture()
    expect(phone.locator(".camera-says")).to_contain_text("pictures a second")


def test_a_table_with_another_camera_says_so(browser: Browser, tmp_path: Path) -> None:
    with PageServer(pages(), PageConfig(port=0), tmp_path / "games.sqlite3") as server:
        page = browser.new_page()
        page.goto(server.door.link)
        page.goto(f"{server.door.address}camera")
        page.get_by_text("This table has another camera.").wait_for()
        page.close()


SETTINGS = """
[camera]
driver = "phone"
[controls]
driver = "none"
[strip]
driver = "none"
[reading]
hands_free = true
pause_s = 0.5
"""
SEATS = "async () => (await (await fetch('/api/snapshot')).json()).patchwork?.seats"
EVENING = ((1, "domino", ((4, 4), (4, 5))), (2, "bar3", ((0, 0), (0, 1), (0, 2))))


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    running = Program(tmp_path, ("play", "--new"), SETTINGS)
    running.start()
    yield running
    running.kill()


def test_the_phone_carries_the_beginning_of_a_game(browser: Browser, program: Program, tmp_path: Path) -> None:
    table, film = SimulatedTable(5, Conditions(ground_seed=2, creep_mm=0.5)), Film(tmp_path / "table.y4m")
    film.show(table.frame(0.0), table.frame(0.1))
    with phone_before(film, browser.browser_type, tmp_path / "profile") as page:
        page.goto(program.link)
        page.goto(f"{program.link.partition('?')[0]}camera")
        page.locator("[data-key=use]").click()
        expect(page.locator(".camera-board")).to_have_count(2)
        # The second if they took some time.
        expect(page.locator(".camera-says")).to_contain_text(re.compile("The table sees this picture|Both .* are seen"))
        for seat, name, cells in EVENING:
            table.lay(seat, name, cells)
            film.show(table.frame(1.0), table.frame(1.1))
            is_laid = f"async () => (await ({SEATS})())?.[{seat - 1}].pieces.length === 1"
            await_true(page, is_laid)
        seats = page.evaluate(SEATS)
    laid = [[(piece["patch"], len(piece["cells"])) for piece in seat["pieces"]] for seat in seats]
    assert laid == [[("domino", 2)], [("bar3", 3)]]
    # Two buttons for each patch of five, and two points for each empty cell.
    assert [seat["score"] for seat in seats] == [3 - 2 * 79, 3 - 2 * 78]
