"""The courier between a table and its broker, in the only thread that waits for the network."""

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final

import msgspec

from companion.languages import reason, said
from companion.mqtt.link import Arrived, Connect, Hello, Link, LinkError, Lost, News, Published
from companion.mqtt.messages import (
    OFFLINE,
    ONLINE,
    AnnouncementMessage,
    HallTopics,
    MessageError,
    PressMessage,
    ResendMessage,
    StateMessage,
    TableTopics,
    read_message,
)
from companion.mqtt.outbox import OUTBOX_NAME, Outbox, OutboxError
from companion.play.events import NOTHING_ASKED
from companion.play.inbox import PressButton
from hardware.ports import Button
from hardware.reconnecting import Backoff

_LOG: Final = logging.getLogger(__name__)
WINDOW: Final = 20
"""The largest number of unacknowledged events, which is also the default limit of brokers per client."""
# The number of short connections in a row after which another client with the same identifier is suspected: a broker
# disconnects the older of two.
_SUSPICIOUS: Final = 4
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0
"""The time between attempts to reach the broker, which doubles up to the longest."""
PICTURES_EVERY_S: Final = 10.0
_BUTTONS: Final = frozenset(Button)
# The largest number of events by which a restored older outbox may lag behind a receiver; thousands of evenings.
_FURTHEST: Final = 1_000_000
# The longest wait for news, after which a picture may be due.
_TICK_S: Final = 0.5
# The longest time for which an unresponsive broker delays the end of the program.
_ENDS_IN_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class CurrentState:
    """A table's state at one moment.

    Attributes:
        encoded: the state as an encoded message.
        asked: the number of the open question, or `NOTHING_ASKED`.
    """

    encoded: bytes
    asked: int = NOTHING_ASKED


@dataclass(frozen=True, slots=True)
class CourierHooks:
    """The messages and callbacks that a courier handles for a table.

    Attributes:
        topics: the table's topics.
        hall: the hall's topics.
        state: returns the table's current state.
        greetings: messages published as retained at each connection, by topic, such as those for discovery.
        pressed: called with a press; None if remote presses are not allowed.
        announced: called with the announcements in force, the one to all tables first.
        picture: returns the newest picture as JPEG, or None if there is none; None if pictures are not published.
        birth: the topic of a client, such as Home Assistant, for which the greetings are published again when it
            becomes "online"; or None.
    """

    topics: TableTopics
    hall: HallTopics
    state: Callable[[], CurrentState] = lambda: CurrentState(b"")
    greetings: Mapping[str, bytes] = field(default_factory=dict)
    pressed: Callable[[PressButton], None] | None = None
    announced: Callable[[Sequence[AnnouncementMessage]], None] = lambda _: None
    picture: Callable[[], bytes | None] | None = None
    birth: str | None = None


