"""The parts that the page's handlers use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from companion.languages import LANGUAGES
from companion.play.page.routes import Body
from companion.play.speaker import VoiceChoice
from companion.web.access.access import Access, Need, RateLimit
from companion.web.readers import PARAMETER
from hardware.simulated.virtual.table import VirtualTable

if TYPE_CHECKING:
    from companion.play.host import Host
    from companion.play.inbox import Inbox
    from companion.play.page.interface import GamePages
    from companion.web.archive.archive import Archive
    from companion.web.controls import PageControls
    from companion.web.gallery import Gallery
    from companion.web.transport.hub import Hub

Handler: TypeAlias = "Callable[[Site, Request], Awaitable[Response]]"
Schema: TypeAlias = dict[str, Any]
COMMAND: Final = (400, 408, 409, 413, 415, 503)
"""The statuses, beside 200, with which any command may be answered."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the page's interface.

    Attributes:
        method: GET or POST.
        path: the route's path, in Starlette's form.
        name: the operation's name.
        says: a summary in one line.
        handler: the function that answers requests.
        need: the permission that it needs.
        gives: the media type of the response.
        statuses: the statuses beside 200 and those of every route.
        body: the type of the request's body, or None if it has none.
        query: the query parameters, by name, with their schemas.
    """

    method: str
    path: str
    name: str
    says: str
    handler: Handler
    need: Need = Need.WATCH
    gives: str = "application/json"
    statuses: tuple[int, ...] = ()
    body: type[Body] | None = None
    query: tuple[tuple[str, Schema], ...] = ()


def asked(
    path: str,
    handler: Handler,
    need: Need,
    gives: str = "application/json",
    *statuses: int,
    query: tuple[tuple[str, Schema], ...] = (),
) -> Operation:
    """Return the GET operation of a handler, described by its name and docstring."""
    return Operation("GET", path, *_described(handler), handler, need, gives, statuses, query=query)


def commanded(path: str, handler: Handler, body: type[Body], *statuses: int) -> Operation:
    """Return the POST operation of a handler; `statuses` are those beside the ones of every command."""
    return Operation("POST", path, *_described(handler), handler, Need.TOUCH, statuses=(*COMMAND, *statuses), body=body)


def _described(handler: Handler) -> tuple[str, str]:
    return handler.__name__, (handler.__doc__ or "").strip()


def in_language(operation: Operation) -> Operation:
    """Return the operation with a language parameter, for responses with sentences in the reader's language."""
    language: Schema = {"type": "string", "examples": [*LANGUAGES], "description": "Before the Accept-Language header."}
    return replace(operation, query=((PARAMETER, language), *operation.query))


STATIC = Path(__file__).parent / "static"


COMMANDS, JOINS, PICTURES, MOVES = (20.0, 10.0), (8.0, 0.1), (30.0, 15.0), (40.0, 15.0)
"""Rate limits per address: the number of requests at once, and per second in the long run."""


@dataclass(frozen=True, slots=True)
class Site:
    """The parts that the handlers use.

    Attributes:
        games: the kinds of games that may be played, by name.
        access: the access rules.
        hub: the messages to all browsers.
        controls: the buttons of the page.
        inbox: the queue of commands for the turn loop.
        gallery: the camera's pictures.
        archive: the games in the journal.
        virtual: the virtual table that the page controls, or None for a real one.
        simulated: whether simulated players sit at the table.
        host: begins requested games, or None if only one game is played.
        desks: the games' desks of this evening, by name of the game; games without one are missing.
        voice: the voice in use, and those available.
        join_address: "http://HOST:PORT" for other machines, or None if they cannot reach the page.
        static: the folder of the page's files.
        answers_in_s: the time-out for the table's answer to a command.
        opens_in_s: the time-out for opening another game; cameras take some seconds to open.
        commands: the rate limit of commands.
        joins: the rate limit of attempts to join.
        pictures: the rate limit of the camera's pictures.
        moves: the rate limit of moves at the virtual table.
    """

    games: GamePages
    access: Access
    hub: Hub
    controls: PageControls
    inbox: Inbox
    gallery: Gallery
    archive: Archive
    virtual: VirtualTable | None = None
    simulated: bool = False
    host: Host | None = None
    desks: Mapping[str, Any] = field(default_factory=dict)
    voice: VoiceChoice = field(default_factory=VoiceChoice)
    join_address: Callable[[], str | None] = lambda: None
    static: Path = STATIC
    answers_in_s: float = 5.0
    opens_in_s: float = 25.0
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    pictures: RateLimit = field(default_factory=lambda: RateLimit(*PICTURES))
    moves: RateLimit = field(default_factory=lambda: RateLimit(*MOVES))
