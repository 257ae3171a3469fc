"""What somebody at a terminal sees of an evening: a live picture, or plain lines for a log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Protocol, Self

from rich.live import Live

from companion.cli.pictures import LEATHER_NAME
from companion.cli.screen import News, Shown, screen
from companion.cli.wording import words
from companion.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    TableNoticed,
)
from companion.games.patchwork import Advance, Decision, PlaceLeather, indices_of
from companion.languages import ENGLISH, counted, said, tell
from companion.sentences import sentences

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from companion.games.patchwork import State
    from companion.languages import Language
    from hardware.ports import RGB

_KEPT_NEWS = 12
_STYLES = {
    Complained: "bold #ff8787",
    Asked: "bold #ffd75f",
    DecisionForeseen: "bold #87d7ff",
    ForesightLapsed: "#ffd7af",
    TableNoticed: "#ffd7af",
    LookCalledOff: "#ffd7af",
}
_ACTIVITIES = {LookStarted: said("looking at the table"), DecisionForeseen: said("undo stops it")}


class View(Protocol):
    """Shows an evening: call it with every event, and with every frame of the strip."""

    def __call__(self, event: Event) -> None:
        """Show what happened."""

    def remember(self, decisions: Iterable[Decision]) -> None:
        """Learn of the decisions of a game that goes on, before it is opened."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """Show what the strip shows."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back."""


class PlainView:
    """One line a sentence, written at once: for logs and pipes."""

    def __init__(self, stream: IO[str], language: Language = ENGLISH) -> None:
        self._stream, self._language = stream, language

    def __call__(self, event: Event) -> None:
        """See `View`."""
        for sentence in sentences(event):
            self._stream.write(tell(sentence, self._language) + "\n")
        self._stream.flush()

    def remember(self, decisions: Iterable[Decision]) -> None:
        """See `View`; lines need no memory."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """See `View`; a log shows no lights."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """See `View`."""


class TerminalView:
    """A picture of the whole table that follows every event; it needs a terminal, at best of 100x32 characters.

    Between `with` and its end it takes the whole screen; afterwards the last picture stays.

    Args:
        console: the terminal.
        page: the address of the page, empty where there is none.
        language: of whoever sits there.
    """

    def __init__(self, console: Console, page: str = "", language: Language = ENGLISH) -> None:
        self._console, self._page, self._language = console, page, language
        self._live: Live | None = None
        self._state: State | None = None
        self._game_id = 0
        self._activity = ""
        self._patches: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self._news: deque[News] = deque(maxlen=_KEPT_NEWS)
        self._pixels: tuple[RGB, ...] = ()

    def __call__(self, event: Event) -> None:
        """See `View`."""
        self._state = event.state
        self._activity = _ACTIVITIES.get(type(event), "")
        if isinstance(event, GameOpened):
            self._game_id = event.game_id
            if event.decisions == 0:
                self._patches = ({}, {})
        elif isinstance(event, DecisionTaken):
            self._place(event.decision)
        style = _STYLES.get(type(event), "")
        self._news.extend(News(words(says, self._language), style) for says in sentences(event))
        self._refresh()

    def remember(self, decisions: Iterable[Decision]) -> None:
        """See `View`; without it the patches that lie already are drawn without their prints."""
        self._patches = ({}, {})
        for decision in decisions:
            self._place(decision)

    def strip(self, pixels: Sequence[RGB]) -> None:
        """See `View`."""
        if self._pixels != tuple(pixels):
            self._pixels = tuple(pixels)
            self._refresh()

    def picture(self) -> RenderableType:
        """What is shown now, for the terminal's present size; empty before the game is opened."""
        if self._state is None:
            return ""
        made = self._state.decisions_made
        shown = Shown(
            title=counted(
                "game {number} · {count} decision", "game {number} · {count} decisions", made, number=self._game_id
            ),
            state=self._state,
            patches=self._patches,
            news=tuple(self._news),
            pixels=self._pixels,
            activity=self._activity,
            page=self._page,
            language=self._language,
        )
        return screen(shown, self._console.width, self._console.height)

    def __enter__(self) -> Self:
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """See `View`."""
        if self._live is None:
            return
        self._live.stop()
        self._live = None
        if self._state is not None:
            # A line less than the screen: the prompt that follows must not push the top out.
            self._console.print(self.picture(), height=min(self._console.height - 1, 32))

    def _place(self, decision: Decision) -> None:
        if isinstance(decision, Advance):
            return
        name = LEATHER_NAME if isinstance(decision, PlaceLeather) else decision.patch
        # What is taken back need not be forgotten: only covered cells are drawn, and covering them again overwrites it.
        for cell in indices_of(decision.cells):
            self._patches[decision.seat - 1][cell] = name

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.update(self.picture(), refresh=True)
