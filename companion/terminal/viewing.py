"""The views shared by all games: plain lines for a log, and a live display that fills a terminal's screen."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import IO, Any, Final, Generic, Protocol, Self, TypeVar

from rich.console import Console, RenderableType
from rich.live import Live

from companion.languages import ENGLISH, Language, harmless, render
from hardware.ports import RGB

EventT = TypeVar("EventT")
StateT = TypeVar("StateT")
_EventT_contra = TypeVar("_EventT_contra", contravariant=True)
# The height of the picture in a terminal of the ideal size.
_KEPT_LINES: Final = 32


class Viewing(Protocol[_EventT_contra]):
    """A view of an evening, called with every event and with every frame of the strip."""

    def __call__(self, event: _EventT_contra) -> None:
        """Show an event."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """Show the pixels of the strip."""

    def remember(self, decisions: Iterable[Any]) -> None:
        """Set the decisions of a resumed game, before it is opened."""

    def __enter__(self) -> Self:
        """Start the display."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the terminal."""


class PlainLines(Generic[EventT]):
    """A view with one line per sentence, flushed at once, for logs and pipes.

    Args:
        stream: the output.
        lines: returns the lines of an event.
        language: the reader's language.
    """

    def __init__(self, stream: IO[str], lines: Callable[[EventT], Iterable[str]], language: Language = ENGLISH) -> None:
        self._stream, self._lines, self._language = stream, lines, language

    def __call__(self, event: EventT) -> None:
        """See `Viewing`."""
        for sentence in self._lines(event):
            self._stream.write(harmless(render(sentence, self._language)) + "\n")
        self._stream.flush()

    def remember(self, decisions: Iterable[Any]) -> None:
        """See `Viewing`; plain lines do not need them."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """See `Viewing`; a log shows no lights."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """See `Viewing`."""


class LiveScreen(ABC, Generic[StateT]):
    """A live display of the whole table; it needs a terminal, ideally of 100x32 characters.

    Inside its context it fills the whole screen; afterwards the last picture remains.

    Args:
        console: the terminal.
        page: the address of the page; empty if there is none.
        language: the user's language.
    """

    def __init__(self, console: Console, page: str, language: Language) -> None:
        self._console, self._page, self._language = console, page, language
        self._live: Live | None = None
        self._state: StateT | None = None
        self._pixels: tuple[RGB, ...] = ()

    def remember(self, decisions: Iterable[Any]) -> None:  # most pictures need the state alone
        """See `Viewing`."""

    @abstractmethod
    def picture(self) -> RenderableType:
        """Return the current picture, for the terminal's current size; empty before the game is opened."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """See `Viewing`."""
        if self._pixels != tuple(pixels):
            self._pixels = tuple(pixels)
            self._refresh()

    def __enter__(self) -> Self:
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """See `Viewing`."""
        if self._live is None:
            return
        self._live.stop()
        self._live = None
        if self._state is not None:
            # One line less than the screen, so that the following prompt does not push the top out.
            self._console.print(self.picture(), height=min(self._console.height - 1, _KEPT_LINES))

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.update(self.picture(), refresh=True)