class Courier:
    """A thread that publishes a table's events, in order, and its state to a broker, and receives requests.

    Args:
        hooks: the messages and callbacks to handle.
        connect: opens a connection.
        outbox: opens the outbox; called in the courier's thread, and again after an error.
    """

    def __init__(self, hooks: CourierHooks, connect: Connect, outbox: Callable[[], Outbox]) -> None:
        self._hooks, self._connect, self._open_outbox = hooks, connect, outbox
        self._received: SimpleQueue[News | None] | None = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="mqtt", daemon=True)
        self._announcements: dict[str, AnnouncementMessage] = {}
        self._logged_outages: set[str] = set()
        self._cuts = 0

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Have new events and the new state published; never waits."""
        # Read once: the courier's thread may set it to None at any time.
        received = self._received
        if received is not None:
            received.put(None)

    def close(self) -> None:
        """Publish "offline" and end the thread; may be called more than once."""
        self._closing.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(_ENDS_IN_S)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with self._open_outbox() as outbox:
                    self._reconnect_loop(outbox)
            except OutboxError as error:
                _LOG.error("nothing is sent until it can be used again: %s", reason(error))  # The sentence says it all.
                self._closing.wait(_LONGEST_WAIT_S)

    def _reconnect_loop(self, outbox: Outbox) -> None:
        """Connect again and again until the courier is closed."""
        backoff = Backoff(_FIRST_WAIT_S, _LONGEST_WAIT_S)
        while not self._closing.is_set():
            began_s = time.monotonic()
            try:
                self._serve_connection(outbox)
            except LinkError as error:
                self._log_outage(reason(error))
            # A broker that accepts and then cuts each connection is not back; one that stayed for a while was.
            if time.monotonic() - began_s > _LONGEST_WAIT_S:
                backoff.succeeded()
            # Random, so that the tables of a hall do not all reconnect at once.
            self._closing.wait(backoff.failed() * random.uniform(0.5, 1.0))

    def _serve_connection(self, outbox: Outbox) -> None:
        """Serve one connection until it is lost or the courier is closed."""
        topics = self._hooks.topics
        hello = Hello(f"quilt-{topics.table}-{outbox.source[:8]}", topics.availability, OFFLINE)
        received: SimpleQueue[News | None] = SimpleQueue()
        link = self._connect(hello, received.put)
        began_s = time.monotonic()
        # Not earlier: what was added while connecting is sent by `begin`, without being woken.
        self._received = received
        try:
            if self._logged_outages:
                _LOG.warning("the broker is there again")
            self._logged_outages.clear()
            session = BrokerSession(self._hooks, link, outbox, self._announcements)
            session.begin()
            while not self._closing.is_set():
                session.step(_waiting(received))
            session.end()
        except _LostError as error:
            self._log_outage(str(error))
            self._cuts = self._cuts + 1 if time.monotonic() - began_s < _LONGEST_WAIT_S else 0
            if self._cuts == _SUSPICIOUS:
                _LOG.warning(said(
                    "the broker cuts each connection soon: does a copy of this card play under the name {table}, too? "
                    "Give it its own {key} in {section}, and delete its {file}",
                    table=topics.table, key="table", section="[mqtt]", file=OUTBOX_NAME,
                ))  # fmt: skip
        finally:
            self._received = None
            link.close()

    def _log_outage(self, says: str) -> None:
        """Log each reason of an outage once, however often connecting is tried."""
        if says not in self._logged_outages:
            _LOG.warning("what happens is kept until the broker is there: %s", says)
        self._logged_outages.add(says)


class _LostError(Exception):
    """Raised if the connection is lost."""


class BrokerSession:
    """The courier's work during one connection; its methods never wait.

    Args:
        hooks: the messages and callbacks to handle.
        link: the connection.
        outbox: the table's events.
        announcements: the announcements in force, by topic; shared by all connections.
        clock: monotonic, in seconds.
    """

    def __init__(
        self,
        hooks: CourierHooks,
        link: Link,
        outbox: Outbox,
        announcements: dict[str, AnnouncementMessage],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hooks, self._link, self._outbox, self._clock = hooks, link, outbox, clock
        self._announcements = announcements
        # Events that were sent but not acknowledged before the connection was lost are sent again.
        self._cursor = outbox.delivered
        self._in_flight: dict[int, int] = {}
        self._state = CurrentState(b"")
        self._states_in_flight: dict[int, int] = {}
        self._acknowledged_question = NOTHING_ASKED
        self._picture_at_s = clock()
        self._has_noticed = False

    def begin(self) -> None:
        """Subscribe, and publish the greetings, "online", and what is due."""
        hooks, topics = self._hooks, self._hooks.topics
        asked = [topics.resend, topics.announcement, hooks.hall.announcement, topics.state, topics.availability]
        asked += [] if hooks.pressed is None else [topics.press]
        asked += [] if hooks.birth is None else [hooks.birth]
        for topic in asked:
            self._link.subscribe(topic)
        self._greet()
        self._link.publish(topics.availability, ONLINE, retain=True)
        self._send()

    def end(self) -> None:
        """Publish what is due, and "offline"."""
        self._send()
        self._link.publish(self._hooks.topics.availability, OFFLINE, retain=True)

    def step(self, received: Sequence[News]) -> None:
        """Process news of the connection, and publish what is due.

        Raises:
            _LostError: the connection is lost.
        """
        for each in received:
            if isinstance(each, Lost):
                raise _LostError(each.reason)
            if isinstance(each, Published):
                self._record_acknowledgement(each.number)
            else:
                self._on_message(each)
        self._send()

    def _greet(self) -> None:
        for topic, payload in self._hooks.greetings.items():
            self._link.publish(topic, payload, retain=True)

    def _send(self) -> None:
        """Publish events up to the window, and the state once all are sent, so that it never precedes its events."""
        room = WINDOW - len(self._in_flight)
        for event in self._outbox.after(self._cursor, room) if room > 0 else ():
            sent = msgspec.structs.replace(event, sent=_now())
            number = self._link.publish(self._hooks.topics.events, msgspec.json.encode(sent))
            self._in_flight[number] = self._cursor = event.sequence
        state = self._hooks.state()
        if self._cursor >= self._outbox.last and state != self._state:
            number = self._link.publish(self._hooks.topics.state, state.encoded, retain=True)
            self._state, self._states_in_flight[number] = state, state.asked
        self._send_picture()

    def _send_picture(self) -> None:
        """Publish a picture every `PICTURES_EVERY_S`, without acknowledgement."""
        if self._hooks.picture is None or self._clock() < self._picture_at_s:
            return
        self._picture_at_s = self._clock() + PICTURES_EVERY_S
        picture = self._hooks.picture()
        if picture is not None:
            self._link.publish(self._hooks.topics.picture, picture, retain=True, qos=0)

    def _record_acknowledgement(self, number: int) -> None:
        """Record an acknowledgement; events after an unacknowledged one do not count as delivered yet."""
        # The sender of a press has seen the state that the broker has, not one that is still on its way.
        self._acknowledged_question = self._states_in_flight.pop(number, self._acknowledged_question)
        sequence = self._in_flight.pop(number, None)
        if sequence is not None:
            self._outbox.deliver(min([sequence, *(each - 1 for each in self._in_flight.values())]))

    def _on_message(self, message: Arrived) -> None:
        hooks, topic, topics = self._hooks, message.topic, self._hooks.topics
        if topic == topics.resend:
            self._resend(message.payload)
        elif topic in (topics.announcement, hooks.hall.announcement):
            self._announce(topic, message.payload)
        # A retained press would be repeated at each connection.
        elif topic == topics.press and hooks.pressed is not None and not message.retained:
            self._press(message.payload, hooks.pressed)
        elif topic == topics.state and not message.retained:
            self._notice_other(message.payload)
        elif topic == topics.availability and message.payload == OFFLINE and not message.retained:
            # Another table of this name has ended, or an earlier connection of this one.
            self._link.publish(topic, ONLINE, retain=True)
        elif topic == hooks.birth and message.payload == ONLINE:
            self._greet()
            self._link.publish(hooks.topics.availability, ONLINE, retain=True)

    def _notice_other(self, payload: bytes) -> None:
        """Say if a state under this table's name is another table's."""
        with suppress(MessageError):
            if not self._has_noticed and read_message(payload, StateMessage).source != self._outbox.source:
                self._has_noticed = True
                _LOG.warning(
                    said(
                        "another table at the broker is called {table}, too: give one of the two its own {key} in "
                        "{section}",
                        table=self._hooks.topics.table,
                        key="table",
                        section="[mqtt]",
                    )
                )

    def _press(self, payload: bytes, pressed: Callable[[PressButton], None]) -> None:
        """Process a press, for the question that its sender names, or else the one in the last acknowledged state."""
        if not payload.lstrip().startswith(b"{"):
            name, question, has_read = payload.decode("utf-8", "replace"), self._acknowledged_question, False
        else:
            try:
                press = read_message(payload, PressMessage)
            except MessageError as error:
                _LOG.warning("a press cannot be read: %s", error)
                return
            name, question, has_read = press.button, press.question, True
        if name in _BUTTONS:
            pressed(PressButton(Button(name), question, has_read))
        else:
            _LOG.warning("there is no button %r to press", name[:40])

    def _resend(self, payload: bytes) -> None:
        try:
            asked = read_message(payload, ResendMessage)
        except MessageError as error:
            _LOG.warning("a request for events cannot be read: %s", error)
            return
        # The events of an older outbox are gone, and the receiver learns the new source from the state.
        if asked.source != self._outbox.source:
            return
        # Numbering would go on after a number that is wrong, perhaps the last one possible.
        if asked.after > self._outbox.last + _FURTHEST:
            _LOG.warning("who asks for events after %s has them of another table", asked.after)
            return
        # Before anything new is numbered: the receiver would drop it as known.
        self._outbox.resume_after(asked.after)
        if asked.source != self._outbox.source:
            self._cursor = 0
            self._in_flight.clear()
            return
        following = self._outbox.after(asked.after, 1)
        if following and following[0].sequence > asked.after + 1:
            pruned = self._outbox.pruned(_now(), following[0].sequence - 1)
            self._link.publish(self._hooks.topics.events, msgspec.json.encode(pruned))
        # Unacknowledged events are sent twice; receivers recognize them by their key.
        self._cursor = asked.after

    def _announce(self, topic: str, payload: bytes) -> None:
        self._announcements.pop(topic, None)
        if payload:
            try:
                self._announcements[topic] = read_message(payload, AnnouncementMessage)
            except MessageError as error:
                _LOG.warning("an announcement cannot be read: %s", error)
        both = (self._hooks.hall.announcement, self._hooks.topics.announcement)
        self._hooks.announced([self._announcements[each] for each in both if each in self._announcements])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _waiting(received: SimpleQueue[News | None]) -> list[News]:
    """Return all received news; wait up to `_TICK_S` for the first."""
    found: list[News | None] = []
    with suppress(Empty):
        found.append(received.get(timeout=_TICK_S))
        while True:
            found.append(received.get_nowait())
    return [each for each in found if each is not None]
