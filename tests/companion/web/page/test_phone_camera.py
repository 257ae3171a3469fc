"""A phone as the camera, in a browser whose camera plays a recorded table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
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
from tests.companion.web.page.browsing import ARGUMENTS, BROWSER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page

LAID = ((1, "square", ((0, 0), (0, 1), (1, 0), (1, 1))), (2, "bar4", ((2, 2), (2, 3), (2, 4), (2, 5))))


def write_y4m(path: Path, frames: list[NDArray[Any]]) -> None:
    """Write pictures as the video that Chromium's fake camera plays, over and over."""
    height, width = frames[0].shape[:2]
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode())
        for each in frames:
            file.write(b"FRAME\n" + cv2.cvtColor(each, cv2.COLOR_BGR2YUV_I420).tobytes())


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
    video = tmp_path / "evening.y4m"
    write_y4m(video, [table.frame(0.1 * number) for number in range(3)])
    camera = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=BROWSER,
        args=[*ARGUMENTS, *camera, f"--use-file-for-fake-video-capture={video}"],
        viewport={"width": 844, "height": 390},
        permissions=["camera"],
    )
    page = context.pages[0]
    page.goto(server.link)
    page.goto(f"{server.address}camera")
    yield page
    context.close()


def test_what_the_phone_sends_is_read_as_it_lies(phone: Page, table: SimulatedTable) -> None:
    camera = PhoneCamera(SystemClock())
    phone.locator("[data-key=use]").click()
    frame = camera.capture()
    assert frame.image.shape == (864, 1536, 3)
    true = [tuple("".join(row) for row in rows) for rows in table.quilts()]
    assert [quilt.rows for quilt in read_photo(frame.image)] == true
    expect(phone.locator(".camera-says")).to_contain_text("pictures a second")
    # Nothing moves: a picture every half second is enough, and it goes on.
    assert camera.capture().name == "000001.jpg"


def test_the_phone_says_when_the_table_is_away_and_goes_on(phone: Page) -> None:
    camera = PhoneCamera(SystemClock())
    phone.locator("[data-key=use]").click()
    camera.capture()
    phone.route("**/api/camera/frame*", lambda route: route.abort())
    phone.get_by_text("The table’s computer does not answer").wait_for()
    phone.unroute_all()
    camera.capture()
    expect(phone.locator(".camera-says")).to_contain_text("pictures a second")


def test_a_table_with_another_camera_says_so(browser: Browser, tmp_path: Path) -> None:
    with PageServer(pages(), PageConfig(port=0), tmp_path / "games.sqlite3") as server:
        page = browser.new_page()
        page.goto(server.link)
        page.goto(f"{server.address}camera")
        page.get_by_text("This table has another camera.").wait_for()
        page.close()
