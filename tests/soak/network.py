"""A simulated faulty network: slow or disconnecting readers of the page, and a broker that becomes unavailable."""

from __future__ import annotations

import json
import socket
import struct
import urllib.request
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.mqtt.link import LinkError, Lost, News, Published

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from companion.mqtt.link import Hello
    from companion.web.page import PageServer

FAULTS: Final = ("half-open", "slow readers", "readers gone", "broker gone")
_MOST: Final = 40
"""The largest number of connections in one fault; `bench/page/connections.py` holds more."""
_PATIENCE_S: Final = 30.0
_NARROW_BYTES: Final = 2048
"""The receive buffer of a slow reader, after which the sender has to wait."""
_RESET: Final = struct.pack("ii", 1, 0)


class Network:
    """Readers of a page, and a broker; faults last until they are ended.

    Attributes:
        page: the current page; None while there is none.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.page: PageServer | None = None
        self._held: list[socket.socket] = []
        self._links: list[_Link] = []
        self._is_away = False

    def begin(self, fault: str) -> Callable[[], None]:
        """Begin a fault of `FAULTS`, and return a function that ends it."""
        if fault == "broker gone":
            self._is_away = True
            for link in self._links:
                link.lose()
            return self._come_back
        reads = fault == "slow readers"
        for _ in range(self.rng.randint(1, _MOST)):
            self._connect(self._request() if reads else self._request()[: self.rng.randint(0, 20)])
        if fault == "readers gone":
            # Disconnects while the response is being sent.
            self._connect(self._request())
            self._hang_up()
            return partial(self._hang_up)
        return self._hang_up

    def link(self, hello: Hello, tell: Callable[[News], None]) -> _Link:
        """Connect to the broker, which accepts all messages.

        Raises:
            LinkError: the broker is unavailable.
        """
        del hello
        if self._is_away:
            raise LinkError("away")
        self._links.append(_Link(tell))
        return self._links[-1]

    def ask(self) -> dict[str, Any]:
        """Return the page's snapshot, as a new reader gets it.

        Raises:
            OSError: the page does not answer.
        """
        assert self.page is not None
        address = f"http://localhost:{self.page.door.port}/api/snapshot"
        with urllib.request.urlopen(address, timeout=_PATIENCE_S) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def close(self) -> None:
        """Close all connections."""
        self._hang_up()
        self._links.clear()
        self._come_back()

    def _request(self) -> bytes:
        path = self.rng.choice(("/api/events", "/api/events", "/api/snapshot", "/", "/api/games"))
        assert self.page is not None
        key = self.rng.choice(("", f"Cookie: table_{self.page.door.port}={self.page.door.link.partition('=')[2]}\r\n"))
        return f"GET {path} HTTP/1.1\r\nHost: localhost:{self.page.door.port}\r\n{key}\r\n".encode()

    def _connect(self, says: bytes) -> None:
        if self.page is None:
            return
        reader = socket.socket()
        # Closing with unread data resets the connection.
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _NARROW_BYTES)
        reader.settimeout(_PATIENCE_S)
        self._held.append(reader)
        reader.connect(("127.0.0.1", self.page.door.port))
        reader.sendall(says)

    def _hang_up(self) -> None:
        for each in self._held:
            each.close()
        self._held.clear()

    def _come_back(self) -> None:
        self._is_away = False


class _Link:
    """A connection to the broker; see `companion.mqtt.link`."""

    def __init__(self, tell: Callable[[News], None]) -> None:
        self._tell, self._sent, self._is_lost = tell, 0, False

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
        del topic, payload, retain, qos
        self._sent += 1
        if not self._is_lost:
            self._tell(Published(self._sent))
        return self._sent

    def subscribe(self, topic: str) -> None: ...

    def close(self) -> None:
        self._is_lost = True

    def lose(self) -> None:
        """Lose the connection."""
        if not self._is_lost:
            self._is_lost = True
            self._tell(Lost("gone"))
