"""The routes of a single game: the page serves each kind of route, a game provides the content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from companion.play.page.bodies import BodyT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from companion.languages import Language
    from companion.play.page.archived import ArchivedGame, Rows
    from companion.play.page.exposure import Picture
    from companion.play.page.json_type import Json


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
