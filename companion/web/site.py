"""The parts that the handlers of the table's page use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.play.friend import Friend
from companion.play.host import Host
from companion.play.inbox import Inbox
from companion.play.page import GamePages
from companion.play.speaker import VoiceChoice
from companion.web.access import RateLimit
from companion.web.account import Account, Gallery
from companion.web.answers import Answers
from companion.web.archive import Archive
from companion.web.home import Home
from companion.web.photographs import PhotographDesk
from companion.web.preview import Preview
from companion.web.routing import MOVES, PICTURES, STATIC, PageSite
from companion.web.settings import SettingsFile
from companion.web.transport.hub import Hub
from hardware.clock import Tempo
from hardware.simulated.virtual.table import VirtualTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Site(PageSite):
    """The parts that the handlers use.

    Attributes:
        games: the kinds of games that may be played, by name.
        hub: the messages to all browsers.
        inbox: the requests to the turn loop.
        gallery: the camera's pictures.
        archive: the games in the journal.
        answers: the answers that are made from them.
        account: returns the current account of the session.
        virtual: the virtual table that the page controls, or None for a real one.
        tempo: the tempo of the simulated players at the table, or None if there are none.
        host: begins requested games, or None if only one game is played.
        desks: the games' desks of this session, by name of the game; games without one are missing.
        voice: the voice in use, and those available.
        photographs: the photographs that people send to be read, or None if they cannot.
        outlines: returns by seat the corners of each board's grid in the newest frame, in pixels.
        phone_size: returns the size of the pictures that a phone is to send, or None if the camera is no phone.
        authority: returns the certificate that phones are asked to trust (DER), or None if there is none.
        home: the choice among the things that can be done, or None if this program does one thing.
        room: the name of the home's room that this is; empty for none.
        settings: the configuration's file, or None if it cannot be changed on the page.
        preview: the look through the configured camera while no game is played, or None.
        join_address: "http://HOST:PORT" for other machines, or None if they cannot reach the page.
        withdraw: removes this table's messages of a friend's game from the broker; returns whether it has confirmed it.
        static: the folder of the page's files.
        answers_in_s: the time-out for the table's answer to a command.
        opens_in_s: the time-out for opening another game; cameras take some seconds to open.
        pictures: the rate limit of the camera's pictures.
        moves: the rate limit of moves at the virtual table.
    """

    games: GamePages
    hub: Hub
    inbox: Inbox
    gallery: Gallery
    archive: Archive
    account: Callable[[], Account]
    virtual: VirtualTable | None = None
    tempo: Tempo | None = None
    host: Host | None = None
    desks: Mapping[str, Any] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)
    voice: VoiceChoice = field(default_factory=VoiceChoice)
    photographs: PhotographDesk | None = None
    outlines: Callable[[], Mapping[int, Any]] = dict
    phone_size: Callable[[], tuple[int, int] | None] = lambda: None
    authority: Callable[[], bytes | None] = lambda: None
    home: Home | None = None
    room: str = ""
    settings: SettingsFile | None = None
    preview: Preview | None = None
    join_address: Callable[[], str | None] = lambda: None
    withdraw: Callable[[Friend], bool] = lambda _: True
    static: Path = STATIC
    answers_in_s: float = 5.0
    opens_in_s: float = 25.0
    pictures: RateLimit = field(default_factory=lambda: RateLimit(*PICTURES))
    moves: RateLimit = field(default_factory=lambda: RateLimit(*MOVES))
