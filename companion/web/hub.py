"""Hands the newest message of each topic to everybody who listens; whoever is slow misses what was overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from companion.languages import ENGLISH

if TYPE_CHECKING:
    from companion.languages import Language


class CrowdedError(Exception):
    """As many listen already as may."""


class Telling:
    """Data in every language: made when somebody first wants it in one, and once, for however many.

    Args:
        make: gives the data in a language, UTF-8 without line breaks; it may be called in any thread, one at a time.
    """

    def __init__(self, make: Callable[[Language], bytes]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: dict[str, bytes] = {}

    def __call__(self, language: Language) -> bytes:
        """The data for readers of a language."""
        with self._lock:
            made = self._made.get(language.code)
            if made is None:
                made = self._made[language.code] = self._make(language)
            return made


Data: TypeAlias = bytes | Telling


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent to every page.

    Attributes:
        number: rises with every message.
        topic: newer messages of a topic replace older ones.
        data: UTF-8 without line breaks, the same for everybody or in each reader's language.
    """

    number: int
    topic: str
    data: Data

    def told(self, language: Language) -> bytes:
        """The data for readers of a language."""
        return self.data if isinstance(self.data, bytes) else self.data(language)


class Hub:
    """Any thread may publish; listening belongs to one event loop.

    Args:
        capacity: how many may listen at once.
    """

    def __init__(self, capacity: int = 128) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._latest: dict[str, Message] = {}
        self._number = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: set[Subscription] = set()

    @property
    def listening(self) -> int:
        """How many listen."""
        return len(self._listening)

    def publish(self, topic: str, data: Data) -> None:
        """Let everybody have it who is not busy with something newer; never waits."""
        with self._lock:
            self._number += 1
            self._latest[topic] = Message(self._number, topic, data)
            loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # The loop was closed meanwhile: nobody listens any more.
                loop.call_soon_threadsafe(self._wake)

    def latest(self, topic: str, language: Language = ENGLISH) -> bytes | None:
        """The newest message of a topic, in a language; None where there was none."""
        with self._lock:
            message = self._latest.get(topic)
        return None if message is None else message.told(language)

    def subscribe(self) -> Subscription:
        """Begin to listen, from within the event loop.

        Raises:
            CrowdedError: as many listen already as may.
        """
        if len(self._listening) >= self._capacity:
            raise CrowdedError
        with self._lock:
            self._loop = asyncio.get_running_loop()
        subscription = Subscription(self)
        self._listening.add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End listening; may be called more than once."""
        self._listening.discard(subscription)

    def after(self, number: int) -> list[Message]:
        """The newest message of each topic that came after `number`, in order."""
        with self._lock:
            fresh = [message for message in self._latest.values() if message.number > number]
        return sorted(fresh, key=lambda message: message.number)

    def _wake(self) -> None:
        for subscription in self._listening:
            subscription.wake()


class Subscription:
    """One listener; it may be slow."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._seen = 0
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look for news, or notice that the listener has gone."""
        self._news.set()

    async def next(self, timeout_s: float) -> list[Message]:
        """What came since the last call; empty where nothing did for `timeout_s`, or after an idle `wake`."""
        fresh = self._hub.after(self._seen)
        if not fresh:
            # No task of its own, as `wait_for` makes one: with fifty pages open they are what takes the time.
            with suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._news.wait()
            fresh = self._hub.after(self._seen)
        self._news.clear()
        if fresh:
            self._seen = fresh[-1].number
        return fresh

    def close(self) -> None:
        """End listening; may be called more than once."""
        self._hub.unsubscribe(self)
