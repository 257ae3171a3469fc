"""The routes of a single game: the page serves each kind of route, a game provides the content."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from companion.languages import LANGUAGES, Language
from companion.play.arrangement import LONGEST_NAME
from hardware.ports import Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a command; each field is a key, and one with a default may be absent."""

    distinct: ClassVar[tuple[str, ...]] = ()
    """The keys of lists whose items must be distinct."""


class NothingMore(Body):
    """An empty body."""


BodyT = TypeVar("BodyT", bound=Body)


MOST_SEATS: Final = 8
"""The largest number of seats of any game; a page has colours for more."""


def one_of(*names: str) -> Meta:
    """Return the constraint that a text is one of these names."""
    # `$` alone would also match before a trailing newline.
    pattern = f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)"
    return Meta(pattern=pattern, extra_json_schema={"enum": [*names]})


def between(least: float, most: float) -> Meta:
    """Return the constraint that a number is between two others, inclusive."""
    return Meta(ge=least, le=most)


def different() -> Meta:
    """Return the schema of a list of distinct items; `Body.distinct` enforces it."""
    return Meta(extra_json_schema={"uniqueItems": True})


PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME, extra_json_schema={"minLength": 1})]
"""A player's name; an empty one is refused by the table, whose message is more specific."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A request for a game.

    Attributes:
        arrangement: the arrangement of the game.
        language: the table's own language, or None if none is chosen.
        leaves: whether a game in progress is abandoned for it.
    """

    arrangement: Any
    language: str | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Form(Generic[BodyT]):
    """The form for requesting a game.

    Attributes:
        path: the address to which it is sent.
        name: the operation's name in the description of the interface.
        says: what it does, as one line of that description.
        body: the type of the request's body.
        wish: converts the body to a request; raises CompanionError for a game that cannot begin.
    """

    path: str
    name: str
    says: str
    body: type[BodyT]
    wish: Callable[[BodyT], GameRequest]


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


Picture: TypeAlias = "NDArray[np.uint8]"
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
    """A table to export: its heading, and its rows of texts and numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


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


@dataclass(frozen=True, slots=True)
class Asking:
    """The context of a request.

    Attributes:
        desk: the game's own desk of this evening, or None if the table has none.
        language: the reader's language.
        query: the query parameters.
    """

    desk: Any
    language: Language
    query: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Route:
    """A route of a game.

    Attributes:
        path: the address; a number in it is written "{game:number}".
        name: the operation's name in the description of the interface.
        says: what it returns or does, as one line of that description.
    """

    path: str
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Fixed(Route):
    """A route to constant JSON, open to all clients."""

    answer: Callable[[], Json]


@dataclass(frozen=True, slots=True)
class WatchedJson(Route):
    """A route to JSON for clients that may watch; `answer` raises RefusedError if there is none."""

    answer: Callable[[Asking], Json]


@dataclass(frozen=True, slots=True)
class Pictured(Route):
    """A route to a picture for clients that may see the camera's pictures.

    Attributes:
        draw: returns the picture; raises RefusedError if there is none.
        query: the schemas of the query parameters, by name.
    """

    draw: Callable[[Asking], Picture]
    query: tuple[tuple[str, dict[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class Ordered(Route, Generic[BodyT]):
    """A route for a command to the table.

    Attributes:
        body: the type of the request's body.
        command: converts the body to a command.
    """

    body: type[BodyT]
    command: Callable[[BodyT], Any]


@dataclass(frozen=True, slots=True)
class MoveRoute(Route, Generic[BodyT]):
    """A route for a move at the virtual table.

    Attributes:
        body: the type of the request's body.
        move: converts the body to the move of a hand.
    """

    body: type[BodyT]
    move: Callable[[BodyT], Any]


@dataclass(frozen=True, slots=True)
class DeskRoute(Route, Generic[BodyT]):
    """A route for an answer to the game's desk.

    Attributes:
        body: the type of the request's body.
        note: passes it on; the future resolves once it is noted, or fails with a CommandRefusedError. Raises
            RefusedError if there is no desk.
    """

    body: type[BodyT]
    note: Callable[[Asking, BodyT], Future[None]]


@dataclass(frozen=True, slots=True)
class Arranged(Route, Generic[BodyT]):
    """A route for a step in setting up a game.

    Attributes:
        body: the type of the request's body.
        answer: returns the result, in a language.
    """

    body: type[BodyT]
    answer: Callable[[BodyT, Language], Json]


@dataclass(frozen=True, slots=True)
class OfGame(Route):
    """A route to JSON about a stored game; the path names it as "{game:number}"."""

    answer: Callable[[ArchivedGame], Json]


@dataclass(frozen=True, slots=True)
class OfFigures(Route):
    """A route to a table derived from the game's statistics.

    Attributes:
        rows: derives it from the statistics' JSON.
        file: the file name for saving it.
    """

    rows: Callable[[Json], Rows]
    file: str


@dataclass(frozen=True, slots=True)
class OfSeat(Route):
    """A route to a stored picture of a seat of a finished game; the path contains "{game:number}" and "{seat:number}".

    Attributes:
        file: returns its path, given the journal's folder, the game's number and the seat; it need not exist.
        missing: the sentence for a file that does not exist.
    """

    file: Callable[[Path, int, int], Path]
    missing: str


GameRoute: TypeAlias = (
    Fixed
    | WatchedJson
    | Pictured
    | Ordered[Any]
    | MoveRoute[Any]
    | DeskRoute[Any]
    | Arranged[Any]
    | OfGame
    | OfFigures
    | OfSeat
)
