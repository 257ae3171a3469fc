"""The home: a menu of the program's activities, of which one is open at a time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition
from typing import Final

from companion.languages import Language, Sentence

LAST: Final = "last"
"""The name of the entry that resumes the last game."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An activity on the menu.

    Attributes:
        name: its name, by which it is chosen.
        title: its title.
        says: the sentence that describes it.
        line: the command line that starts it, without the program's name.
        needs_camera: whether a camera has to be chosen first.
        starts_by_itself: whether it starts if nobody chooses.
        address: the page that offers it; empty if a command starts it.
    """

    name: str
    title: Sentence
    says: Sentence
    line: tuple[str, ...] = ()
    needs_camera: bool = False
    starts_by_itself: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class LastGame:
    """The game that can be resumed.

    Attributes:
        game: its game's name.
        players: the players' names.
        decisions: the number of decisions so far.
        line: the command line that resumes it.
    """

    game: str
    players: tuple[str, ...]
    decisions: int
    line: tuple[str, ...]


class UnknownEntryError(Exception):
    """Raised for the name of an unknown entry."""


class Home:
    """The choice of an entry; its methods may be called from any thread.

    Args:
        entries: the activities.
        last: returns the game that can be resumed, or None; called from any thread.
        begins_in_s: the time after which the entry that starts by itself is chosen; None for never.
        clock: monotonic, in seconds.

    Attributes:
        entries: the activities.
        last: returns the game that can be resumed, or None.
        room: the name of the open entry; empty while the menu is shown.
        fault: the reason why the last entry could not be opened; empty if it was opened.
        reader: the language of the page on which the entry was chosen; None if it started by itself.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        last: Callable[[], LastGame | None] = lambda: None,
        begins_in_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.entries, self.last, self._clock = tuple(entries), last, clock
        self.room, self.fault = "", ""
        self.reader: Language | None = None
        self._changed = Condition()
        self._chosen: str | None = None
        self._leave: Callable[[], None] = lambda: None
        self._begins_at_s = None if begins_in_s is None else clock() + begins_in_s

    @property
    def begins_in_s(self) -> float | None:
        """The time until an entry starts by itself; None if none does."""
        begins_at_s = self._begins_at_s
        return None if begins_at_s is None or self.room else max(0.0, begins_at_s - self._clock())

    def choose(self, name: str, reader: Language) -> None:
        """Choose an entry, and end the activity that is open.

        Raises:
            UnknownEntryError: there is none of this name.
        """
        if name != LAST and name not in {each.name for each in self.entries}:
            raise UnknownEntryError(name)
        self.reader = reader
        self._decide(name)

    def leave(self) -> None:
        """End the open activity and return to the menu."""
        self._decide("")

    def stay(self) -> None:
        """Cancel the automatic start."""
        with self._changed:
            self._begins_at_s = None
            self._changed.notify_all()

    def chosen(self) -> tuple[str, tuple[str, ...]]:
        """Wait until an entry is chosen, or starts by itself; return its name and its command line."""
        with self._changed:
            while not self._chosen:
                rest_s = self.begins_in_s
                if rest_s == 0.0:
                    self._chosen = next(each.name for each in self.entries if each.starts_by_itself)
                else:
                    self._changed.wait(rest_s)
            name, self._chosen, self._begins_at_s = self._chosen, None, None
        last = self.last() if name == LAST else None
        lines = {each.name: each.line for each in self.entries} | ({LAST: last.line} if last is not None else {})
        return name, lines.get(name, ())

    def entered(self, name: str, leave: Callable[[], None]) -> None:
        """Record that an entry has been opened.

        Args:
            name: the entry's name.
            leave: ends the activity; called from any thread.
        """
        with self._changed:
            self.room, self._leave, self.fault = name, leave, ""
            wanted = self._chosen is not None
        if wanted:
            leave()

    def left(self) -> bool:
        """Record that the open entry was closed, and return whether a reader of the page ended it."""
        with self._changed:
            was_left, self.room, self._leave = self._chosen is not None, "", lambda: None
        return was_left

    def _decide(self, name: str) -> None:
        with self._changed:
            self._chosen, leave = name, self._leave
            self._changed.notify_all()
        leave()
