"""What the views of all games share: plain lines for a log, and a picture that takes the whole screen of a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import IO, TYPE_CHECKING, Final, Generic, Protocol, Self, TypeVar

from rich.live import Live

from companion.languages import ENGLISH, tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from rich.console import Console, RenderableType

    from companion.languages import Language
    from hardware.ports import RGB

EventT = TypeVar("EventT")
StateT = TypeVar("StateT")
_EventT_contra = TypeVar("_EventT_contra", contravariant=True)
_KEPT_LINES: Final = 32


class Viewing(Protocol[_EventT_contra]):
    """Shows an evening: call it with every event, and with every frame of the strip."""

    def __call__(self, event: _EventT_contra) -> None:
        """Show what happened."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """Show what the strip shows."""

    def __enter__(self) -> Self:
        """Begin to show."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back."""


class PlainLines(ABC, Generic[EventT]):
    """One line a sentence, written at once: for logs and pipes."""

    def __init__(self, stream: IO[str], language: Language = ENGLISH) -> None:
        self._stream, self._language = stream, language

    def __call__(self, event: EventT) -> None:
        """See `Viewing`."""
        for sentence in self._sentences(event):
            self._stream.write(tell(sentence, self._language) + "\n")
        self._stream.flush()

    @abstractmethod
    def _sentences(self, event: EventT) -> Iterable[str]:
        """What is worth a line."""

    def strip(self, pixels: Sequence[RGB]) -> None:
        """See `Viewing`; a log shows no lights."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """See `Viewing`."""


class LiveScreen(ABC, Generic[StateT]):
    """A picture of the whole table that follows every event; it needs a terminal, at best of 100x32 characters.

    Between `with` and its end it takes the whole screen; afterwards the last picture stays.

    Args:
        console: the terminal.
        page: the address of the page, empty where there is none.
        language: of whoever sits there.
    """

    def __init__(self, console: Console, page: str, language: Language) -> None:
        self._console, self._page, self._language = console, page, language
        self._live: Live | None = None
        self._state: StateT | None = None
        self._pixels: tuple[RGB, ...] = ()

    @abstractmethod
    def picture(self) -> RenderableType:
        """What is shown now, for the terminal's present size; empty before the game is opened."""

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
            # A line less than the screen: the prompt that follows must not push the top out.
            self._console.print(self.picture(), height=min(self._console.height - 1, _KEPT_LINES))

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.update(self.picture(), refresh=True)
