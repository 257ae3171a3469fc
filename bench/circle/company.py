"""The parts that see and watch the circle in a benchmark's evening, put together as at a real table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from companion.patchwork.boards.first_picture import FirstPicture, learner
from companion.patchwork.circle.confirming.desk import CircleDesk
from companion.patchwork.circle.in_play.hints import CircleHints
from companion.patchwork.circle.in_play.listening import CirclePlay
from companion.patchwork.circle.in_play.resting import CircleRest
from companion.play.at_once import AtOnce

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.patchwork import History
    from companion.journal import Book
    from companion.patchwork.events import Listener
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.reading.watch import TableWatch


class Say(Protocol):
    """A function that takes a sentence to the players."""

    def __call__(self, sentence: str, about: object = None, /) -> None:
        """Take it; `about` as in `TableNoticed`."""


class Knowing(StrEnum):
    """The ways in which the companion knows the circle.

    DEALT: it is told. UNKNOWN: it does not know it. SEEN: it looks, and learns it where nothing is doubtful.
    WATCHED: it looks and watches what goes from it, and never learns the order.
    """

    DEALT = "dealt"
    UNKNOWN = "unknown"
    SEEN = "seen"
    WATCHED = "watched"


@dataclass(frozen=True, slots=True)
class Company:
    """The participants in the evening for the circle; `play` knows it, and `rest` looks at it."""

    listeners: tuple[Listener, ...] = ()
    ticks: tuple[Callable[[float], None], ...] = ()
    play: CirclePlay | None = None
    rest: CircleRest | None = None


def company_of(
    knowing: Knowing,
    watch: TableWatch,
    reader: Reader,
    history: History,
    book: Book,
    number: int,
    say: Say,
) -> Company:
    """Return the participants; none where the circle is told of, or is not looked at.

    Args:
        knowing: how it is known.
        watch: sees the table.
        reader: reads it.
        history: the game.
        book: the journal.
        number: the game's in it.
        say: is told every sentence.
    """
    if knowing in (Knowing.DEALT, Knowing.UNKNOWN):
        return Company()
    desk = CircleDesk()
    play = CirclePlay(watch, reader, history, say, desk.notice)
    learn = learner(book, number, history, None) if knowing is Knowing.SEEN else lambda _: None
    asked = desk.begin(history, learn, say, play.follow)
    first = FirstPicture(watch, history, say, asked, AtOnce())
    rest = CircleRest(watch, lambda: play.circle)
    hints = CircleHints(lambda: play.circle, rest, history, say)
    return Company((desk, play, rest, hints), (first.tick, desk.tick, rest.tick, hints.tick), play, rest)
