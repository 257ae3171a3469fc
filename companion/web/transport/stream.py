"""Server-sent events: the hub's messages to one browser."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from companion.languages import ENGLISH

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from companion.languages import Language
    from companion.web.transport.hub import Message, Subscription

KEEPALIVE_S: Final = 15.0
"""The idle time after which a comment is sent, so that nothing between closes the connection as dead."""
SLOWEST_S: Final = 10.0
"""The time-out for a browser to read what is sent; it reconnects by itself."""
BYE: Final = "bye"
"""The topic of the last message of a stream."""
_RETRY: Final = b"retry: 1000\n\n"
"""In ms: browsers' own pause before they reconnect is several seconds."""


class EventStream(Response):
    """The event stream to one browser.

    Args:
        subscription: the messages to send; it is closed at the end.
        language: the reader's language.
        keepalive_s: see KEEPALIVE_S.
        slowest_s: see SLOWEST_S.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        subscription: Subscription,
        language: Language = ENGLISH,
        keepalive_s: float = KEEPALIVE_S,
        slowest_s: float = SLOWEST_S,
    ) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        # Starlette sets it to the length of the empty body.
        del self.headers["content-length"]
        self._subscription, self._language = subscription, language
        self._keepalive_s, self._slowest_s = keepalive_s, slowest_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send messages until the browser leaves, reads too slowly, or the evening's last message is sent."""
        del scope
        leaving = asyncio.create_task(_left(receive))
        # Wakes the wait for messages, which would otherwise notice only at its time-out that the browser has left.
        leaving.add_done_callback(lambda _: self._subscription.wake())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._send(send, _RETRY)
            await self._follow(leaving, send)
        except TimeoutError:
            pass  # The browser reads too slowly: the connection ends with the response unfinished.
        finally:
            leaving.cancel()
            self._subscription.close()

    async def _follow(self, leaving: asyncio.Task[None], send: Send) -> None:
        bye = False
        while not bye:
            messages = await self._subscription.next(self._keepalive_s)
            if leaving.done():
                return
            block = b"".join(_event(message, self._language) for message in messages)
            await self._send(send, block or b": still there\n\n")
            bye = any(message.topic == BYE for message in messages)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, body: bytes) -> None:
        # The server's send waits while the browser does not read.
        async with asyncio.timeout(self._slowest_s):
            await send({"type": "http.response.body", "body": body, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(message: Message, language: Language) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (message.topic.encode(), message.in_language(language))
