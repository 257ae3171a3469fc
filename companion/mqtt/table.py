"""A table on a broker: a listener that queues every event for other threads, and never waits."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Flag
from threading import Lock, Thread
from typing import Final, Self, TypeAlias

import msgspec

from companion.durable import set_aside
from companion.languages import reason, said, system_says
from companion.mqtt.conversion import EventBatch, EventConverter
from companion.mqtt.courier import Courier, CourierHooks, CurrentState
from companion.mqtt.link import Connect
from companion.mqtt.messages import AnnouncementMessage
from companion.mqtt.outbox import Outbox, OutboxError, is_damaged
from companion.mqtt.topics import HallTopics, TableTopics
from companion.play.events import GameOpened
from companion.play.inbox import PressButton
from companion.play.page.interface import GamePages, Happening

_LOG: Final = logging.getLogger(__name__)
_ENDS_IN_S: Final = 2.0
# The time between attempts to open the outbox.
_AGAIN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Offer:
    """The messages and callbacks of a table beside its state and events.

    Attributes:
        pressed: see `CourierHooks`.
        announced: see `CourierHooks`.
        picture: see `CourierHooks`.
        birth: see `CourierHooks`.
        greetings: see `CourierHooks`.
    """

    pressed: Callable[[PressButton], None] | None = None
    announced: Callable[[Sequence[AnnouncementMessage]], None] = lambda _: None
    picture: Callable[[], bytes | None] | None = None
    birth: str | None = None
    greetings: Mapping[str, bytes] | None = None


_Queued: TypeAlias = "tuple[Happening, datetime] | None"


class TableOnBroker:
    """A listener for events that publishes them between `with` and its end; calls only queue events and never wait.

    Args:
        name: the table's display name.
        topics: the table's topics.
        hall: the hall's topics.
        games: the kinds of games that may be played.
        outbox: the outbox's file.
        connect: opens a connection to the broker.
        offer: messages and callbacks beside state and events.
        now: returns the time in UTC.
    """

    def __init__(
        self,
        name: str,
        topics: TableTopics,
        hall: HallTopics,
        games: GamePages,
        outbox: Path,
        connect: Connect,
        offer: Offer | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        offer = offer or Offer()
        self._name, self._topics, self._path, self._now = name, topics, outbox, now
        self._converter = EventConverter(games)
        # Without a limit: the turn loop never waits for the disk.
        self._queued: SimpleQueue[_Queued] = SimpleQueue()
        self._lock, self._state = Lock(), CurrentState(b"")
        self._closing = Flag()
        self._writer = Thread(target=self._write_queued, name="mqtt-outbox", daemon=True)
        hooks = CourierHooks(
            topics,
            hall,
            lambda: self.state,
            offer.greetings or {},
            offer.pressed,
            offer.announced,
            offer.picture,
            offer.birth,
        )
        self._courier = Courier(hooks, connect, lambda: Outbox(outbox, topics.table))

    @property
    def state(self) -> CurrentState:
        """The table's current state."""
        with self._lock:
            return self._state

    def __call__(self, event: Happening) -> None:
        """Queue an event."""
        self._queued.put((event, self._now()))

    def __enter__(self) -> Self:
        """Open the outbox, setting a damaged one aside, and start the threads.

        Raises:
            OutboxError: the outbox cannot be used, or is damaged and cannot be set aside.
        """
        try:
            self._begin()
        except OutboxError as error:
            # A copy is read as well: a failing read of an intact file may look like damage.
            if not error.is_damage or not is_damaged(self._path, self._topics.table):
                raise
            try:
                aside = set_aside(self._path, self._now())
            except OSError as problem:
                says = said("{path}: is damaged and cannot be set aside: {fault}", path=str(self._path),
                            fault=system_says(problem))  # fmt: skip
                raise OutboxError(says) from problem
            # The events of the game on the table are sent again once it is opened, from a new source.
            _LOG.warning("%s; it is kept as %s, and what it held untold is told no more", reason(error), aside)
            self._begin()
        self._writer.start()
        self._courier.start()
        return self

    def _begin(self) -> None:
        with Outbox(self._path, self._topics.table) as outbox:
            outbox.check_whole()
            self._update_state(outbox, self._now())

    def __exit__(self, *_: object) -> None:
        # Before the courier closes: the last events are written first, and then sent.
        self._queued.put(None)
        self._closing.set()
        if self._writer.is_alive():
            self._writer.join(_ENDS_IN_S)
        self._courier.close()

    def _write_queued(self) -> None:
        """Write queued events to the outbox, in order, until the end; they stay queued until it can be opened."""
        is_open = False
        while not is_open:
            try:
                with Outbox(self._path, self._topics.table) as outbox:
                    is_open = True
                    self._write_to(outbox)
            except OutboxError as error:
                _LOG.error("not told to the broker yet: %s", reason(error))
                if self._closing.wait(_AGAIN_S):
                    return

    def _write_to(self, outbox: Outbox) -> None:
        while (queued := self._queued.get()) is not None:
            try:
                self._write(*queued, outbox)
            except OutboxError as error:
                # The next start sends the missing events.
                _LOG.error("not told to the broker: %s", reason(error))
            except Exception:
                _LOG.exception("not told to the broker")

    def _write(self, event: Happening, at: datetime, outbox: Outbox) -> None:
        if isinstance(event, GameOpened):
            batch: EventBatch | None = self._converter.opened(event, at, outbox.announced(event.game_id))
        else:
            asked = self._converter.asked
            batch = self._converter.after(event, at)
            if batch is None and self._converter.asked == asked:
                return
        if batch is not None:
            outbox.add(batch.events, batch.game, batch.announced)
        # After the events: the state names the last one, which a receiver then asks for.
        self._update_state(outbox, at)
        self._courier.wake()

    def _update_state(self, outbox: Outbox, at: datetime) -> None:
        state = self._converter.state(self._topics.table, self._name, outbox.source, outbox.last, at)
        with self._lock:
            self._state = CurrentState(msgspec.json.encode(state), state.asked)
