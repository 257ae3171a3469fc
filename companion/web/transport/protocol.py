"""HTTP over one connection: uvicorn's protocol with deadlines and a lingering close.

Closing a socket with unread bytes resets the connection, and a response in flight is lost (RFC 9112, section 9.6);
nginx has a lingering close for the same reason.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from companion.web.requests import address_of

LINGERS_S: Final = 20.0
"""The longest time for which the rest of a body is read and dropped; see docs/reliability.md."""
MOST_BYTES: Final = 64 << 20
"""The number of dropped bytes after which the connection is aborted."""


class LingeringTransport(asyncio.Transport):
    """A transport whose `close` first drains what the client still sends.

    Args:
        transport: the connection's transport.
        is_unread: returns whether part of a request is still unread.
        loop: the server's event loop.
    """

    def __init__(
        self, transport: asyncio.Transport, is_unread: Callable[[], bool], loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__()
        self._transport, self._is_unread, self._loop = transport, is_unread, loop
        self._ends: asyncio.TimerHandle | None = None
        self._left_bytes = MOST_BYTES

    def close(self) -> None:
        """Flush and close the sending side; close fully once the client has closed too, or after `LINGERS_S`."""
        if self.is_closing():
            return
        if not (self._is_unread() and self._transport.can_write_eof()):
            self._transport.close()
            return
        self._ends = self._loop.call_later(LINGERS_S, self._transport.abort)
        self._transport.write_eof()
        # uvicorn pauses reading while a request's body waits.
        self._transport.resume_reading()

    def close_now(self) -> None:
        """Close without draining."""
        self._transport.close()

    def discards(self, data: bytes) -> bool:
        """Return whether received bytes are to be dropped because the connection is closing."""
        if self._ends is None:
            return False
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            self._transport.abort()
        return True

    def end(self) -> None:
        """Cancel the time-out: the connection is gone."""
        if self._ends is not None:
            self._ends.cancel()

    def is_closing(self) -> bool:
        """Return whether the sending side is closed or closing."""
        return self._ends is not None or self._transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send bytes."""
        self._transport.write(data)

    def abort(self) -> None:
        """Close at once, dropping unsent bytes."""
        self._transport.abort()

    def pause_reading(self) -> None:
        """Pause receiving."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume receiving."""
        self._transport.resume_reading()

    def get_write_buffer_size(self) -> int:
        """Return the number of unsent bytes."""
        return self._transport.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return a named item of information on the transport, or `default`."""
        return self._transport.get_extra_info(name, default)


MOST: Final = 512
"""The largest number of connections in total; a page keeps one open, and a few more briefly. Most systems allow 1024
descriptors."""
SHARE: Final = 128
"""The largest number of connections of one address without the key."""


class Connection(Protocol):
    """A connection, with the properties by which it is kept or closed."""

    @property
    def address(self) -> str:
        """The client's address."""

    @property
    def keyed(self) -> bool:
        """True if a request over it had the table's key."""

    @property
    def busy(self) -> bool:
        """True while a request over it is being answered."""

    def drop(self) -> None:
        """Close it at once."""


class Connections:
    """All open connections. A new one is never refused, as its request may have the key; another is closed for it.

    Connections of the address with the most keyless ones are closed first; among these, idle ones before busy ones,
    least recently active first.
    nginx makes room in a similar way, by closing its oldest idle connections.

    Args:
        most: the largest number of connections in total.
        share: the largest number of connections without the key of one address.
    """

    def __init__(self, most: int = MOST, share: int = SHARE) -> None:
        self._most, self._share = most, share
        # In the order of their last activity.
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, fresh: Connection) -> None:
        """Add a new connection; another may be closed for it."""
        of_address = [each for each in self._open if each.address == fresh.address and not each.keyed]
        if len(of_address) >= self._share:
            self._drop(of_address)
        elif len(self._open) >= self._most:
            # If all have the key, one of these must go.
            self._drop(self._heaviest() or self._open)
        self._open[fresh] = None

    def refresh(self, connection: Connection) -> None:
        """Mark a connection as active."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    def discard(self, connection: Connection) -> None:
        """Remove a closed connection."""
        self._open.pop(connection, None)

    def _heaviest(self) -> list[Connection]:
        """Return the keyless connections of the address with the most of them, least recently active first."""
        keyless = [each for each in self._open if not each.keyed]
        counted = Counter(each.address for each in keyless).most_common(1)
        return [each for each in keyless if each.address == counted[0][0]] if counted else []

    def _drop(self, candidates: Iterable[Connection]) -> None:
        # `min` takes the first of equals, the least recently active one.
        least = min(candidates, key=lambda each: each.busy)
        self.discard(least)
        least.drop()


HEAD_IN_S: Final = 10.0
"""The time-out for a request's head, from connecting or its first byte on; browsers also open spare connections."""
BODY_IN_S: Final = 30.0
"""The time-out for a request's body, enough for a photograph over a slow wireless network."""
IDLE_S: Final = 15
"""The time for which a connection may wait for another request."""


class BoundedProtocol(H11Protocol):
    """A connection that clients cannot hold open without use.

    uvicorn's time-out for idle connections starts after the first response and is cancelled by any byte; this one has
    a deadline for everything that it waits for.

    Args:
        connections: all connections of the server.
        has_key: returns whether a request has the table's key.
        config, server_state, app_state, _loop: uvicorn's.
    """

    def __init__(
        self,
        connections: Connections,
        has_key: Callable[[Scope], bool],
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._connections, self._has_key = connections, has_key
        self._served: ASGIApp = config.loaded_app
        self.app = self._serve
        self.address, self.keyed = "", False
        self._awaited = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._lingering: LingeringTransport | None = None

    @property
    def busy(self) -> bool:
        """True while a request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def drop(self) -> None:
        """Close at once; a response that is fully sent still arrives."""
        # A client that does not read would hold the connection until the time-out of the kernel.
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        elif self._lingering is not None:
            self._lingering.close_now()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Register the connection, and wait for the first request."""
        self._lingering = LingeringTransport(transport, self._is_unread, self.loop)
        super().connection_made(self._lingering)
        self.address = address_of({"client": self.client})
        self._connections.admit(self)
        self._await("head", HEAD_IN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, and cancel its deadline."""
        self._connections.discard(self)
        self._await("", 0.0)
        if self._lingering is not None:
            self._lingering.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received bytes, whole requests or parts of them."""
        if self._lingering is not None and self._lingering.discards(data):
            return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Mark the connection as active, and wait for the next request."""
        super().on_response_complete()
        self._connections.refresh(self)
        self._watch()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Once is enough: a browser may send some requests without its cookie.
        self.keyed = self.keyed or self._has_key(scope)
        await self._served(scope, receive, send)

    def _is_unread(self) -> bool:
        return self.conn.their_state in (h11.SEND_BODY, h11.ERROR)

    def _watch(self) -> None:
        """Set the deadline for what the client must send next: the head, the body, or another request."""
        if self.transport.is_closing() or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._await("", 0.0)
        elif self.conn.their_state is h11.SEND_BODY:
            self._await("body", BODY_IN_S)
        # Part of a head has arrived, or nothing yet.
        elif self.conn.trailing_data[0] or self.cycle is None:
            self._await("head", HEAD_IN_S)
        else:
            self._await("request", IDLE_S)

    def _await(self, awaited: str, patience_s: float) -> None:
        # Not restarted by further bytes, by which a client could hold the connection open for ever.
        if awaited == self._awaited:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        self._awaited = awaited
        self._deadline = self.loop.call_later(patience_s, self.drop) if awaited else None
