"""A companion that plays in a thread of its own while a test uses its page."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, Self

from playwright.sync_api import expect

from companion.config import Config, PageConfig
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.game import PATCHWORK as GAME
from companion.patchwork.settings import PatchworkSettings
from companion.play.events import Complained
from companion.play.inbox import PressButton
from companion.play.session import Simulation
from companion.registry import codecs, pages
from companion.web.page import PageServer as Companion
from hardware.ports import Button
from hardware.simulated.conditions import normal
from hardware.simulated.virtual.moves import Circumstances, Lift, Move, Tabletop
from hardware.simulated.virtual.table import MoveRefusedError, VirtualTable
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from companion.games.patchwork.decisions import Decision
    from companion.journal import Journal
    from companion.play.game import AnyGame

PATIENCE_MS: Final = 120_000
"""Long enough for a busy machine."""
TWIN_CIRCLE: Final = (
    "corner-b1", "corner-b3", "square", "plus", "fat-plus", "hat", "long-plus", "propeller", "thorn", "aitch",
    "bar3", "long-zig", "tee", "wide-cup", "chunk", "hook-t6", "tall-tee", "hook-t2", "bar5", "dagger", "bar4",
    "square-with-tail", "stairs", "crank", "cup", "long-hook", "mast", "arrow", "boot", "shifted-bricks", "zig-b3",
    "zig-b7", "domino",
)  # fmt: skip
"""A circle found by search: two patches of one shape are on offer first, and hasty players need thirty decisions."""
PATIENCE_S: Final = PATIENCE_MS / 1000
_FPS: Final = 3.0
"""In simulated time, which is not that of the wall clock."""
_BUSY_FRAMES: Final = 4
"""The frames after the latest event that follow each other without a pause."""
_REST_S: Final = 0.3
"""The time between two frames of a table where nothing happens."""
_GLANCE_S: Final = 0.01
"""The time between two glances whether somebody moves a piece."""


class StopError(BaseException):
    """The evening is broken off."""


class ServedTable(ABC):
    """A table whose page is served and whose game is played within a `with` block.

    Attributes:
        companion: the page's server.
    """

    def __init__(self, companion: Companion) -> None:
        self.companion = companion
        self._left = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self.companion.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join(PATIENCE_S)
        self.companion.__exit__(None, None, None)
        assert not self._thread.is_alive()

    @abstractmethod
    def play(self) -> None:
        """Play and call `may_stop` regularly."""

    def may_stop(self, *_: Any) -> None:
        """Break off the caller once the test has left.

        Raises:
            StopError: the test has left.
        """
        if self._left.is_set():
            raise StopError

    def _run(self) -> None:
        with suppress(StopError):
            self.play()


class HastyTable(ServedTable):
    """A virtual table whose time passes quickly: frames come without a pause while something happens, and rarely else.

    Args:
        virtual: the table itself.

    Attributes:
        virtual: the table itself.
        has_complained: whether it complained since a test has set this to False.
    """

    def __init__(self, virtual: VirtualTable) -> None:
        super().__init__(Companion(pages(), PageConfig(port=0), virtual=virtual))
        self.virtual = virtual
        self.has_complained = False
        self._quiet_frames = 0

    def simulate(self, config: Config, book: Journal, folder: Path, game: AnyGame, game_id: int | None = None) -> None:
        """Play a game whose pieces are moved by hand."""
        attached = self.companion.remote

        def observe(watch: Any, now_s: float) -> None:
            attached.observe(watch, now_s)
            self._pause()

        simulate(
            config,
            Simulation(5, fast=True, by_hand=self.virtual, watched_fps=_FPS),
            book,
            folder,
            game_id,
            [self.companion, self._hurry],
            [self.companion.strip],
            replace(attached, observe=observe),
            game=game,
        )

    def _hurry(self, event: object) -> None:
        self._quiet_frames = 0
        self.has_complained |= isinstance(event, Complained)

    def _pause(self) -> None:
        """Pause after a frame if nothing has happened for some frames, until somebody moves something."""
        self.may_stop()
        self._quiet_frames += 1
        ends_s = time.monotonic() + _REST_S
        while self._quiet_frames > _BUSY_FRAMES and time.monotonic() < ends_s and not self._left.wait(_GLANCE_S):
            if self.virtual.hands_busy:
                self._quiet_frames = 0


class PatchworkTable(HastyTable):
    """A virtual table of Patchwork.

    Args:
        folder: its data folder.
        circle: its patches in order; None for those of a seed.
        players: the players' names.

    Attributes:
        book: the journal.
    """

    def __init__(
        self, folder: Path, circle: tuple[str, ...] | None = None, players: tuple[str, str] = ("Anna", "Boris")
    ) -> None:
        super().__init__(VirtualTable())
        self.book = MemoryJournal(codecs())
        self._folder, self._game = folder, PatchworkSettings(players=players, market=circle)

    def play(self) -> None:
        """Play a game whose pieces are laid by hand."""
        config = with_circle_known(Config().with_game(self._game), CircleSource.DEALT)
        self.simulate(config, self.book, self._folder, GAME)

    @property
    def top(self) -> Tabletop:
        """The current state of the tabletop."""
        top = self.virtual.tabletop
        assert isinstance(top, Tabletop)
        return top

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The recorded decisions."""
        return self.book.decisions(1, PATCHWORK)

    def clear(self) -> None:
        """Undo all decisions and remove everything from the boards, as at the beginning."""
        if self.has_complained:
            self.press(Button.UNDO)  # An open question takes it for "none of these".
        while self.decisions:
            self.press(Button.UNDO)
        if self._lying():
            self.hurry()
        while lying := self._lying():
            # A hand may still hold some of them; each attempt advances the table by a frame.
            for lift in [self.virtual.move(Lift(number)) for number in lying]:
                with suppress(MoveRefusedError):
                    lift.result(PATIENCE_S)
        if self.top.circumstances != (usual := Circumstances.of(normal())):
            self._move(usual)
        if self.has_complained:
            # After a move that is taken back, the same picture is no longer taken for insisting.
            self.press(Button.ADVANCE)
            self.press(Button.UNDO)
            self.has_complained = False

    def hurry(self) -> None:
        """Switch off simulated arms, which would take time."""
        self._move(replace(Circumstances.of(normal()), arms=False))

    def press(self, button: Button) -> None:
        """Press a button and wait for the answer."""
        self.companion.site().inbox.put(PressButton(button)).result(PATIENCE_S)

    def _lying(self) -> list[int]:
        return [thing.number for things in (self.top.pieces, self.top.tokens) for thing in things]

    def _move(self, move: Move) -> None:
        self.virtual.move(move).result(PATIENCE_S)


def await_table(page: Page) -> None:
    """Wait until a virtual table of Patchwork is on the page, and its camera has sent a picture."""
    page.wait_for_selector(".v-circle-list [data-source=domino]")
    # The strip comes last: the layout no longer changes after it.
    page.wait_for_selector("#strip .pixel")
    # Before the camera's first picture no hands are at the table.
    expect(page.locator("#turn :is(.trouble, .awaited)")).to_have_count(0, timeout=PATIENCE_MS)
