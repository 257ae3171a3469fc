"""The address of the page: its listeners and its key, which may outlast what is served behind them."""

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from socket import socket
from ssl import SSLContext
from typing import Final, Self

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.config import PageConfig
from companion.errors import CompanionError
from companion.web.access import Access, Keys, stored_key
from companion.web.certificates import SecurePage, secure_page
from companion.web.transport.server import Server, authority, listen, reached_at, reached_here

# A browser that was opening the page asks again by `refresh`, scripts by themselves.
_CLOSED: Final = PlainTextResponse("", 503, {"retry-after": "1", "refresh": "1"})
PATIENCE_S: Final = 10.0
"""The longest time for which a request to read waits for the next application; a room opens in one or two seconds."""
_LOOKS_EVERY_S: Final = 0.02


class Door:
    """An address that serves one application after the other, between `with` and its end.

    Args:
        config: the address that it listens at, and the permissions.
        data: the data folder, or None if nothing is stored.

    Attributes:
        config: the address that it listens at, and the permissions.
        keys: the table's key.
        secure: the encrypted side.
        port: the port, once it listens.

    Raises:
        CompanionError: on entering, if it cannot listen.
    """

    def __init__(self, config: PageConfig, data: Path | None) -> None:
        self.config, self.secure = config, secure_page(config, data)
        self.keys = Keys(key=None if data is None else stored_key(self.secure.folder or data))
        self.port = 0
        self._app: ASGIApp | None = None
        self._is_ending = False
        self._servers: list[Server] = []
        self._outer: str | None = None

    def __enter__(self) -> Self:
        listener = listen(self.config.host, self.config.port, lan=self.config.lan)
        self.port = int(listener.getsockname()[1])
        try:
            secure = self.secure.listen()
        except CompanionError:
            listener.close()
            raise
        self._start(listener, secure)
        return self

    def __exit__(self, *_: object) -> None:
        self._is_ending = True
        for server in self._servers:
            server.stop()
        self._servers.clear()

    def show(self, app: ASGIApp | None) -> None:
        """Serve an application from now on.

        After None, requests to read wait for the next one, so that a page which is opened just then finds its parts;
        all others are refused, as they were meant for the last one.
        """
        self._app = app

    def _serve(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # No coroutine around the application's, through which every message of a stream would have to go.
        return self._wait(scope, receive, send) if self._app is None else self._app(scope, receive, send)

    async def _wait(self, scope: Scope, receive: Receive, send: Send) -> None:
        ends_s = time.monotonic() + (PATIENCE_S if scope["method"] in ("GET", "HEAD") else 0.0)
        while self._app is None and not self._is_ending and time.monotonic() < ends_s:
            await asyncio.sleep(_LOOKS_EVERY_S)
        await (self._app or _CLOSED)(scope, receive, send)

    @property
    def access(self) -> Access:
        """The rules by which requests are permitted."""
        return Access(self.keys, self.config, f"table_{self.port}", self.secure.port)

    @property
    def address(self) -> str:
        """The address for a browser on this machine, without the key."""
        return f"http://{reached_here(self.config.host)}:{self.port}/"

    @property
    def link(self) -> str:
        """The address for a browser on this machine, with the table's key."""
        return f"{self.address}?key={self.keys.key}"

    @property
    def join_link(self) -> str | None:
        """The address for a phone, with the current join code, or None if phones cannot reach it."""
        address = self.join_address
        return None if address is None else f"{address}/join?code={self.keys.code().code}"

    @property
    def join_address(self) -> str | None:
        """The address for other machines, "http://HOST:PORT" or "https://…", or None if they cannot reach it."""
        if self._outer is None:
            host = reached_at(self.config.host) if self.config.lan else None
            return None if host is None else self._at(host, self.port)
        return self._outer

    def _at(self, host: str, port: int) -> str:
        secure = self.secure.port
        return f"http://{authority(host)}:{port}" if secure is None else f"https://{authority(host)}:{secure}"

    def _start(self, listener: socket, secure: tuple[socket, SSLContext] | None) -> None:
        self._servers.append(Server(self._serve, listener, self.access.has_key, secure))
        self._servers[-1].start()

    def open_to_network(self) -> bool:
        """Listen at this machine's address in the network, too; return whether other machines can reach it now.

        Raises:
            PageError: it cannot listen there.
        """
        host = reached_at(None)
        if self.join_address is None and host is not None and self._servers:
            listener = listen(host, self.port, lan=True)
            self.secure = SecurePage(replace(self.config, host=host, lan=True), self.secure.folder)
            self._start(listener, self.secure.listen())
            self._outer = self._at(host, int(listener.getsockname()[1]))
        return self.join_address is not None
