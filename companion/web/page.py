"""The page of one session: a listener for the table's events, and the web server for browsers."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event as Flag
from threading import Lock, Thread
from typing import Any, Final, Self

from starlette.types import ASGIApp

from companion.config import Config, PageConfig
from companion.config.text import ConfigError
from companion.configuration import written_config
from companion.journal import GameSummary
from companion.languages import Language
from companion.play.events import GameOpened
from companion.play.friend import Friend, FriendStatus
from companion.play.host import Host
from companion.play.inbox import EndGame, Inbox
from companion.play.page import GameDesk, GamePages, Happening, Json, Need, NothingMore, Visibility
from companion.play.session import RemoteParticipant
from companion.play.speaker import VoiceChoice
from companion.registry import photographs
from companion.web.account import Account, AccountBuilder, Gallery, NoPictureError, StripFilm, snapshot
from companion.web.archive import Archive
from companion.web.door import Door
from companion.web.handlers import arranging, commands, home, library, reading
from companion.web.handlers.commands import TOPIC, tabletop_json
from companion.web.handlers.game_routes import routes_of
from companion.web.handlers.phone_camera import CAMERA_ROUTES
from companion.web.handlers.photographs import PHOTOGRAPH_ROUTES
from companion.web.handlers.reading import ANNOUNCEMENTS, DESK, SNAPSHOT, STRIP
from companion.web.handlers.trusting import TRUST_ROUTES
from companion.web.help import HELP_ROUTES
from companion.web.home import Home
from companion.web.photographs import PhotographDesk
from companion.web.preview import Preview
from companion.web.routing import PageRoute, application, commanded, entrances
from companion.web.settings import SettingsFile
from companion.web.site import Site
from companion.web.transport.hub import BYE, Hub, LocalizedData
from hardware.clock import Tempo
from hardware.handset import PHONE
from hardware.ports import RGB
from hardware.simulated.virtual.table import VirtualTable

_OF_ANY_GAME: Final[tuple[PageRoute[Site], ...]] = (
    PageRoute("/api/me", reading.me, Need.NOTHING),
    PageRoute("/api/snapshot", reading.snapshot),
    PageRoute("/api/events", reading.stream),
    PageRoute("/api/code", reading.code, Need.TOUCH),
    PageRoute("/api/code.svg", reading.code_svg, Need.TOUCH),
    PageRoute("/camera.jpg", reading.camera, Need.CAMERA),
    PageRoute("/crop/{seat:number}.jpg", reading.crop, Need.CAMERA),
    commanded("/api/press", commands.press, commands.Pressed),
    commanded("/api/answer", commands.answer, commands.Answered),
    commanded("/api/insist", commands.insist, NothingMore),
    commanded("/api/put-right", commands.put_right, NothingMore),
    commanded("/api/tempo", commands.set_tempo, commands.WantedTempo),
    commanded("/api/word", commands.send_word, commands.Word),
    PageRoute("/api/voice", commands.voices),
    commanded("/api/voice", commands.choose_voice, commands.Voiced),
    PageRoute("/api/virtual", commands.virtual_table),
    PageRoute("/api/settings", home.settings, Need.TOUCH),
    commanded("/api/settings", home.change, home.Changed),
    PageRoute("/api/home", home.home, Need.TOUCH),
    PageRoute("/api/home/cameras", home.cameras, Need.TOUCH),
    PageRoute("/api/home/preview", home.preview, Need.TOUCH),
    commanded("/api/home/network-camera", home.network_camera, home.NetworkCamera),
    commanded("/api/home/choose", home.choose, home.Chosen),
    commanded("/api/home/leave", home.leave, NothingMore),
    commanded("/api/home/stay", home.stay, NothingMore),
    PageRoute("/api/setup", arranging.setup, Need.TOUCH),
    commanded("/api/setup/resume", arranging.resume, arranging.Resumed),
    PageRoute("/api/calibration", arranging.calibration, Need.TOUCH),
    commanded("/api/calibration/begin", arranging.begin_calibration, NothingMore),
    commanded("/api/calibration/corners", arranging.corners, arranging.BoardCornersBody),
    commanded("/api/calibration/save", arranging.save, arranging.Saved),
    PageRoute("/api/statistics", library.statistics),
    PageRoute("/api/players.csv", library.players_csv),
    PageRoute("/api/games", library.games),
    PageRoute("/api/games.csv", library.games_csv),
    PageRoute("/api/games/{game:number}", library.game),
    PageRoute("/api/games/{game:number}/replay", library.replay),
    PageRoute("/api/games/{game:number}/record.jsonl", library.record),
    PageRoute("/api/games/{game:number}/decisions.csv", library.decisions_csv),
    commanded("/api/games/{game:number}/delete", library.delete_game, library.Deletion),
    commanded("/api/players/forget", library.forget_player, library.Named),
    *PHOTOGRAPH_ROUTES,
    *TRUST_ROUTES,
    *CAMERA_ROUTES,
)


def page_routes(games: GamePages) -> Iterator[PageRoute[Site]]:
    """Yield the routes of a page for these games, without those of its files."""
    yield from _OF_ANY_GAME
    for side in games.values():
        yield from routes_of(side)


def build_app(site: Site, names: Iterable[str] = ()) -> ASGIApp:
    """Return the application of a site; `names` are further host names by which browsers may call this machine."""
    doors = entrances("index.html", site.static, ("/", "/tv", "/watch"), refused="/?join=refused")
    score = entrances("score.html", site.static, ("/score",), refused="/?join=refused")[:1]
    routes = (route.served(site) for route in (*doors, *score, *page_routes(site.games)))
    return application((*routes, *HELP_ROUTES), site.static, (*site.access.config.names, *names))


CAMERA_LOST_S: Final = 3.0
"""The time without a frame after which the page reports a missing camera."""
FIRST_FRAME_S: Final = 12.0
"""The same time before the first frame of a game, as cameras take some time to start."""
LOOK_S: Final = 30.0
"""The same time during a look, as frames wait for it, and slow machines take long."""
DRAWN_S: Final = 120.0
"""The same time at a simulated table: a busy machine takes long to draw a picture, but loses none."""
_CHECKED_EVERY_S: Final = 1.0
# An hour: addresses change rarely, and a certificate lasts for months.
_CHECKS_A_RENEWAL: Final = 3600


class PageServer:
    """A listener for events that serves the page to browsers between `with` and its end.

    Events, frames and lights must come from the turn loop's thread.

    Args:
        games: the kinds of games that may be played, by name.
        config: the address that it listens at, and the permissions.
        journal: the file of all games, or None if none are stored.
        clock: monotonic, in seconds.
        virtual: the virtual table that the page controls, or None for a real one.
        host: begins requested games, or None if only one game is played.
        tempo: the tempo of the simulated players at the table, or None if there are none.
        table: the whole configuration, by which photographs are read.
        door: an open address to serve it at, in place of one of its own.
        home: the choice among the things that can be done, or None if this program does one thing.
        room: the name of the home's room that this is; empty while one is chosen.
        file: the configuration's file, or None if it cannot be changed on the page.
        withdraw: removes this table's messages of a friend's game from the broker; returns whether it has confirmed it.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(
        self,
        games: GamePages,
        config: PageConfig,
        journal: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        virtual: VirtualTable | None = None,
        host: Host | None = None,
        *,
        tempo: Tempo | None = None,
        table: Config | None = None,
        door: Door | None = None,
        home: Home | None = None,
        room: str = "",
        file: Path | None = None,
        withdraw: Callable[[Friend], bool] = lambda _: True,
    ) -> None:
        self._games, self._clock, self._withdraw = games, clock, withdraw
        self._open = ExitStack()
        self._shares_door = door is not None
        self.door = door or Door(config, None if journal is None else journal.parent)
        self._home, self._room = home, None if home is None else room
        self._settings = None if file is None else SettingsFile(file, self._changed)
        self._hub, self._gallery = Hub(), Gallery()
        self._preview: Preview | None = None
        if self._room == "" and file is not None:
            self._preview = Preview(lambda: written_config(file), self._gallery.show, clock)
        self._inbox = Inbox() if virtual is None else Inbox(hands_busy=lambda: virtual.hands_busy)
        self._voice = VoiceChoice()
        self._archive = Archive(journal, games)
        self._desks = self._opened_desks()
        self._virtual, self._host, self._tempo = virtual, host, tempo
        self._camera = (table or Config()).camera
        self._read_camera()
        self._outlines: Mapping[int, Any] = {}
        self._photographs = PhotographDesk(photographs(), table or Config(), self._archive.folder)
        if virtual is not None:
            virtual.follow(lambda tabletop: self._hub.publish(TOPIC, _encoded(tabletop_json(games, tabletop))))
        if host is not None:
            host.show = self._gallery.show
        self._builder = AccountBuilder(games)
        self._lock = Lock()
        self._published = 0
        self._frame_at_s: float | None = None
        self._opened_at_s: float | None = None
        self._is_away = False
        self._film = StripFilm()
        self._closing = Flag()
        # A reader may come before anything happens at the table.
        self._publish(self._builder.account)

    @property
    def remote(self) -> RemoteParticipant:
        """The parts of the page that the session uses."""
        return RemoteParticipant(self._inbox, self.observe, self._desks, self._voice)

    def site(self) -> Site:
        """Return the parts that the handlers use."""
        return Site(
            games=self._games,
            access=self.door.access,
            hub=self._hub,
            inbox=self._inbox,
            gallery=self._gallery,
            archive=self._archive,
            account=lambda: self._builder.account,
            virtual=self._virtual,
            tempo=self._tempo,
            host=self._host,
            desks=self._desks,
            voice=self._voice,
            photographs=self._photographs,
            authority=self.door.secure.authority,
            home=self._home,
            room=self._room or "",
            settings=self._settings,
            preview=self._preview,
            outlines=lambda: self._outlines,
            phone_size=lambda: self._camera.size if self._camera.driver == PHONE else None,
            join_address=lambda: self.door.join_address,
            withdraw=self._withdraw,
        )

    def __enter__(self) -> Self:
        if not self._shares_door:
            self._open.enter_context(self.door)
        self.door.show(build_app(self.site()))
        # A separate thread: without frames, the turn loop may itself be waiting for the camera.
        Thread(target=self._keep_up, name="page-camera", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # Before the stream's last message: readers learn that the session is over, then that the server is.
        self.end()
        self._closing.set()
        if self._preview is not None:
            # The next room needs the camera.
            self._preview.close()
        self._hub.publish(BYE, b"{}")
        self._photographs.close()
        if self._shares_door:
            self.door.show(None)
        self._open.close()

    def leave(self) -> None:
        """End what is done here, as its users wish; a game is kept. Thread-safe."""
        self._inbox.put(EndGame(leaves=True))
        if self._host is not None:
            self._host.close()
        self._closing.set()

    def _changed(self, section: str, key: str, value: object) -> None:
        """Apply a setting that was just written, as far as it can be applied now."""
        if (section, key, value) == ("page", "lan", True):
            self.door.open_to_network()
        if section == "camera" and self._preview is not None:
            self._read_camera()
            self._preview.reopen()

    def _read_camera(self) -> None:
        """Read which camera is configured: it is chosen while no game is played."""
        if self._preview is not None and self._settings is not None:
            with suppress(ConfigError):
                self._camera = written_config(self._settings.path).camera

    def wait(self) -> None:
        """Wait until the user interrupts the program or leaves the room; the page is served until then."""
        with suppress(KeyboardInterrupt):
            self._closing.wait()

    def __call__(self, event: Happening) -> None:
        """Show an event."""
        if isinstance(event, GameOpened):
            self._opened_at_s = self._clock()
        self._builder(event)
        self._film.restart()
        self._publish(self._builder.account)

    def await_game(self, says: str, interrupted: GameSummary | None = None, friend: FriendStatus | None = None) -> None:
        """Show what a table without a game waits for, or what prevents one; see `AccountBuilder.await_game`."""
        self._builder.await_game(says, interrupted, friend)
        self._publish(self._builder.account)

    def announce(self, announcements: Sequence[str]) -> None:
        """Show the announcements to the players, replacing earlier ones; thread-safe."""
        self._hub.publish(ANNOUNCEMENTS, _encoded({"announcements": list(announcements)}))

    def picture(self) -> bytes | None:
        """Return the newest frame as JPEG, or None before the first; thread-safe."""
        with suppress(NoPictureError):
            return self._gallery.camera_jpeg(reading=False)
        return None

    def strip(self, pixels: Sequence[RGB]) -> None:
        """Show the pixels of the strip."""
        self._builder.set_lights(pixels)
        self._publish_strip()

    def observe(self, watch: Any, now_s: float) -> None:
        """Update the page by one frame of the game on the table, after all other listeners."""
        del now_s
        account = self._builder.account
        side = account.side
        if side is None:
            self._take_frame(Visibility(camera=True))
            return
        exposure = side.exposure(watch, account.table)
        if exposure is not None:
            self._gallery.keep(exposure)
        self._outlines = side.outlines(watch)
        self._take_frame(side.visibility(watch))

    def _take_frame(self, visibility: Visibility) -> None:
        with self._lock:
            came_back = self._frame_at_s is None
            self._frame_at_s, self._is_away = self._clock(), False
        if self._builder.set_visibility(visibility) or came_back:
            self._publish(self._builder.account)
        self._publish_strip()

    def end(self) -> None:
        """End the session: commands are refused, but the page can still be watched. May be called more than once."""
        self._inbox.close()
        for desk in self._desks.values():
            desk.close()
        if self._virtual is not None:
            self._virtual.close()
        if self._host is not None:
            self._host.close()
        if not self._builder.account.over:
            self._builder.end()
            self._publish(self._builder.account)

    def check_camera(self) -> None:
        """Report a missing camera if no frame has come for too long; thread-safe."""
        account = self._builder.account
        if account.over:
            return
        with self._lock:
            since_s, patience_s = self._frame_at_s, CAMERA_LOST_S
            if since_s is None:
                since_s, patience_s = self._opened_at_s, FIRST_FRAME_S
            elif account.table is not None and account.table.pending.looking:
                patience_s = LOOK_S
            if self._virtual is not None or self._tempo is not None:
                patience_s = DRAWN_S
            lost = not self._is_away and since_s is not None and self._clock() - since_s > patience_s
            if lost:
                self._frame_at_s, self._is_away = None, True
        if lost:
            self._publish(account)

    def _opened_desks(self) -> dict[str, GameDesk]:
        games = self._games.items()
        return {name: side.desk(partial(self._send, name)) for name, side in games if side.desk is not None}

    def _send(self, game: str, body: Callable[[Language], Json]) -> None:
        """Send JSON of a game's desk to every page."""
        message = LocalizedData(lambda language: _encoded({game: body(language)}))
        self._hub.publish(f"{DESK}/{game}", message)

    def _keep_up(self) -> None:
        """Watch for a camera that is lost, and renew certificates, until the page is closed."""
        for number in count(1):
            if self._closing.wait(_CHECKED_EVERY_S):
                return
            self.check_camera()
            if number % _CHECKS_A_RENEWAL == 0:
                self.door.secure.renew()

    def _publish(self, account: Account) -> None:
        with self._lock:
            # Numbered here: snapshots of the same account differ by whether the camera is away.
            self._published += 1
            number = self._published
            # The turn loop's account does not know that frames have stopped.
            if self._is_away:
                account = replace(account, visibility=replace(account.visibility, camera=False, awaited=False))
            # Made only for languages in use; there may be no reader.
            more = {"number": number, "room": self._room}
            message = LocalizedData(lambda language: _encoded({**snapshot(account, language), **more}))
            self._hub.publish(SNAPSHOT, message)

    def _publish_strip(self) -> None:
        pixels = self._builder.account.pixels
        frames = self._film.take(pixels, self._clock()) if pixels else None
        if frames is not None:
            self._hub.publish(STRIP, _encoded(frames))


def _encoded(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
