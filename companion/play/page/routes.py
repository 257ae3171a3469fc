"""The routes of a single game: requests that the page checks and passes on, and what the game answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.languages import LANGUAGES, Language
from companion.play.arrangement import LONGEST_NAME
from companion.play.inbox import Outcome
from hardware.ports import Frame


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a command; each field is a key, and one with a default may be absent."""

    distinct: ClassVar[tuple[str, ...]] = ()
    """The keys of lists whose items must be distinct."""

    def __post_init__(self) -> None:
        for key in self.distinct:
            items = getattr(self, key)
            if items is not None and len(set(items)) < len(items):
                raise ValueError(f"The items of `{key}` are not distinct")


class NothingMore(Body):
    """An empty body."""


MOST_SEATS: Final = 8
"""The largest number of seats of any game; a page has colours for more."""


def one_of(*names: str) -> Meta:
    """Return the constraint that a text is one of these names."""
    # `$` alone would also match before a trailing newline.
    return Meta(pattern=f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)")


def between(least: float, most: float) -> Meta:
    """Return the constraint that a number is between two others, inclusive."""
    return Meta(ge=least, le=most)


PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""A player's name; an empty one is refused by the table, whose message is more specific."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]


class Need(Enum):
    """The permissions that a request may need."""

    NOTHING = "nothing"
    WATCH = "watch"
    CAMERA = "camera"
    TOUCH = "touch"


@dataclass(frozen=True, slots=True)
class SetupOffer:
    """The defaults offered for the next game.

    Attributes:
        chosen: the arrangement to offer: the last requested one, or the configuration's.
        language: the table's own language, or None if none was chosen.
        lies_there: whether all of a game's material is always present on the table, as at the virtual one.
    """

    chosen: Any
    language: str | None = None
    lies_there: bool = False


class RefusedError(Exception):
    """Raised for a refused request.

    Attributes:
        status: the HTTP status.
        errors: sentences; the first one is the summary.
        more: additional keys of the response.
        headers: additional headers of the response.
    """

    def __init__(
        self,
        status: int,
        *errors: str,
        more: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(errors[0])
        self.status, self.errors, self.more, self.headers = status, errors, more, headers


Json: TypeAlias = dict[str, Any]


Picture: TypeAlias = NDArray[np.uint8]
"""Shape (height, width, 3), uint8, BGR."""


def _nothing(seat: int) -> None:
    del seat


@dataclass(frozen=True, slots=True)
class Exposure:
    """A frame with what was known when it was taken.

    Attributes:
        frame: the frame.
        reading: returns the frame annotated with its reading, or None if nothing was read.
        crop: returns a seat's board or sheet rectified, with doubtful parts marked, or None if it is out of view.
        question: the identity of the open question or complaint, or None if there is none.
    """

    frame: Frame
    reading: Callable[[], Picture] | None = None
    crop: Callable[[int], Picture | None] = _nothing
    question: Hashable = None


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game in the journal, finished or not.

    Attributes:
        game_id: its number.
        started_at: the time when it was begun.
        setup: the setup that it began with.
        decisions: all decisions that were not undone, in order.
        notes: the journal's notes about the table.
    """

    game_id: int
    started_at: datetime
    setup: Any
    decisions: tuple[Any, ...]
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table to export: its heading, its rows of texts and numbers, and the name of its file."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    file: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A player's part in a finished game.

    Attributes:
        name: the player's name.
        points: the points at the end.
        won: whether this player alone won the game.
    """

    name: str
    points: int
    won: bool


BodyT = TypeVar("BodyT")


@dataclass(frozen=True, slots=True)
class Asking(Generic[BodyT]):
    """A request to a game.

    Attributes:
        body: the command's body, or None for a question.
        desk: the game's own desk of this evening, or None if the table has none.
        language: the reader's language.
        query: the query parameters.
        numbers: the numbers in the address, by name.
        archived: returns a game of this kind in the journal, by its number.
        figures: returns the statistics over all finished games of this kind.
        folder: the journal's folder, or None if nothing is stored.
    """

    body: BodyT
    desk: Any
    language: Language
    query: Mapping[str, str]
    numbers: Mapping[str, int]
    archived: Callable[[int], ArchivedGame]
    figures: Callable[[], Json]
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class GameRequest:
    """The request for a game.

    Attributes:
        arrangement: the arrangement of the game.
        language: the table's own language, or None if none is chosen.
        leaves: whether a game in progress is abandoned for it.
    """

    arrangement: Any
    language: str | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A command to the turn loop, which answers it."""

    command: Any


@dataclass(frozen=True, slots=True)
class HandMove:
    """A move of the hand at the virtual table."""

    move: Any


Answer: TypeAlias = "Json | Picture | Rows | Path | GameRequest | Order | HandMove | Outcome"
"""What a game answers: JSON, a picture, a table to save, a stored picture's file; or what the page is to do, and then
answers itself: begin a game, give an order, move a piece, or wait until the game's desk has noted something."""


@dataclass(frozen=True, slots=True)
class GameRoute(Generic[BodyT]):
    """A route of a game: a command if it has a body, else a question.

    Attributes:
        path: the address; a number in it is written "{game:number}".
        answer: returns the answer; raises RefusedError or CompanionError.
        body: the type of a command's body.
        need: the permission that a question needs; a command always needs the key.
        dragged: whether the command is sent while a piece is dragged, for which more requests are allowed.
    """

    path: str
    answer: Callable[[Asking[BodyT]], Answer]
    body: type[BodyT] | None = None
    need: Need = Need.WATCH
    dragged: bool = False


def by_hand(path: str, body: type[BodyT], move: Callable[[BodyT], Any]) -> GameRoute[BodyT]:
    """Return the route of a command that moves the hand at the virtual table."""
    return GameRoute(path, lambda asking: HandMove(move(asking.body)), body, dragged=True)
