"""A companion that plays in a thread of its own while a test is at its page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Self

from playwright.sync_api import expect

from companion.config import Config, GameConfig, PageConfig, SimulationConfig
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.codec import PATCHWORK
from companion.play.simulation import Simulation
from companion.registry import codecs, pages
from companion.web.page import PageServer as Companion
from hardware.ports import Button
from hardware.simulated.conditions import normal
from hardware.simulated.virtual.box import MoveRefusedError
from hardware.simulated.virtual.moves import Circumstances, Lift, Move
from hardware.simulated.virtual.table import VirtualTable
from hardware.simulated.virtual.tabletop import Tabletop
from tests.companion.evenings import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from companion.games.patchwork import Decision

PATIENCE_MS: Final = 120_000
"""Long enough for a machine that has much else to do."""
TWIN_CIRCLE: Final = (
    "corner-b1", "corner-b3", "square", "plus", "fat-plus", "hat", "long-plus", "propeller", "thorn", "aitch",
    "bar3", "long-zig", "tee", "wide-cup", "chunk", "hook-t6", "tall-tee", "hook-t2", "bar5", "dagger", "bar4",
    "square-with-tail", "stairs", "crank", "cup", "long-hook", "mast", "arrow", "boot", "shifted-bricks", "zig-b3",
    "zig-b7", "domino",
)  # fmt: skip
"""Searched: it begins with two patches of one shape for sale, and hasty players are done after thirty decisions."""
PATIENCE_S: Final = PATIENCE_MS / 1000
_FPS: Final = 3.0


class StopError(BaseException):
    """The evening is broken off."""


class ServedTable(ABC):
    """From `with` on its page can be reached and its game is played, until the test leaves.

    Attributes:
        companion: the page's server.
    """

    def __init__(self, companion: Companion) -> None:
        self.companion = companion
        self._over = False
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self.companion.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self._thread.join(PATIENCE_S)
        self.companion.__exit__(None, None, None)
        assert not self._thread.is_alive()

    @abstractmethod
    def play(self) -> None:
        """Play, and call `may_stop` over and over."""

    def may_stop(self, *_: Any) -> None:
        """Break off what calls this, once the test has left.

        Raises:
            StopError: it has.
        """
        if self._over:
            raise StopError

    def _run(self) -> None:
        with suppress(StopError):
            self.play()


class PatchworkTable(ServedTable):
    """A virtual table of Patchwork.

    Args:
        folder: its data.
        circle: its patches; absent: they follow from a seed.
        players: their names.

    Attributes:
        book, virtual: the journal and the table itself.
    """

    def __init__(
        self, folder: Path, circle: tuple[str, ...] | None = None, players: tuple[str, str] = ("Anna", "Boris")
    ) -> None:
        self.book, self.virtual = MemoryJournal(codecs()), VirtualTable()
        super().__init__(Companion(pages(), PageConfig(port=0), virtual=self.virtual))
        self._folder, self._game = folder, GameConfig(players=players, market=circle)

    def play(self) -> None:
        """Play a game that people lay by hand."""
        config = Config(game=self._game, simulation=SimulationConfig(fps=_FPS))
        simulate(
            with_circle_known(config, CircleSource.DEALT),
            Simulation(5, by_hand=self.virtual),
            self.book,
            self._folder,
            None,
            [self.companion],
            [self.companion.strip, self.may_stop],
            self.companion.attached,
        )

    @property
    def top(self) -> Tabletop:
        """How it lies now."""
        top = self.virtual.tabletop
        assert isinstance(top, Tabletop)
        return top

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What has been taken down."""
        return self.book.decisions(1, PATCHWORK)

    def clear(self) -> None:
        """Have everything taken back and off the boards, as it was at first."""
        while self.decisions:
            self.companion.site().controls.press(Button.UNDO).result(PATIENCE_S)
        self.hurry()
        while lying := [thing.number for things in (self.top.pieces, self.top.tokens) for thing in things]:
            # A hand may have it still from before; each time a frame goes by.
            with suppress(MoveRefusedError):
                self._move(Lift(lying[0]))
        self._move(Circumstances.of(normal()))

    def hurry(self) -> None:
        """See no arms any more, for which one would have to wait."""
        self._move(replace(Circumstances.of(normal()), arms=False))

    def _move(self, move: Move) -> None:
        self.virtual.move(move).result(PATIENCE_S)


def await_table(page: Page) -> None:
    """Wait until a virtual table of Patchwork is on the page, and its camera has sent a picture."""
    page.wait_for_selector(".v-circle-list [data-source=domino]")
    # The last to come: nothing moves to and fro any more.
    page.wait_for_selector("#strip .pixel")
    # Until the camera's first picture nobody's hands are at the table.
    expect(page.locator("#turn :is(.trouble, .awaited)")).to_have_count(0, timeout=PATIENCE_MS)
