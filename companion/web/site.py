"""The parts that the page's handlers work with."""

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
    from companion.play.page.side import GamePages
    from companion.web.access.access import Access
    from companion.web.archive.archive import Archive
    from companion.web.controls import PageControls
    from companion.web.gallery import Gallery
    from companion.web.transport.hub import Hub
    from hardware.simulated.virtual.table import VirtualTable

STATIC = Path(__file__).parent / "static"


COMMANDS, JOINS, PICTURES, MOVES = (20.0, 10.0), (8.0, 0.1), (30.0, 15.0), (40.0, 15.0)
"""How many an address may send or ask for at once, and a second in the long run."""


@dataclass(frozen=True, slots=True)
class Site:
    """The parts that handlers work with.

    Attributes:
        games: what may be played and was.
        access: who may do what.
        hub: the messages to all pages.
        controls: the drawn buttons.
        inbox: where commands go.
        gallery: the camera's pictures.
        archive: the games in the journal.
        virtual: the table that is moved from the page, or None if it is no virtual one.
        simulated: whether simulated players sit at a table with a box of our own printing.
        host: begins requested games, or None if there is one game only.
        desks: the games' own of this evening, by game; a game that has none here is missing.
        voice: the voice at the table, and those to choose from.
        join_address: "http://HOST:PORT" for other machines, or None if they cannot reach the page.
        static: the folder of the page's files.
        answers_in_s: how long a command waits for the table's answer.
        opens_in_s: how long it waits for another game, as cameras take some seconds to open.
        commands: limits commands.
        joins: limits tries to join.
        pictures: limits the camera's pictures.
        moves: limits moves at the virtual table.
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
