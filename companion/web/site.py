"""The parts that the page's handlers use."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.play.speaker import VoiceChoice
from companion.web.access.limits import RateLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.play.host import Host
    from companion.play.inbox import Inbox
    from companion.play.page.interface import GamePages
    from companion.web.access.access import Access
    from companion.web.archive.archive import Archive
    from companion.web.controls import PageControls
    from companion.web.gallery import Gallery
    from companion.web.transport.hub import Hub
    from hardware.simulated.virtual.table import VirtualTable

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
