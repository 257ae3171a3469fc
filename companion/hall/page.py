"""The hall's page, served by the same server and guard as the tables' pages."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.routing import Route

from companion.hall.roles import Role
from companion.hall.routes import ROUTES, bound
from companion.hall.site import HallSite
from companion.play.page.refusing import RefusedError
from companion.web.access.access import own_names
from companion.web.access.guard import Guard
from companion.web.access.limits import RateLimit
from companion.web.app import REQUESTS, internal_error, not_routed, refused
from companion.web.files.sending import file_routes
from companion.web.site import STATIC
from companion.web.texts import TEXTS
from companion.web.transport.server import Server, authority, listen, reached_at
from companion.web.transport.stream import BYE

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Scope

    from companion.config import HallConfig
    from companion.hall.database import Database
    from companion.hall.invitations import Invitations
    from companion.hall.live import Live
    from companion.hall.roles import Roles


def build_hall_app(site: HallSite) -> ASGIApp:
    """Return the ASGI application of a hall's page."""
    app = Starlette(
        routes=[
            *(Route(path, bound(site, handler), methods=[method]) for method, path, handler in ROUTES),
            TEXTS,
            *file_routes(STATIC),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: internal_error},
    )
    return Guard(GZipMiddleware(app, minimum_size=1000), own_names(), RateLimit(*REQUESTS))


class HallPage:
    """The hall's page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        roles: returns the roles and their keys for the name of the page's cookie.
        database: the collected games, and the tournaments.
        live: the current states of the tables.
        announce: updates the announcements on the broker.
        invitations: the open invitations of tables.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(
        self,
        config: HallConfig,
        roles: Callable[[str], Roles],
        database: Database,
        live: Live,
        announce: Callable[[], None],
        invitations: Invitations,
    ) -> None:
        self._config, self._roles_of = config, roles
        self._database, self._live, self._announce, self._invitations = database, live, announce, invitations
        self._closing = threading.Event()
        self._server: Server | None = None
        self._roles: Roles | None = None
        self.port = 0

    @property
    def address(self) -> str:
        """The page's address for a browser on the network if it is open to that, else for one on this machine."""
        host = reached_at(self._config.host) if self._config.lan else None
        return f"http://{'localhost' if host is None else authority(host)}:{self.port}/"

    def link(self, role: Role) -> str:
        """Return the page's address with a role's key."""
        assert self._roles is not None  # noqa: S101  # It is served.
        return f"{self.address}?key={self._roles.keys[role].key}"

    def __enter__(self) -> Self:
        everywhere = self._config.host or "0.0.0.0"  # noqa: S104  # the user has opened it to the network
        listener = listen(everywhere if self._config.lan else self._config.host or "127.0.0.1", self._config.port)
        self.port = int(listener.getsockname()[1])
        roles = self._roles = self._roles_of(f"hall_{self.port}")

        def has_key(scope: Scope) -> bool:
            return roles.of(HTTPConnection(scope)) > Role.GUEST

        site = HallSite(roles, self._database, self._live, self._announce, invitations=self._invitations)
        self._server = Server(build_hall_app(site), listener, has_key)
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        # Before the server stops, which would otherwise wait for the open streams.
        self._live.hub.publish(BYE, b"{}")
        if self._server is not None:
            self._server.stop()

    def wait(self) -> None:
        """Wait until the user interrupts the program; the page is served until then."""
        with suppress(KeyboardInterrupt):
            self._closing.wait()
