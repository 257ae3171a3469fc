"""A table of Kvilt without pictures: tests set what the camera would show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from companion.games.kvilt.decisions import decision_from_json
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Setup
from companion.journal import Journal, MemoryJournal
from companion.kvilt.codec import KVILT
from companion.kvilt.reading.finding import SheetPhotoError
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.offering import AnyBag, VirtualBag
from companion.kvilt.table.turn_loop import KviltTable
from companion.kvilt.table.watch import SheetWatch
from companion.play.events import Asked, Complained
from companion.play.inbox import Inbox
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import Button, EndOfFramesError, Frame, Press
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from companion.kvilt.choices import Choice, SheetComplaint
    from companion.kvilt.codec import Event
    from companion.kvilt.reading.finding import FoundSheet
    from companion.kvilt.sheets.layout import PageLayout

C, A, U = Button.CONFIRM, Button.ADVANCE, Button.UNDO


@dataclass
class Shown:
    """A fake reading of a sheet, made without a picture."""

    seen: dict[str, str | None]
    odds: dict[str, dict[str | None, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    layout: PageLayout = field(default_factory=load_layout)

    @property
    def doubtful(self) -> tuple[str, ...]:
        return tuple(self.odds)

    @property
    def likely(self) -> dict[str, float]:
        return {name: max(self.odds.get(name, {None: 1.0}).values()) for name in self.seen}

    def ways(self, region: str) -> list[tuple[str | None, float]]:
        return sorted(self.odds[region].items(), key=lambda way: -way[1])


class Sheets:
    """A fake reader and watch: `lies` is the sheet under the camera, or the reason why none is read."""

    def __init__(self) -> None:
        self.lies: Shown | str = "no marker is seen"
        self.settled = True
        self.trouble = ""
        self.absent = False
        self.found = None
        self.reading: object = None
        self.disturbed = False
        self.looked = 0
        self.pictures: list[tuple[int, ...]] = []
        self.seen: list[tuple[str, bool]] = []
        self.restarted = 0

    def read(self, image: NDArray[np.uint8], found: FoundSheet | None = None) -> SheetReading:
        del found
        self.pictures.append(image.shape)
        self.looked += 1
        if isinstance(self.lies, str):
            raise SheetPhotoError(self.lies)
        return cast("SheetReading", self.lies)

    def see(self, frame: Frame, *, looking: bool) -> None:
        self.seen.append((frame.name, looking))

    def keep_reading(self, picture: Frame, reading: SheetReading) -> None:
        self.reading, self.disturbed = (picture, reading), False

    def restart_rest(self) -> None:
        self.restarted += 1


class Room:
    """A table whose frames are advanced by the test."""

    def __init__(
        self,
        setup: Setup | None = None,
        bag: AnyBag | None = None,
        book: Journal | None = None,
        game_id: int | None = None,
        still: Callable[[], Frame] | None = None,
        partner: int | None = None,
    ) -> None:
        self.book = MemoryJournal(codecs()) if book is None else book
        self.number = self.book.new_game(setup or own_setup(("Anna", "Boris"))) if game_id is None else game_id
        self.sheets, self.bag = Sheets(), bag or VirtualBag(5)
        self.events: list[Event] = []
        self.inbox = Inbox()
        self.now_s, self._presses = 0.0, list[Press]()
        history = History(self.book.setup(self.number, KVILT))
        for decision in self.book.decisions(self.number, KVILT):
            history.apply(decision)
        parts = TableParts(
            camera=self, controls=self, book=self.book, game_id=self.number, history=history,
            listeners=[self.events.append], inbox=self.inbox, partner=partner,
        )  # fmt: skip
        watch, reader = cast("SheetWatch", self.sheets), cast("SheetReader", self.sheets)
        self.themes: list[tuple[str, ...]] = []
        self.uncounted: tuple[Mapping[str, str], ...] = ()
        self.table = KviltTable(parts, watch, reader, self.bag, still=still, show_sheets=self._show_sheets)
        self.table._open()

    def _show_sheets(self, themes: tuple[str, ...], uncounted: tuple[Mapping[str, str], ...]) -> None:
        self.uncounted = uncounted
        if self.themes[-1:] != [themes]:
            self.themes.append(themes)

    def capture(self) -> Frame:
        self.now_s += 0.5
        return Frame(np.zeros((2, 2, 3), np.uint8), self.now_s, f"{self.now_s}.jpg")

    def presses(self) -> Sequence[Press]:
        told, self._presses = self._presses, []
        return told

    def close(self) -> None:
        raise EndOfFramesError

    def press(self, *buttons: Button) -> Room:
        """Press buttons, each followed by the two frames that a look needs."""
        for button in buttons:
            self._presses.append(Press(button, self.now_s))
            for _ in range(2):
                self.table.step()
        return self

    def press_at_once(self, *buttons: Button) -> Room:
        """Press buttons before a single frame."""
        self._presses += [Press(button, self.now_s) for button in buttons]
        self.table.step()
        return self

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.5)):
            self.table.step()

    def play(self, *lines: Mapping[str, Any]) -> Room:
        """Store decisions, given as record lines, and return the room of a table that resumes after them."""
        for line in lines:
            made = len(self.book.decisions(self.number, KVILT))
            self.book.append(self.number, made + 1, decision_from_json(line))
        return Room(bag=self.bag, book=self.book, game_id=self.number)

    @property
    def asked(self) -> Choice:
        """The choice asked last."""
        latest = next(event for event in reversed(self.events) if isinstance(event, Asked))
        return latest.question

    @property
    def asks(self) -> str:
        """The topic of the choice asked last."""
        return str(self.asked.asks)

    @property
    def chooses(self) -> str:
        """The topic of the table's current choice; empty if there is none."""
        choice = self.table.pending.question
        return "" if choice is None else str(choice.asks)

    @property
    def phase(self) -> str:
        return str(self.table.state.phase)

    @property
    def complaints(self) -> list[SheetComplaint]:
        return [event.complaint for event in self.events if isinstance(event, Complained)]

    def marks(self, seat: int) -> dict[str, str]:
        state = self.table.state
        return state.seat(seat).marks.regions(state.setup.sheet)

    def lay(self, new: Mapping[str, str | None], seat: int | None = None, **odds: dict[str | None, float]) -> Room:
        """Lay a seat's sheet under the camera with some new marks."""
        seat = seat or self.table.state.turn or 1
        regions = self.table.state.setup.sheet.regions()
        doubts = {name.replace("_", "."): chances for name, chances in odds.items()}
        seen: dict[str, str | None] = {name: None for name in regions if name not in ("spool1.body", "spool2.body")}
        best = {name: max(chances, key=chances.__getitem__) for name, chances in doubts.items()}
        self.sheets.lies = Shown({**seen, **self.marks(seat), **best, **new}, doubts)
        return self

    def hide(self, *regions: str) -> Room:
        """Hide regions of the sheet under an object."""
        if isinstance(self.sheets.lies, Shown):
            self.sheets.lies.hidden = regions
        return self


