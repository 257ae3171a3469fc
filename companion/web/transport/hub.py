"""The hub between the turn loop and browsers; a slow listener gets only the newest message of each topic."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Final, TypeAlias

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from companion.languages import ENGLISH, Language

KEEPALIVE_S: Final = 15.0
"""The idle time after which a comment is sent, so that nothing between closes the connection as dead."""
SLOWEST_S: Final = 10.0
"""The time-out for a browser to read what is sent; it reconnects by itself."""
BYE: Final = "bye"
"""The topic of the last message of a stream."""
# In ms: browsers' own pause before they reconnect is several seconds.
_RETRY: Final = b"retry: 1000\n\n"


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
        subscription: "Subscription",
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
        """Send messages until the browser leaves, reads too slowly, or the session's last message is sent."""
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


def _event(message: "Message", language: Language) -> bytes:
    name = message.topic.partition("/")[0]
    return b"event: %s\ndata: %s\n\n" % (name.encode(), message.in_language(language))


KEYED: Final = 64
"""The largest number of listeners with the table's key."""
SPECTATORS: Final = 384
"""The largest number of listeners without the key; together with those who have it, fewer than the server's
connections."""
SPECTATORS_OF_ADDRESS: Final = 96
"""The largest number of spectators of one address."""
SENDS_PER_S: Final = 300.0
"""The largest number of sends a second to all spectators together, so that more of them do not cost more CPU time."""


class CrowdedError(Exception):
    """Raised if the largest number of listeners is reached."""


class LocalizedData:
    """Data in every language, made for each language on first use.

    Args:
        make: returns the data in a language, UTF-8 without line breaks; called from any thread, one at a time.
    """

    def __init__(self, make: Callable[[Language], bytes]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: dict[str, bytes] = {}

    def __call__(self, language: Language) -> bytes:
        """Return the data for readers of a language."""
        with self._lock:
            made = self._made.get(language.code)
            if made is None:
                made = self._made[language.code] = self._make(language)
            return made


Data: TypeAlias = bytes | LocalizedData


@dataclass(frozen=True, slots=True)
class Message:
    """A message to every page.

    Attributes:
        number: increases with every message.
        topic: newer messages of a topic replace older ones; browsers get its part before a slash as the event's name.
        data: UTF-8 without line breaks, one for all readers or localized.
    """

    number: int
    topic: str
    data: Data

    def in_language(self, language: Language) -> bytes:
        """Return the data for readers of a language."""
        return self.data if isinstance(self.data, bytes) else self.data(language)


class Hub:
    """A publisher of messages to listeners. Any thread may publish; all listeners belong to one event loop.

    Args:
        keyed: see KEYED.
        spectators: see SPECTATORS.
        of_address: see SPECTATORS_OF_ADDRESS.
        sends_per_s: see SENDS_PER_S.
    """

    def __init__(
        self,
        keyed: int = KEYED,
        spectators: int = SPECTATORS,
        of_address: int = SPECTATORS_OF_ADDRESS,
        sends_per_s: float = SENDS_PER_S,
    ) -> None:
        self._most_keyed, self._most_spectators, self._most_of_address = keyed, spectators, of_address
        self._sends_per_s = sends_per_s
        self._spectators: Counter[str] = Counter()
        self._lock = Lock()
        self._latest: dict[str, Message] = {}
        self._number = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: set[Subscription] = set()

    @property
    def listening(self) -> int:
        """The number of listeners."""
        return len(self._listening)

    @property
    def spectators_wait_s(self) -> float:
        """The least time between two sends to a spectator, which keeps all together within `sends_per_s`."""
        return self._spectators.total() / self._sends_per_s

    def publish(self, topic: str, data: Data) -> None:
        """Publish a message to all listeners; never waits."""
        with self._lock:
            self._number += 1
            self._latest[topic] = Message(self._number, topic, data)
            loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # The loop was closed meanwhile, with all listeners.
                loop.call_soon_threadsafe(self._wake)

    def latest(self, topic: str, language: Language = ENGLISH) -> bytes | None:
        """Return the newest message of a topic, in a language, or None if there was none."""
        with self._lock:
            message = self._latest.get(topic)
        return None if message is None else message.in_language(language)

    def subscribe(self, address: str = "", *, keyed: bool = False) -> "Subscription":
        """Begin to listen; call it from within the event loop.

        Args:
            address: the listener's address.
            keyed: whether it has the table's key.

        Raises:
            CrowdedError: the largest number of listeners is reached.
        """
        if self._is_crowded(address, keyed=keyed):
            raise CrowdedError
        with self._lock:
            # The server's loop is not known before its first listener.
            self._loop = asyncio.get_running_loop()
        subscription = Subscription(self, None if keyed else address)
        self._listening.add(subscription)
        if not keyed:
            self._spectators[address] += 1
        return subscription

    def unsubscribe(self, subscription: "Subscription") -> None:
        """End listening; may be called more than once."""
        if subscription not in self._listening:
            return
        self._listening.discard(subscription)
        if subscription.spectates_from is not None:
            # Subtraction drops addresses at zero, so that they do not pile up.
            self._spectators -= Counter({subscription.spectates_from: 1})

    def after(self, number: int) -> list[Message]:
        """Return the newest message of each topic that came after `number`, in order."""
        with self._lock:
            fresh = [message for message in self._latest.values() if message.number > number]
        return sorted(fresh, key=lambda message: message.number)

    def _is_crowded(self, address: str, *, keyed: bool) -> bool:
        spectators = self._spectators.total()
        if keyed:
            return len(self._listening) - spectators >= self._most_keyed
        return spectators >= self._most_spectators or self._spectators[address] >= self._most_of_address

    def _wake(self) -> None:
        for subscription in self._listening:
            subscription.wake()


class Subscription:
    """One listener of the hub; it may be slow.

    Args:
        hub: the hub that it listens to.
        spectates_from: the listener's address, or None if it has the table's key.
    """

    def __init__(self, hub: Hub, spectates_from: str | None = None) -> None:
        self._hub = hub
        self.spectates_from = spectates_from
        self._seen = 0
        self._got_at_s = -math.inf
        self._arrived = asyncio.Event()

    def wake(self) -> None:
        """End the wait of `next`, for new messages or because the listener has left."""
        self._arrived.set()

    async def next(self, timeout_s: float) -> list[Message]:
        """Return the newest message of each topic since the last call; empty after `timeout_s` or a `wake` without any.

        Spectators wait longer the more of them there are; see `Hub.spectators_wait_s`.
        """
        # Before reading, so that what is sent after the pause is the newest state.
        await self._keep_pace()
        fresh = self._hub.after(self._seen)
        if not fresh:
            # Not `wait_for`, which creates a task: with fifty pages open these tasks would take most of the CPU time.
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._arrived.wait()
            fresh = self._hub.after(self._seen)
        # Nothing is missed by clearing afterwards: the wake-up for a message not read yet runs in this loop, later.
        self._arrived.clear()
        if fresh:
            self._seen, self._got_at_s = fresh[-1].number, asyncio.get_running_loop().time()
        return fresh

    async def _keep_pace(self) -> None:
        if self.spectates_from is None:
            return
        wait_s = self._got_at_s + self._hub.spectators_wait_s - asyncio.get_running_loop().time()
        if wait_s > 0:
            await asyncio.sleep(wait_s)

    def close(self) -> None:
        """End listening; may be called more than once."""
        self._hub.unsubscribe(self)
