"""The page on which the owner of a boxed Kvilt describes the sheet: served like the table's, behind the same guard."""

from __future__ import annotations

import threading
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from companion.play.page.refusing import RefusedError
from companion.web.access.access import Access, own_names
from companion.web.access.guard import Guard
from companion.web.access.keys import Keys
from companion.web.access.limits import RateLimit
from companion.web.app import REQUESTS, not_routed, refused, stumbled
from companion.web.defining import routes
from companion.web.defining.site import DefiningSite
from companion.web.files.sending import file_routes
from companion.web.site import STATIC
from companion.web.texts import TEXTS
from companion.web.transport.server import Server, listen, own_address

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from companion.config import PageConfig
    from companion.kvilt.defining import DefiningDesk


def build_defining_app(site: DefiningSite) -> ASGIApp:
    """Return the application."""
    app = Starlette(
        routes=[
            *(Route(path, routes.bound(site, handler), methods=[method]) for method, path, handler in routes.ROUTES),
            TEXTS,
            *file_routes(STATIC),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: stumbled},
    )
    return Guard(app, own_names(), RateLimit(*REQUESTS))


class DefiningPage:
    """Serve the page between `with` and its end.

    Args:
        config: where it listens.
        desk: where the sheet is described.

    Raises:
        PageError: on entering, where it cannot be served.
    """

    def __init__(self, config: PageConfig, desk: DefiningDesk) -> None:
        self._config, self._desk = config, desk
        self._keys = Keys()
        self._closing = threading.Event()
        self._server: Server | None = None
        self.port = 0

    @property
    def link(self) -> str:
        """The address of the page for a browser on this machine, with its key."""
        host = self._one_host
        name = "localhost" if host is None or ip_address(host).is_loopback else _authority(host)
        return f"http://{name}:{self.port}/?key={self._keys.key}"

    @property
    def join_link(self) -> str | None:
        """The address for a tablet or a phone, with the present code, or None if they cannot reach the page."""
        host = (self._one_host or own_address()) if self._config.lan else None
        if host is None or ip_address(host).is_loopback:
            return None
        return f"http://{_authority(host)}:{self.port}/join?code={self._keys.code().code}"

    @property
    def _one_host(self) -> str | None:
        host = self._config.host
        return None if host is None or ip_address(host).is_unspecified else host

    def __enter__(self) -> Self:
        everywhere = self._config.host or "0.0.0.0"  # noqa: S104  # the user has opened it to the network
        listener = listen(everywhere if self._config.lan else self._config.host or "127.0.0.1", self._config.port)
        self.port = int(listener.getsockname()[1])
        access = Access(self._keys, self._config, f"defining_{self.port}")
        self._server = Server(build_defining_app(DefiningSite(access, self._desk)), listener, access.has_key)
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.stop()

    def wait(self) -> None:
        """Wait until the user interrupts the program; the page is served until then."""
        with suppress(KeyboardInterrupt):
            self._closing.wait()


def _authority(host: str) -> str:
    return f"[{host}]" if ":" in host else host
