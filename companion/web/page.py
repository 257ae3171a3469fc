"""The page of one evening: listens to the table, and lets browsers listen and command."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from threading import Event as Flag
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, Self

from companion.bootstrap import Attached
from companion.bootstrap.circledesk import CircleDesk
from companion.events import GameOpened
from companion.inbox import Inbox
from companion.web.access import Access
from companion.web.app import build_app
from companion.web.archive import Archive
from companion.web.chronicle import Account, Chronicle, Sighted
from companion.web.circle import TOPIC as CIRCLE
from companion.web.circle import desk_json
from companion.web.controls import PageControls
from companion.web.gallery import Gallery
from companion.web.hub import Hub, Telling
from companion.web.keptkey import kept_key
from companion.web.keys import Keys
from companion.web.kvilt import in_question, sheet_json
from companion.web.kviltcrop import draw_regions
from companion.web.kviltsight import sheet_exposure
from companion.web.reading import SNAPSHOT, STRIP
from companion.web.server import Server, listen, own_address
from companion.web.site import Site
from companion.web.snapshot import pixels_json, snapshot
from companion.web.stream import BYE
from companion.web.virtual import TOPIC, tabletop_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from companion.bootstrap import Host, VirtualTable
    from companion.bootstrap.circledesk import LaidOut
    from companion.config import PageConfig
    from companion.games.kvilt import Layout, Sheet
    from companion.games.patchwork import Decision
    from companion.kvilt.news import AnyEvent
    from companion.kvilttable import SheetWatch
    from companion.reader.watch import TableWatch
    from companion.web.jsontype import Json
    from hardware.ports import RGB

STRIP_EVERY_S: Final = 0.1
"""The strip's frames come faster than a page needs them."""
CAMERA_LOST_S: Final = 3.0
"""After so long without a frame the page says that there is no camera."""
FIRST_FRAME_S: Final = 12.0
"""Likewise where none has come since the game was opened: cameras take their time to start."""
_CHECKED_EVERY_S: Final = 1.0


