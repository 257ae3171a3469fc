"""A page on which an owner describes something, such as a sheet or a time board, and its server."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from starlette.types import ASGIApp

from companion.config import PageConfig
from companion.web.access import Access, Keys
from companion.web.routing import PageRoute, PageSite, application, entrances
from companion.web.transport.server import Server, authority, listen, reached_at, reached_here

DeskT = TypeVar("DeskT")


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribingSite(PageSite, Generic[DeskT]):
    """The parts that the handlers use; `desk` is the state of the description."""

    desk: DeskT


def describing_app(site: DescribingSite[DeskT], page: str, routes: Iterable[PageRoute[Any]]) -> ASGIApp:
    """Return the application of a describing page.

    Args:
        site: the parts that the handlers use.
        page: the name of its file.
        routes: all routes but those of the page itself.
    """
    return application([route.served(site) for route in (*entrances(page), *routes)])


class DescribingPage:
    """The page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        build: returns the application for the given access rules.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(self, config: PageConfig, build: Callable[[Access], ASGIApp]) -> None:
        self._config, self._build = config, build
        self._keys = Keys()
        self._closing = threading.Event()
        self._server: Server | None = None
        self.port = 0

    @property
    def link(self) -> str:
        """The address of the page for a browser on this machine, with its key."""
        return f"http://{reached_here(self._config.host)}:{self.port}/?key={self._keys.key}"

    @property
    def join_link(self) -> str | None:
        """The address for a tablet or a phone, with the current join code, or None if they cannot reach the page."""
        host = reached_at(self._config.host) if self._config.lan else None
        if host is None:
            return None
        return f"http://{authority(host)}:{self.port}/join?code={self._keys.code().code}"

    def __enter__(self) -> Self:
        everywhere = self._config.host or "0.0.0.0"  # noqa: S104  # the user has opened it to the network
        listener = listen(everywhere if self._config.lan else self._config.host or "127.0.0.1", self._config.port)
        self.port = int(listener.getsockname()[1])
        # Cookies do not differ by port: without it in the name, another page on this machine would replace the cookie.
        access = Access(self._keys, self._config, f"defining_{self.port}")
        self._server = Server(self._build(access), listener, access.has_key)
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
