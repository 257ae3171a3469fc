"""The end of a connection whose other side still sends: its bytes are read and dropped, so that it hears the answer.

A socket that is closed with unread bytes resets the connection, and the answer on its way is lost with it (RFC 9112,
section 9.6); nginx lingers likewise.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

LINGERS_S: Final = 20.0
MOST_BYTES: Final = 64 << 20
"""Who sends more than this to no purpose is cut off."""


class LingeringTransport(asyncio.Transport):
    """A transport that, when it is closed, first hears out what is still sent.

    Args:
        transport: the connection's.
        is_unread: tells whether more of a request is to come.
        loop: the server's.
    """

    def __init__(
        self, transport: asyncio.Transport, is_unread: Callable[[], bool], loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__()
        self._transport, self._is_unread, self._loop = transport, is_unread, loop
        self._ends: asyncio.TimerHandle | None = None
        self._left_bytes = MOST_BYTES

    def close(self) -> None:
        """Send the rest and the end; close when the other side has ended, too, or has taken too long."""
        if self.is_closing():
            return
        if not (self._is_unread() and self._transport.can_write_eof()):
            self._transport.close()
            return
        self._ends = self._loop.call_later(LINGERS_S, self._transport.abort)
        self._transport.write_eof()
        self._transport.resume_reading()

    def close_now(self) -> None:
        """Close without hearing anything out."""
        self._transport.close()

    def discards(self, data: bytes) -> bool:
        """Return whether bytes that came are of no use any more."""
        if self._ends is None:
            return False
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            self._transport.abort()
        return True

    def end(self) -> None:
        """Stop waiting: the connection is gone."""
        if self._ends is not None:
            self._ends.cancel()

    def is_closing(self) -> bool:
        """Return whether nothing more can be said."""
        return self._ends is not None or self._transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send bytes."""
        self._transport.write(data)

    def abort(self) -> None:
        """Close at once, and lose what is not sent yet."""
        self._transport.abort()

    def pause_reading(self) -> None:
        """Take no more bytes for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take bytes again."""
        self._transport.resume_reading()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes are not sent yet."""
        return self._transport.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the connection, by name."""
        return self._transport.get_extra_info(name, default)
