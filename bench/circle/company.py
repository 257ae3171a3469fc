"""The parts that read and watch the circle in a benchmark's evening, composed as at a real table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.evidence import CirclePlay
from companion.patchwork.circle.first_picture import FirstPicture, learner
from companion.patchwork.circle.hints import CircleHints, CircleRest
from companion.play.session import AtOnce

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.patchwork.rules import History
    from companion.journal import Journal
    from companion.patchwork.codec import Listener
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.watching.watch import TableWatch


class Say(Protocol):
    """A function that receives a sentence for the players."""

    def __call__(self, sentence: str, about: object = None, /) -> None:
        """Receive a sentence; `about` as in `TableNoticed`."""


class Knowing(StrEnum):
    """The ways in which the companion knows the circle.

    DEALT: from the setup. UNKNOWN: not at all. SEEN: by reading it from a picture, if nothing is doubtful.
    WATCHED: by watching which pieces leave it, without their order.
    """

    DEALT = "dealt"
    UNKNOWN = "unknown"
    SEEN = "seen"
    WATCHED = "watched"


@dataclass(frozen=True, slots=True)
class Company:
    """The evening's participants for the circle; `play` has the known circle, `rest` looks at it between turns."""

    listeners: tuple[Listener, ...] = ()
    ticks: tuple[Callable[[float], bool | None], ...] = ()
    play: CirclePlay | None = None
    rest: CircleRest | None = None


def company_of(
    knowing: Knowing,
    watch: TableWatch,
    reader: Reader,
    history: History,
    book: Journal,
    number: int,
    say: Say,
) -> Company:
    """Return the participants; none for a dealt or unknown circle.

    Args:
        knowing: the way in which the circle is known.
        watch: locates the boards in pictures.
        reader: reads the table.
        history: the game.
        book: the journal.
        number: the game's number in the journal.
        say: called with every sentence.
    """
    if knowing in (Knowing.DEALT, Knowing.UNKNOWN):
        return Company()
    desk = CircleDesk()
    play = CirclePlay(watch, reader, history, say, desk.notice)
    learn = learner(book, number, history, None) if knowing is Knowing.SEEN else lambda _: None
    asked = desk.begin(history, learn, say, play.follow)
    first = FirstPicture(watch, history, say, asked, AtOnce())
    rest = CircleRest(watch, play)
    hints = CircleHints(play, rest, history, say)
    return Company((desk, play, rest, hints), (first.tick, desk.tick, rest.tick, hints.tick), play, rest)
