"""Closing of a connection whose client still sends: its bytes are read and dropped, so that it gets the response.

Closing a socket with unread bytes resets the connection, and a response in flight is lost (RFC 9112, section 9.6);
nginx has a lingering close for the same reason.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

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
