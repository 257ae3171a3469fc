"""Test the page of `companion serve` through an evening: calibrate, set up, play, leave and come back.

The service, its turn loop and its page are real; the camera sees a simulated table, on which a test moves pieces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from calibration.stored import load_calibration
from companion.calibrating.configured import calibration_path
from companion.cli.serve import Service
from companion.config import Config, PageConfig
from companion.config.palette import COLOURS
from companion.games.patchwork.cells import names_of
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.decisions import TakePatch
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.patchwork.game import PATCHWORK
from companion.play.host import Host
from companion.play.session import DeviceFactory
from companion.registry import codecs, games, pages
from companion.upkeep.service import Notifier
from companion.web.page import PageServer as Companion
from hardware.drivers.none import NoControls
from hardware.drivers.webcam import WebcamDriver
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import normal
from hardware.simulated.devices import PacedClock, SimulatedLightStrip
from hardware.simulated.virtual.evening import VirtualEvening
from hardware.simulated.virtual.moves import Circumstances, Lay, Lift, Move, Place
from hardware.simulated.virtual.table import MoveBox
from hardware.strips import ResilientStrip
from tests.companion.web.page.pointing import DESK, PHONE, drag, middle, shifted
from tests.companion.web.page.served import PATIENCE_MS, PATIENCE_S, ServedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

FPS: Final = 3.0


class StoppingClock(PacedClock):
    """A clock whose sleep can be broken off."""

    def __init__(self, may_stop: Callable[[], None]) -> None:
        super().__init__()
        self._may_stop = may_stop

    def sleep(self, seconds: float) -> None:
        self._may_stop()
        super().sleep(seconds)


class Table(ServedTable):
    """A service and the table under its camera."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, StoppingClock(self.may_stop)
        self._moves = MoveBox[Move]()
        self._evening = VirtualEvening(5, self._moves, fps=FPS)
        self.kept = calibration_path(folder, TABLE_NAME)
        self.config = replace(Config(), camera=WebcamDriver(), page=PageConfig(port=0))
        host = Host(self.config, TABLE_NAME, PATCHWORK, games(), by_hand=False, calibration=self.kept)
        self._host = host
        super().__init__(Companion(pages(), self.config.page, folder / JOURNAL_NAME, host=host))

    def play(self) -> None:
        """Serve games, one after the other."""
        openers = DeviceFactory(
            self.clock,
            lambda *_: SimulatedCamera(self._evening, self.clock, FPS),
            NoControls,
            lambda say: ResilientStrip(lambda: SimulatedLightStrip(60), 60, self.clock, say),
        )
        notifier = Notifier({}, self.clock.now)
        with Journal(self.folder / JOURNAL_NAME, codecs()) as journal:
            service = Service(self.config, openers, journal, self.companion, notifier, self._host)
            while service.play_next():
                pass

    def move(self, move: Move) -> None:
        """Make a move without a simulated arm, which would take time."""
        for each in (replace(Circumstances.of(normal()), arms=False), move):
            self._moves.put(each).result(PATIENCE_S)

    def clear(self) -> None:
        """Remove everything from the boards."""
        for piece in self._evening.tabletop().pieces:
            self.move(Lift(piece.number))

    @property
    def cheap_patch(self) -> str:
        """A patch that the players can pay in their first move."""
        return next(patch for patch in self._evening.tabletop().circle if PATCHES[patch].buttons <= 2)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """The service before the first game."""
    with Table(tmp_path) as table:
        yield table


@pytest.fixture
def sit_down(visit: Callable[..., Page], table: Table) -> Callable[..., Page]:
    """A function that opens the page with the table's key."""

    def opened(**options: Any) -> Page:
        return visit(table.companion.door.link, **options)

    return opened


def sees(page: Page) -> None:
    """Wait for a game whose boards the camera sees."""
    expect(page.locator("#seat-1")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#turn :is(.trouble, .awaited)")).to_have_count(0, timeout=PATIENCE_MS)


def begin(page: Page, names: tuple[str, str], choose: Callable[[], None] = lambda: None) -> None:
    """Set up a game on the page and begin it."""
    page.locator("[data-key=setup]").click()
    for seat, name in enumerate(names, start=1):
        page.locator(f"[data-key=name-{seat}]").fill(name)
    choose()
    page.locator("[data-key=begin]").click()
    page.wait_for_selector("dialog", state="detached", timeout=PATIENCE_MS)
    sees(page)


def test_a_table_is_calibrated_by_its_corners_before_the_first_game(
    sit_down: Callable[..., Page], table: Table
) -> None:
    page = sit_down(**DESK)
    page.locator("[data-key=calibrate]").click()
    expect(page.locator("[data-key=save]")).to_have_attribute("aria-disabled", "false", timeout=PATIENCE_MS)
    corner = page.locator("[data-key='2-1']")
    at = middle(corner)
    drag(page, at, shifted(at, (-3, 2)))
    page.locator("[data-key=anew]").wait_for()
    expect(corner).to_be_visible()
    back = middle(corner)
    assert abs(back[0] - at[0]) + abs(back[1] - at[1]) < 1.5, "the printed lines say it better"
    page.locator("[data-key=save]").click()
    page.locator(".calibration-saved").wait_for(timeout=PATIENCE_MS)
    assert set(load_calibration(table.kept).boards) == {1, 2}
    page.locator("dialog button.push").click()

    begin(page, ("Clara", "Dmitri"))
    expect(page.locator("#seat-2 h2, #seat-2 h3").first).to_contain_text("Dmitri")


def test_games_are_set_up_left_and_gone_on_with(sit_down: Callable[..., Page], table: Table) -> None:
    page = sit_down(**PHONE)

    def choose() -> None:
        page.locator("[data-key=first_seat-2]").check()
        page.locator("[data-key=colour-0-green]").check()
        page.locator("summary").click()
        page.locator("[data-key=edition-revised]").check()
        page.locator("#setup-language").select_option("fa")

    begin(page, ("Clara", "Dmitri"), choose)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fa")
    expect(page.locator("#turn h2")).to_have_text("نوبت Dmitri")
    sees(page)

    patch = table.cheap_patch
    table.move(Lay(patch, Place(2, 4.5, 4.5)))
    page.locator(".push[data-key=confirm]").click()
    expect(page.locator("#seat-2 .figure dd").last).not_to_have_text("۸۱", timeout=PATIENCE_MS)

    expect(page.locator("#seat-1")).to_have_css("--seat-1", COLOURS["green"])
    table.clear()
    begin(page, ("Eva", "Fritz"))
    expect(page.locator("#seat-1")).to_contain_text("Eva")
    page.locator("[data-key=setup]").click()
    page.get_by_role("button", name="Clara").click()
    page.wait_for_selector("dialog", state="detached", timeout=PATIENCE_MS)
    table.move(Lay(patch, Place(2, 4.5, 4.5)))
    expect(page.locator("#seat-1")).to_contain_text("Clara", timeout=PATIENCE_MS)
    expect(page.locator("#seat-2 .figure dd").last).not_to_have_text("۸۱")

    with Journal(table.folder / JOURNAL_NAME, codecs(), read_only=True) as journal:
        setup, (decision,) = journal.setup(1, PATCHWORK.codec), journal.decisions(1, PATCHWORK.codec)
        assert (setup.players, setup.first_seat, setup.edition) == (("Clara", "Dmitri"), 2, Edition.REVISED)
        assert journal.setup(2, PATCHWORK.codec).players == ("Eva", "Fritz")
    assert isinstance(decision, TakePatch)
    assert (decision.seat, decision.patch) == (2, patch)
    assert names_of(decision.cells)