SHARED: list[dict[str, Any]] = [
    {"seat": 1, "move": "token", "colour": "red"},
    {"seat": 2, "move": "token", "colour": "blue"},
    {"seat": 1, "move": "place", "drawn": "green", "cushion": 1},
    {"seat": 1, "move": "place", "drawn": "red", "cushion": 1},
    {"seat": 2, "move": "place", "drawn": "yellow", "cushion": 2},
    {"seat": 2, "move": "take", "cushion": 2},
    {"seat": 1, "move": "place", "drawn": "violet", "cushion": 1},
    {"seat": 1, "move": "take", "cushion": 1},
    {"seat": 2, "move": "fill", "drawn": ["brown", "blue", "blue"]},
]
"""Boris is first and has yellow; Anna has green, red and violet; neutral are brown, blue, blue."""


EXCHANGING: list[dict[str, Any]] = [
    {"seat": 2, "move": "done"}, {"seat": 1, "move": "cell", "colour": "green", "row": 4},
    {"seat": 1, "move": "done"},
    {"seat": 2, "move": "token", "colour": "red"}, {"seat": 1, "move": "token", "colour": "blue"},
    {"seat": 2, "move": "place", "drawn": "red", "cushion": 1}, {"seat": 2, "move": "take", "cushion": 1},
    {"seat": 1, "move": "place", "drawn": "green", "cushion": 2},
    {"seat": 1, "move": "place", "drawn": "brown", "cushion": 2}, {"seat": 1, "move": "take", "cushion": 2},
    {"seat": 2, "move": "fill", "drawn": ["blue", "blue", "red"]}, {"seat": 2, "move": "done"},
]  # fmt: skip
"""Further decisions: Anna has green and brown, and her next cell in row 4 brings an exchange."""


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def new_room() -> type[Room]:
    return Room


@pytest.fixture
def shared_lines() -> list[dict[str, Any]]:
    return SHARED


@pytest.fixture
def exchanging() -> list[dict[str, Any]]:
    return EXCHANGING


@pytest.fixture
def colouring() -> Callable[..., Room]:
    """A table at the colouring of its first round: Boris, who holds a yellow pencil, is first."""

    def at(bag: AnyBag | None = None) -> Room:
        return Room(bag=bag).play(*SHARED)

    return at
