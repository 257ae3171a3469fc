"""The connection to a friend's table over a broker, in a thread of its own that reconnects until it is closed."""

import logging
import random
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Condition, Event, Thread
from typing import Final, Self

from companion.languages import reason, said
from companion.mqtt.link import Arrived, Connect, Hello, Link, LinkError, Lost, News, Published
from companion.mqtt.messages import OFFLINE, ONLINE, FriendTopics
from hardware.reconnecting import Backoff

_LOG: Final = logging.getLogger(__name__)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0
# The longest time for which an unresponsive broker delays the end of the program.
_ENDS_IN_S: Final = 5.0
_CONFIRMS_IN_S: Final = 2.0


class BrokerLine:
    """A friend's line over a broker; see `companion.play.session.FriendLine`. It connects between `with` and its end.

    Args:
        topics: the game's topics.
        friend: the friend's seat.
        connect: opens a connection.
    """

    def __init__(self, topics: FriendTopics, friend: int, connect: Connect) -> None:
        self._topics, self._friend, self._own, self._connect = topics, friend, 3 - friend, connect
        self._changed = Condition()
        self._newest: bytes | None = None
        self._is_there: bool | None = None
        self._seen: bytes | None = None
        self._outgoing: bytes | None = None
        self._is_last = False
        self._sent = True
        self._closing = Event()
        self._received: SimpleQueue[News | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="friend", daemon=True)
        self.fault = ""

    @property
    def newest(self) -> bytes | None:
        """See `FriendLine`."""
        with self._changed:
            return self._newest

    @property
    def is_there(self) -> bool | None:
        """See `FriendLine`."""
        with self._changed:
            return self._is_there

    def publish(self, message: bytes, *, is_last: bool) -> None:
        """See `FriendLine`."""
        with self._changed:
            self._outgoing, self._is_last, self._sent = message, is_last, False
        self._received.put(None)

    def wait(self, seconds: float) -> bool:
        """See `FriendLine`."""
        with self._changed:
            is_new = self._changed.wait_for(lambda: self._newest != self._seen, seconds)
            self._seen = self._newest
        return is_new

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # The friend needs the last decision of a game that ends here.
        with self._changed:
            self._changed.wait_for(lambda: self._sent, _ENDS_IN_S)
        self._closing.set()
        self._received.put(None)
        self._thread.join(_ENDS_IN_S)

    def _run(self) -> None:
        """Connect again and again until the line is closed."""
        backoff = Backoff(_FIRST_WAIT_S, _LONGEST_WAIT_S)
        while not self._closing.is_set():
            try:
                self._serve_connection()
                backoff.succeeded()
            except LinkError as error:
                says = reason(error)
                if says != self.fault:
                    self.fault = says
                    _LOG.warning(said("your friend’s table cannot be reached: {fault}", fault=says))
            self._set(is_there=None)
            self._closing.wait(backoff.failed() * random.uniform(0.5, 1.0))

    def _serve_connection(self) -> None:
        """Serve one connection until it is lost or the line is closed."""
        topics, received = self._topics, self._received = self._topics, SimpleQueue[News | None]()
        hello = Hello(f"quilt-{topics.code}-{self._own}", topics.availability(self._own), OFFLINE)
        link = self._connect(hello, received.put)
        self.fault = ""
        try:
            link.subscribe(topics.log(self._friend))
            link.subscribe(topics.availability(self._friend))
            link.publish(topics.availability(self._own), ONLINE, retain=True)
            in_flight = self._send(link)
            while not self._closing.is_set():
                news = _next(received)
                if isinstance(news, Lost):
                    return
                if isinstance(news, Arrived):
                    self._arrived(news)
                elif isinstance(news, Published):
                    self._acknowledge(in_flight, news.number)
                in_flight = {**in_flight, **self._send(link)} if self._is_due(in_flight) else in_flight
            link.publish(topics.availability(self._own), OFFLINE, retain=True)
        finally:
            link.close()
        with self._changed:
            is_last = self._is_last
        # Again if the connection is cut: some versions of Mosquitto do that to a client that removes its messages.
        if is_last and not withdraw(topics, self._own, self._connect):
            withdraw(topics, self._own, self._connect)

    def _is_due(self, in_flight: dict[int, bytes]) -> bool:
        with self._changed:
            return self._outgoing is not None and not self._sent and self._outgoing not in in_flight.values()

    def _send(self, link: Link) -> dict[int, bytes]:
        """Send the newest message of this table, if there is one; return it by its number."""
        with self._changed:
            outgoing = self._outgoing
        if outgoing is None:
            return {}
        return {link.publish(self._topics.log(self._own), outgoing, retain=True): outgoing}

    def _acknowledge(self, in_flight: dict[int, bytes], number: int) -> None:
        sent = in_flight.pop(number, None)
        with self._changed:
            self._sent = self._sent or sent == self._outgoing
            self._changed.notify_all()

    def _arrived(self, message: Arrived) -> None:
        if message.topic == self._topics.availability(self._friend):
            self._set(is_there=message.payload == ONLINE)
        elif message.topic == self._topics.log(self._friend) and message.payload:
            with self._changed:
                self._newest = message.payload
                self._changed.notify_all()

    def _set(self, *, is_there: bool | None) -> None:
        with self._changed:
            self._is_there = is_there
            self._changed.notify_all()


def withdraw(topics: FriendTopics, own: int, connect: Connect) -> bool:
    """Remove a table's messages of a game from the broker; return False if the broker does not confirm it.

    It needs a connection without a last will, which a connection that is cut would leave there.

    Args:
        topics: the game's topics.
        own: the table's seat.
        connect: opens a connection.
    """
    news: SimpleQueue[News] = SimpleQueue()
    try:
        link = connect(Hello(f"quilt-{topics.code}-{own}"), news.put)
    except LinkError:
        return False
    try:
        sent = {link.publish(topic, b"", retain=True) for topic in (topics.log(own), topics.availability(own))}
        while sent:
            told = news.get(timeout=_CONFIRMS_IN_S)
            if not isinstance(told, Published):
                return False
            sent.discard(told.number)
    except (Empty, LinkError):
        return False
    finally:
        link.close()
    return True


def _next(received: SimpleQueue[News | None]) -> News | None:
    with suppress(Empty):
        return received.get(timeout=1.0)
    return None
