"""HTTP over one connection: uvicorn's protocol with deadlines and a lingering close."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from companion.web.access.guard import address_of
from companion.web.transport.lingering import LingeringTransport

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Receive, Scope, Send
    from uvicorn import Config
    from uvicorn.server import ServerState

    from companion.web.transport.connections import Connections

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
        self._served = self.app
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