class Page:
    """A listener for events that serves what it hears; between `with` and its end it can be reached.

    Events, frames and lights come from the thread of the turn loop, one after the other.

    Args:
        config: where it listens, and who may what.
        journal: the file of all games; None where none are kept.
        clock: monotonic, in seconds.
        virtual: the table where people move things from the page; None where the table is none of those.
        host: begins games that people wish for; None where there is one only.

    Raises:
        PageError: on entering, where it cannot be served.
    """

    def __init__(
        self,
        config: PageConfig,
        journal: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        virtual: VirtualTable | None = None,
        host: Host | None = None,
    ) -> None:
        self._config, self._clock = config, clock
        self._keys = Keys(key=None if journal is None else kept_key(journal.parent))
        self._hub, self._gallery = Hub(), Gallery()
        self._controls, self._inbox = PageControls(), Inbox()
        self._archive = Archive(journal)
        self.circle = CircleDesk()
        self.circle.follow(self._lay_out)
        self._virtual, self._host = virtual, host
        if virtual is not None:
            virtual.follow(lambda tabletop: self._hub.publish(TOPIC, _encoded(tabletop_json(tabletop))))
        if host is not None:
            host.show = self._gallery.show
        self._chronicle = Chronicle()
        self._sheet: Json | None = None
        self._layout: Layout | None = None
        self._lock = Lock()
        self._published = 0
        self._frame_at_s: float | None = None
        self._opened_at_s: float | None = None
        self._is_away = False
        self._strip_at_s = float("-inf")
        self._strip_waits = False
        self._server: Server | None = None
        self._closing = Flag()
        self.port = 0
        self._publish(self._chronicle.account)

    @property
    def attached(self) -> Attached:
        """What takes part in the evening for it."""
        return Attached(
            controls=self._controls,
            inbox=self._inbox,
            look_on=self.look_on,
            host=self._host,
            circle=self.circle,
            look_on_sheets=self.look_on_sheets,
        )

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page; it may watch only."""
        host = self._one_host
        if host is None or ip_address(host).is_loopback:
            return f"http://localhost:{self.port}/"
        return f"http://{_authority(host)}:{self.port}/"

    @property
    def _one_host(self) -> str | None:
        """The one address that it listens at; None for every one ("0.0.0.0"), or this machine's own."""
        host = self._config.host
        return None if host is None or ip_address(host).is_unspecified else host

    @property
    def link(self) -> str:
        """Likewise, with the table's key."""
        return f"{self.address}?key={self._keys.key}"

    @property
    def join_address(self) -> str | None:
        """As other machines reach the page: "http://HOST:PORT"; None where they do not."""
        if not self._config.lan:
            return None
        host = self._one_host or own_address()
        return None if host is None or ip_address(host).is_loopback else f"http://{_authority(host)}:{self.port}"

    @property
    def join_link(self) -> str | None:
        """The address for a phone, with the code of this moment; None where phones do not reach the page."""
        address = self.join_address
        return None if address is None else f"{address}/join?code={self._keys.code().code}"

    def site(self) -> Site:
        """What the application works with."""
        return Site(
            access=Access(self._keys, self._config, f"table_{self.port}"),
            hub=self._hub,
            controls=self._controls,
            inbox=self._inbox,
            gallery=self._gallery,
            archive=self._archive,
            virtual=self._virtual,
            host=self._host,
            circle=self.circle,
            join_address=lambda: self.join_address,
            sheet=lambda: self._sheet,
        )

    def __enter__(self) -> Self:
        lan_host = self._config.host or "0.0.0.0"  # noqa: S104  # the user has opened it to the network
        listener = listen(lan_host if self._config.lan else self._config.host or "127.0.0.1", self._config.port)
        self.port = int(listener.getsockname()[1])
        self._server = Server(build_app(self.site()), listener)
        self._server.start()
        Thread(target=self._watch_camera, name="page-camera", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._closing.set()
        self._hub.publish(BYE, b"{}")
        if self._server is not None:
            self._server.stop()

    def wait(self) -> None:
        """Return once somebody interrupts the program; the page stays until then."""
        with suppress(KeyboardInterrupt):
            self._closing.wait()

    def remember(self, decisions: Iterable[Decision]) -> None:
        """Learn of the decisions of a game that goes on, before it is opened."""
        self._chronicle.remember(decisions)

    def __call__(self, event: AnyEvent) -> None:
        """Show what happened."""
        if isinstance(event, GameOpened):
            self._chronicle.dress(self._archive.colours(event.game_id))
            self._opened_at_s = self._clock()
        self._chronicle(event)
        self._controls(event)
        self._publish(self._chronicle.account)

    def await_game(self, says: str) -> None:
        """Show what a table without a game waits for, or what keeps it from beginning one."""
        self._chronicle.await_game(says)
        self._publish(self._chronicle.account)

    def lay_sheet(self, sheet: Sheet, layout: Layout) -> None:
        """Learn of the sheet that is coloured at a table of Kvilt."""
        self._sheet, self._layout = sheet_json(sheet, layout), layout

    def strip(self, pixels: Sequence[RGB]) -> None:
        """Show what the strip shows."""
        self._chronicle.lights(pixels)
        self._strip_waits = True
        self._publish_strip()

    def look_on(self, watch: TableWatch, now_s: float) -> None:
        """Take one frame's news, after everything else has."""
        self._gallery.look_on(watch, self._chronicle.account)
        sighted = Sighted(camera=True, boards_seen=watch.ready, in_view=tuple(sorted(watch.places)))
        self._take_frame(sighted, now_s)

    def look_on_sheets(self, watch: SheetWatch, now_s: float) -> None:
        """Likewise at a table of Kvilt."""
        if watch.frame is not None:
            self._gallery.keep(sheet_exposure(watch, watch.frame, self._layout), 0)
        regions, seen = in_question(self._chronicle.account.kvilt), watch.looked
        if regions and seen is not None and self._layout is not None:
            frame, place = seen
            drawing = partial(draw_regions, frame.image, place, self._layout, regions)
            self._gallery.keep_crop(" ".join([frame.name, *regions]), drawing)
        self._take_frame(Sighted(camera=True, boards_seen=True), now_s)

    def _take_frame(self, sighted: Sighted, now_s: float) -> None:
        with self._lock:
            came_back = self._frame_at_s is None
            self._frame_at_s, self._is_away = self._clock(), False
        if self._chronicle.sight(sighted) or came_back:
            self._publish(self._chronicle.account)
        self._controls.tick(now_s)
        self._publish_strip()

    def end(self) -> None:
        """The evening is over: nothing is taken any more, but all can still be seen. May be called more than once."""
        self._controls.close()
        self._inbox.close()
        self.circle.close()
        if self._virtual is not None:
            self._virtual.close()
        if self._host is not None:
            self._host.close()
        if not self._chronicle.account.over:
            self._chronicle.end()
            self._publish(self._chronicle.account)

    def check_camera(self) -> None:
        """Say so if no frame has come for long; may be called from any thread."""
        account = self._chronicle.account
        if account.over:
            return
        with self._lock:
            since_s, patience_s = self._frame_at_s, CAMERA_LOST_S
            if since_s is None:
                since_s, patience_s = self._opened_at_s, FIRST_FRAME_S
            lost = not self._is_away and since_s is not None and self._clock() - since_s > patience_s
            if lost:
                self._frame_at_s, self._is_away = None, True
        if lost:
            self._publish(account)

    def _lay_out(self, laid: LaidOut | None) -> None:
        share = self.circle.share
        self._hub.publish(CIRCLE, Telling(lambda language: _encoded(desk_json(laid, share, language))))

    def _watch_camera(self) -> None:
        while not self._closing.wait(_CHECKED_EVERY_S):
            self.check_camera()

    def _publish(self, account: Account) -> None:
        with self._lock:
            self._published += 1
            number = self._published
            if self._is_away:
                account = replace(account, sighted=replace(account.sighted, camera=False, awaited=False))
            # Nobody may be there to read it: it is put into words only for those who are.
            told = Telling(lambda language: _encoded({**snapshot(account, language), "number": number}))
            self._hub.publish(SNAPSHOT, told)

    def _publish_strip(self) -> None:
        now_s = self._clock()
        if self._strip_waits and now_s - self._strip_at_s >= STRIP_EVERY_S:
            self._strip_waits, self._strip_at_s = False, now_s
            self._hub.publish(STRIP, _encoded({"pixels": pixels_json(self._chronicle.account.pixels)}))


def _encoded(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _authority(host: str) -> str:
    return f"[{host}]" if ":" in host else host
