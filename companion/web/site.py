"""All that the page's handlers work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.web.limits import RateLimit

if TYPE_CHECKING:
    from companion.bootstrap import Host, VirtualTable
    from companion.bootstrap.circledesk import CircleDesk
    from companion.inbox import Inbox
    from companion.web.access import Access
    from companion.web.archive import Archive
    from companion.web.controls import PageControls
    from companion.web.gallery import Gallery
    from companion.web.hub import Hub
    from companion.web.jsontype import Json

STATIC = Path(__file__).parent / "static"


COMMANDS, JOINS, PICTURES, MOVES = (20.0, 10.0), (8.0, 0.1), (30.0, 15.0), (40.0, 15.0)
"""How many an address may send or ask for at once, and a second in the long run."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the handlers work with.

    Attributes:
        access: who may do what.
        hub: the messages to all pages.
        controls: the drawn buttons.
        inbox: where commands go.
        gallery: the camera's pictures.
        archive: the games in the journal.
        virtual: the table where people move things from the page; None where the table is none of those.
        host: begins games that people wish for; None where there is one only.
        circle: where a circle that was seen is confirmed; None where that is not done here.
        sheet: the sheet that is coloured at a table of Kvilt, as JSON; gives None at other tables.
        join_address: "http://HOST:PORT" as other machines reach the page; None where they do not.
        static: the folder of the page's files.
        answers_in_s: how long a command waits for the table's answer.
        opens_in_s: likewise for another game: cameras take some seconds to open.
        commands: limits commands.
        joins: limits tries to join.
        pictures: limits the camera's pictures.
        moves: limits moves at the virtual table.
    """

    access: Access
    hub: Hub
    controls: PageControls
    inbox: Inbox
    gallery: Gallery
    archive: Archive
    virtual: VirtualTable | None = None
    host: Host | None = None
    circle: CircleDesk | None = None
    join_address: Callable[[], str | None] = lambda: None
    sheet: Callable[[], Json | None] = lambda: None
    static: Path = STATIC
    answers_in_s: float = 5.0
    opens_in_s: float = 25.0
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    pictures: RateLimit = field(default_factory=lambda: RateLimit(*PICTURES))
    moves: RateLimit = field(default_factory=lambda: RateLimit(*MOVES))
