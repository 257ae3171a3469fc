"""Test colouring on the page with a whole companion, which receives only pictures and presses."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.config import Config
from companion.games.kvilt.decisions import ColourCell
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Phase
from companion.journal import MemoryJournal
from companion.kvilt.game import KVILT
from companion.kvilt.sheets.layout_files import load_layout
from companion.registry import codecs
from hardware.simulated.sheets.conditions import SheetTabletop
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.pointing import PHONE, Spot, reached
from tests.companion.web.page.served import PATIENCE_MS, PATIENCE_S, HastyTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray
    from playwright.sync_api import Page, Route

    from companion.games.kvilt.decisions import Decision

SETUP = own_setup(("Anna", "Boris"))


class Table(HastyTable):
    """A virtual table of Kvilt; the first round's colouring is about to begin.

    Attributes:
        hand: the pencils of the player who colours first.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(VirtualTable())
        self._folder = folder
        self.book = MemoryJournal(codecs())
        number = self.book.new_game(SETUP, "virtual 5")
        self.book.note(number, "bag", "virtual 5")
        history = History(SETUP)
        for sequence, decision in enumerate(_until_colouring(), start=1):
            self.book.append(number, sequence, decision)
            history.apply(decision)
        self.state = history.state
        self.seat = self.state.turn or 0
        self.hand = [pencil.colour for pencil in self.state.seat(self.seat).hand]
        self.companion.remote.desks["kvilt"].lay(SETUP.sheet, load_layout())
        self._changed = Condition()
        self.virtual.follow(self._notify)

    def play(self) -> None:
        """Resume the game, coloured by hand."""
        self.simulate(Config(), self.book, self._folder, KVILT, 1)

    @property
    def new(self) -> list[Decision]:
        """The decisions recorded in the colouring."""
        return list(self.book.decisions(1, KVILT.codec)[self.state.decisions_made :])

    @property
    def marks(self) -> dict[str, str]:
        """The marks on the sheet of the player who colours first."""
        tabletop = self.virtual.tabletop
        assert isinstance(tabletop, SheetTabletop)
        return dict(tabletop.marks[self.seat - 1])

    def comes_to(self, regions: set[str]) -> bool:
        """Wait until exactly these regions are coloured on that sheet; return whether they are in time."""
        with self._changed:
            return self._changed.wait_for(lambda: set(self.marks) == regions, PATIENCE_S)

    def _notify(self, *_: object) -> None:
        with self._changed:
            self._changed.notify_all()


def _until_colouring() -> Iterator[Decision]:
    import random  # noqa: PLC0415

    history = History(SETUP)
    for decision in play_game(SETUP, random.Random(3)).decisions:
        if history.state.phase is Phase.COLOURING:
            return
        history.apply(decision)
        yield decision


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path) as table:
        yield table


@pytest.fixture
def sit_down(visit: Callable[..., Page], table: Table) -> Callable[..., Page]:
    """A function that opens the page of the table with its key."""

    def opened(path: str = "", **options: Any) -> Page:
        page = visit(
            table.companion.door.link, *([table.companion.door.address + path] if path else []),
            **{"viewport": {"width": 1366, "height": 900}, **options},
        )  # fmt: skip
        page.wait_for_selector(".k-tray:not([hidden]) .k-tool")
        page.wait_for_selector("#strip .pixel")
        return page

    return opened


def spot(page: Page, seat: int, region: str) -> Spot:
    """Return the middle of a region in the window."""
    return reached(page.locator(f"#seat-{seat} [data-region='{region}']").first)


def test_cells_are_coloured_laid_under_the_camera_read_and_drawn_into_the_picture(
    sit_down: Callable[..., Page], table: Table
) -> None:
    page = sit_down(reduced_motion="no-preference")
    colour, seat = table.hand[0], table.seat
    assert table.marks == {}
    count, tool = table.hand.count(colour), page.locator(f"[data-key=tool-{colour}]")
    expect(tool.locator(".k-count")).to_have_text(str(count))
    tool.click()
    _lay_without_overtaking(page, table)
    expect(tool.locator(".k-count")).to_have_text([str(count - 1)] if count > 1 else [])
    # The button that lays the sheet under the camera confirms, too.
    expect(page.locator(f"#seat-{seat} .unseen")).to_have_count(0, timeout=PATIENCE_MS)
    expect(page.locator("#news")).to_contain_text("cell 1 of row 1", timeout=PATIENCE_MS)
    first = table.new[0]
    assert isinstance(first, ColourCell)
    assert (first.seat, first.colour, first.row) == (seat, colour, 1)
    _is_drawn_into_the_picture(page)


