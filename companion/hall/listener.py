"""The hall's connection to the broker: receives all tables' messages, publishes announcements, and reconnects."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final, TypeAlias

import msgspec

from companion.languages import reason
from companion.mqtt.link import Arrived, Connect, Hello, Link, LinkError, Lost, News
from companion.mqtt.messages import OFFLINE, ONLINE, AnnouncementMessage, HallTopics, ResendMessage, TableTopics
from hardware.reconnecting import Backoff

_LOG: Final = logging.getLogger(__name__)
_TICK_S: Final = 0.25
_BATCH: Final = 500
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 10.0
_ENDS_IN_S: Final = 3.0

Announced: TypeAlias = "Mapping[str, str]"
"""The announcements in force: texts by table, with "" for all tables."""


class ListenerThread:
    """A thread that keeps a connection to the broker.

    Args:
        topics: the hall's topics.
        connect: opens a connection.
        take: processes messages in order; it also gets empty batches from time to time.
        announced: returns the announcement of every known table, empty for none, or None if they are unknown now.

    Attributes:
        connected: set while it is connected.
        beat_s: when the thread last came round, on the monotonic clock.
    """

    def __init__(
        self,
        topics: HallTopics,
        connect: Connect,
        take: Callable[[Sequence[Arrived]], None],
        announced: Callable[[], Announced | None],
    ) -> None:
        self._topics, self._connect, self._take, self._announced = topics, connect, take, announced
        self._closing, self._announcements_due = Event(), Event()
        self._link: Link | None = None
        self._logged_outages: set[str] = set()
        self._published: dict[str, str] = {}
        self._thread = Thread(target=self._run, name="hall", daemon=True)
        self.connected: Final = Event()
        self.beat_s = time.monotonic()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Publish "offline" and end the thread; may be called more than once."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(_ENDS_IN_S)

    def announce(self) -> None:
        """Schedule an update of the announcements on the broker; never waits."""
        self._announcements_due.set()

    def ask(self, table: str, request: ResendMessage) -> None:
        """Send a table a request to resend events; call it from `take`."""
        if self._link is not None:
            self._link.publish(TableTopics(self._topics.prefix, table).resend, msgspec.json.encode(request))

    def _run(self) -> None:
        backoff = Backoff(_FIRST_WAIT_S, _LONGEST_WAIT_S)
        while not self._closing.is_set():
            self.beat_s = time.monotonic()
            try:
                self._serve_connection()
                backoff.succeeded()
            except LinkError as error:
                self._log_outage(reason(error))
            except Exception:
                # Whatever the error is: the other tables must be heard again.
                _LOG.exception("the connection is opened anew")
            self._closing.wait(backoff.failed())

    def _serve_connection(self) -> None:
        """Serve one connection until it is lost."""
        received: SimpleQueue[News] = SimpleQueue()
        hello = Hello(f"quilt-hall-{self._topics.prefix}", self._topics.availability, OFFLINE)
        link = self._link = self._connect(hello, received.put)
        self._logged_outages.clear()
        # The broker may have lost what it retained.
        self._published.clear()
        try:
            for topic in self._topics.followed:
                link.subscribe(topic)
            link.publish(self._topics.availability, ONLINE, retain=True)
            self._announcements_due.set()
            self.connected.set()
            while not self._closing.is_set():
                self.beat_s = time.monotonic()
                waiting = _waiting(received)
                self._take([each for each in waiting if isinstance(each, Arrived)])
                lost = next((each for each in waiting if isinstance(each, Lost)), None)
                if lost is not None:
                    self._log_outage(lost.reason)
                    return
                self._publish_announcements(link)
            # The last will is not sent for a connection that is closed properly.
            link.publish(self._topics.availability, OFFLINE, retain=True)
        finally:
            self._link = None
            self.connected.clear()
            link.close()

    def _publish_announcements(self, link: Link) -> None:
        """Publish changed announcements as retained messages, and clear withdrawn ones, if an update is due."""
        if not self._announcements_due.is_set():
            return
        # Cleared first: an announcement made while these are read schedules another update.
        self._announcements_due.clear()
        standing = self._announced()
        if standing is None:
            self._announcements_due.set()
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        for table, text in standing.items():
            if self._published.get(table) == text:
                continue
            self._published[table] = text
            topics = TableTopics(self._topics.prefix, table)
            topic = topics.announcement if table else self._topics.announcement
            payload = msgspec.json.encode(AnnouncementMessage(text, now)) if text else b""
            link.publish(topic, payload, retain=True)

    def _log_outage(self, says: str) -> None:
        """Log each reason of an outage once."""
        if says not in self._logged_outages:
            _LOG.warning("the tables are not heard: %s", says)
        self._logged_outages.add(says)


def _waiting(received: SimpleQueue[News]) -> list[News]:
    """Return up to `_BATCH` received items; wait up to `_TICK_S` for the first."""
    found: list[News] = []
    with suppress(Empty):
        found.append(received.get(timeout=_TICK_S))
        while len(found) < _BATCH:
            found.append(received.get_nowait())
    return found