def _lay_without_overtaking(page: Page, table: Table) -> None:
    """Colour a cell and lay the sheet at once: it is laid once the stroke has arrived, which comes late."""
    sent: list[str] = []
    held: list[Route] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/virtual/colour", hold)
    page.mouse.click(*spot(page, table.seat, "r1c1.picture"))
    page.locator("[data-key=lay-sheet]").click()
    page.locator("[data-key=tool-rubber]").click()
    expect(page.locator("[data-key=tool-rubber]")).to_have_attribute("aria-pressed", "true")
    assert "lay-sheet" not in sent
    assert table.marks == {}
    held[0].continue_()
    expect(page.locator(f"#seat-{table.seat} .k-lies")).to_have_count(1, timeout=PATIENCE_MS)
    asked = [what for what in sent if what in ("colour", "lay-sheet", "press")]
    assert asked[:2] == ["colour", "lay-sheet"]


def _is_drawn_into_the_picture(page: Page) -> None:
    """Check that what was read is drawn into the camera's picture where that is wanted."""
    page.locator(".v-camera").scroll_into_view_if_needed()

    def shown(*, wanted: bool) -> NDArray[np.int16]:
        address = f"/camera.jpg?reading={int(wanted)}"
        with page.expect_response(lambda answer: address in answer.url and answer.ok, timeout=PATIENCE_MS) as seen:
            page.get_by_label("Reading").set_checked(wanted)
        # Asked again: the browser gives away no copy of what a script has read.
        encoded = page.request.get(seen.value.url).body()
        picture = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        return picture.astype(np.int16)

    drawn, bare, again = shown(wanted=True), shown(wanted=False), shown(wanted=True)
    marked = (np.abs(drawn - bare).max(axis=2) > 60).sum()
    assert marked > 100
    assert (np.abs(drawn - again).max(axis=2) > 60).sum() < marked / 10


def test_a_keyboard_alone_and_a_mouse_colour_cells_twice_several_and_rub_out_slips(
    sit_down: Callable[..., Page], table: Table
) -> None:
    page = sit_down()
    colour, seat = table.hand[0], table.seat
    coloured = page.locator(f"#seat-{seat} .kvilt-sheet .region[fill-opacity]")
    number = SETUP.sheet.colours.index(colour) + 1
    page.locator(f"#seat-{seat} [data-region='r1c1.picture']").focus()
    for key in (str(number), "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(coloured).to_have_count(1)
    expect(page.locator(f"#seat-{seat} [data-region='r2c2.picture']")).to_be_focused()
    label = page.locator(f"#seat-{seat} [data-region='r2c2.picture']").get_attribute("aria-label") or ""
    assert label.startswith("cell 2 of row 2: ")
    page.keyboard.press("Enter")
    expect(coloured).to_have_count(2)

    page.locator("[data-key=tool-rubber]").click()
    page.locator(f"[data-key=tool-{colour}]").click()
    last, first = (spot(page, seat, f"r3c{column}.picture") for column in (3, 1))
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move(*last, steps=12)
    page.mouse.up()
    expect(coloured).to_have_count(5)
    page.mouse.click(*spot(page, seat, "r3c1.picture"))
    expect(coloured).to_have_count(6)
    page.locator("[data-key=tool-rubber]").click()
    page.mouse.click(*spot(page, seat, "r3c3.picture"))
    expect(coloured).to_have_count(5)
    twice = {f"{cell}.{part}" for cell in ("r2c2", "r3c1") for part in ("picture", "background")}
    assert table.comes_to({*twice, "r3c2.picture"})


def test_on_a_phone_axe_finds_nothing_nothing_lies_under_the_tray_and_a_finger_taps_beside_and_hits(
    sit_down: Callable[..., Page], table: Table
) -> None:
    page = sit_down("?language=fa", color_scheme="dark", **PHONE)
    # The page makes room for the tray once it is laid out.
    page.wait_for_function(
        """() => {
          scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
          const feet = [...document.querySelectorAll(".page-foot > :not([hidden])")];
          const parts = [document.querySelector(".k-tray"), document.querySelector("#controls"), feet.at(-1)];
          const [tray, dock, lowest] = parts.map((part) => part.getBoundingClientRect());
          return lowest.bottom <= tray.top && tray.bottom < dock.top + 1;
        }"""
    )

    colour, seat = table.hand[0], table.seat
    page.locator(f"[data-key=tool-{colour}]").tap()
    assert findings(page) == []
    x, _ = spot(page, seat, "spool1.thread")
    thread = page.locator(f"#seat-{seat} [data-region='spool1.thread']").first.bounding_box()
    assert thread is not None
    page.touchscreen.tap(x, thread["y"] + thread["height"] + 2)
    expect(page.locator(f"#seat-{seat} .region[fill-opacity]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
