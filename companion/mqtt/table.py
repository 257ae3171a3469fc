"""A table on a broker: a listener that queues every event for other threads, and never waits."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Flag
from threading import Lock, Thread
from typing import Any, Final, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from companion.durable import set_aside
from companion.languages import ENGLISH, reason, render, said, system_says
from companion.mqtt.courier import Courier, CourierHooks, CurrentState
from companion.mqtt.link import Connect
from companion.mqtt.messages import EventKind, GameRef, Happened, Phase, SeatMessage, StateMessage
from companion.mqtt.outbox import Outbox, OutboxError, is_damaged
from companion.play import events
from companion.play.events import NOTHING_ASKED, GameOpened
from companion.play.page import GamePage, GamePages, Happening, side_of

# The published events that change no decision; others, such as the start of a look, are not published.
_KINDS: Final[dict[type, EventKind]] = {
    events.Asked: "question",
    events.QuestionAnswered: "answered",
    events.Complained: "complaint",
    events.TableNoticed: "notice",
}


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The messages that result from one event.

    Attributes:
        events: the events to publish, in order; may be empty.
        game: the number of their game.
        announced: all decisions in force, as lines of a game record; None if unchanged.
    """

    events: tuple[Happened, ...]
    game: int
    announced: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Clock:
    """The time spent by each seat.

    Attributes:
        turn: the seat to move, or None.
        since: the time since when it has been this seat's turn, or None before the first turn.
        spent_s: the total time of earlier turns, by seat.
    """

    turn: int | None = None
    since: datetime | None = None
    spent_s: tuple[float, ...] = ()

    def at(self, now: datetime, turn: int | None, seats: int) -> _Clock:
        """Return the clock after an event at which it is a seat's turn, which may be the same as before."""
        # A turn is counted when it ends, so that a state need not be sent every second.
        if turn == self.turn and self.since is not None:
            return self
        spent = list(self.spent_s or (0.0,) * seats)
        if self.turn is not None and self.since is not None:
            spent[self.turn - 1] += (now - self.since).total_seconds()
        return _Clock(turn, now, tuple(spent))


class EventConverter:
    """A stateful converter of a table's events into messages for a broker.

    Args:
        games: the kinds of games that may be played.

    Attributes:
        asked: the number of the open question, or `NOTHING_ASKED`.
        phase: the table's phase.
    """

    def __init__(self, games: GamePages) -> None:
        self._games = games
        self.asked = NOTHING_ASKED
        self._game: GameRef | None = None
        self._state: Any = None
        self._announced: tuple[str, ...] = ()
        self.phase: Phase = "waiting"
        self._clock = _Clock()
        self._says = ""

    def opened(self, event: events.GameOpened[Any], now: datetime, announced: Sequence[str]) -> EventBatch:
        """Return the messages for a game that is opened, with decisions missing from or superfluous in earlier ones.

        Args:
            event: the event.
            now: the time in UTC.
            announced: the decisions published before the program ended, which may be too few or too many.
        """
        side = side_of(self._games, event.state)
        self._game = GameRef(event.game_id, side.name, render(side.title, ENGLISH))
        standing = tuple(_line(side, decision) for decision in event.decisions)
        setup = None if announced else json.loads(json.dumps(side.codec.setup_to_json(event.state.setup)))
        self._clock = _Clock()
        self._announced = tuple(announced)
        first = self._message(side, event, now, "opened")
        first = replace(first, setup=setup)
        return EventBatch((first, *self._catch_up(side, standing, event.state, now)), event.game_id, standing)

    def after(self, event: Happening, now: datetime) -> EventBatch | None:
        """Return the messages for any other event, or None if it is not published."""
        side = side_of(self._games, event.state)
        if self._game is None:
            return None
        if isinstance(event, events.DecisionTaken):
            self._announced = (*self._announced, _line(side, event.decision))
            announced = [self._message(side, event, now, "decided", json.loads(self._announced[-1]))]
            if event.state.finished:
                announced.append(replace(announced[0], kind="finished", decision=None))
            return EventBatch(tuple(announced), self._game.id, self._announced)
        if isinstance(event, events.DecisionUndone):
            announced = self._undone(side, event, now)
            if event.state.finished:  # The decision undone came after the end.
                announced.append(replace(announced[0], kind="finished", decision=None))
            return EventBatch(tuple(announced), self._game.id, self._announced)
        kind = _KINDS.get(type(event))
        # Also for events that are not published, as they change the state: its phase, its question and its clock.
        happened = self._message(side, event, now, kind or "notice")
        return None if kind is None else EventBatch((happened,), self._game.id)

    def _undone(self, side: GamePage[Any], event: events.DecisionUndone[Any, Any], now: datetime) -> list[Happened]:
        """Return a message for each decision undone, from the last; only the last message has scores and sentences."""
        *before, first = self._announced[-event.count :][::-1]
        self._announced = self._announced[: -event.count]
        last = self._message(side, event, now, "undone", json.loads(first))
        number = last.number + event.count
        plain = replace(last, scores=(), winners=(), turn=None, says=())
        back = [
            replace(plain, number=number - at, decision=json.loads(text)) for at, text in enumerate(before, start=1)
        ]
        return [*back, last]

    def state(self, table: str, name: str, source: str, sequence: int, now: datetime) -> StateMessage:
        """Return the table's state; `table` is its name in topics, `name` its display name."""
        message = StateMessage(table, name, source, sequence, _iso(now), self.phase)
        if self._game is None:
            return message
        side, clock = side_of(self._games, self._state), self._clock
        return replace(
            message,
            game=self._game,
            seats=_seats(side, self._state, clock.spent_s),
            turn=clock.turn,
            turn_since=None if clock.turn is None or clock.since is None else _iso(clock.since),
            winners=_winners(side, self._state),
            decisions=len(self._announced),
            says=self._says,
            asked=self.asked,
        )

    def _message(
        self,
        side: GamePage[Any],
        event: Happening,
        now: datetime,
        kind: EventKind,
        decision: dict[str, Any] | None = None,
    ) -> Happened:
        self._state = state = event.state
        says = tuple(render(each, ENGLISH) for each in side.words(event)) if side.is_news(event) else ()
        self._says = says[-1] if says else self._says
        self.phase = _phase(side, event)
        self.asked = event.pending.number
        players = tuple(state.setup.players)
        turn = _turn(side, state)
        self._clock = self._clock.at(now, turn, len(players))
        return Happened(
            at=_iso(now),
            kind=kind,
            game=self._game,
            players=players,
            number=len(self._announced),
            decision=decision,
            scores=tuple(side.codec.scores(state)),
            turn=turn,
            winners=_winners(side, state),
            says=says,
        )

    def _catch_up(self, side: GamePage[Any], standing: tuple[str, ...], state: Any, now: datetime) -> list[Happened]:
        """Return the events that bring the published decisions in line with the journal's."""
        announced, late = (
            list(self._announced),
            Happened(_iso(now), "notice", self._game, tuple(state.setup.players), late=True),
        )
        caught: list[Happened] = []
        # As players would: undone from the last one back to the first that differs, then decided anew.
        while tuple(announced) != standing[: len(announced)]:
            taken_back = json.loads(announced.pop())
            caught.append(replace(late, kind="undone", number=len(announced), decision=taken_back))
        for text in standing[len(announced) :]:
            announced.append(text)
            caught.append(replace(late, kind="decided", number=len(announced), decision=json.loads(text)))
        if caught and state.finished and caught[-1].kind == "decided":
            caught.append(replace(caught[-1], kind="finished", decision=None))
        self._announced = standing
        if not caught:
            return []
        # Only the last one has scores: those in between are not known without replaying the game.
        last = {"scores": tuple(side.codec.scores(state)), "winners": _winners(side, state), "turn": _turn(side, state)}
        return [*caught[:-1], replace(caught[-1], **last)]


def _line(side: GamePage[Any], decision: Any) -> str:
    return json.dumps(side.codec.decision_to_json(decision), ensure_ascii=False, sort_keys=True)


def _iso(now: datetime) -> str:
    return now.isoformat(timespec="milliseconds")


def _phase(side: GamePage[Any], event: Happening) -> Phase:
    if event.state.finished:
        return "finished"
    pending = event.pending
    is_held_up = pending.question is not None and side.holds_up(pending.question)
    return "asking" if is_held_up or pending.complaint is not None else "playing"


def _turn(side: GamePage[Any], state: Any) -> int | None:
    found = side.codec.summary(state).get("turn")
    return found if isinstance(found, int) else None


def _winners(side: GamePage[Any], state: Any) -> tuple[int, ...]:
    return tuple(side.codec.winners(state))


def _seats(side: GamePage[Any], state: Any, spent_s: Sequence[float]) -> tuple[SeatMessage, ...]:
    """Return all seats; `time` is set for games whose summary has a place on a time track."""
    listed = side.codec.summary(state).get("seats")
    places = [each.get("time") for each in listed] if isinstance(listed, list) else []
    scores = side.codec.scores(state)
    return tuple(
        SeatMessage(
            seat=at + 1,
            name=name,
            score=scores[at],
            time=places[at] if at < len(places) and isinstance(places[at], int) else None,
            spent_s=round(spent_s[at], 1) if at < len(spent_s) else 0.0,
        )
        for at, name in enumerate(state.setup.players)
    )


_LOG: Final = logging.getLogger(__name__)
_ENDS_IN_S: Final = 2.0
# The time between attempts to open the outbox.
_AGAIN_S: Final = 10.0


_Queued: TypeAlias = "tuple[Happening, datetime] | None"


class TableOnBroker:
    """A listener for events that publishes them between `with` and its end; calls only queue events and never wait.

    Args:
        name: the table's display name.
        hooks: the messages and callbacks beside the table's state, which is set here.
        games: the kinds of games that may be played.
        outbox: the outbox's file.
        connect: opens a connection to the broker.
        now: returns the time in UTC.
    """

    def __init__(
        self,
        name: str,
        hooks: CourierHooks,
        games: GamePages,
        outbox: Path,
        connect: Connect,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        topics = hooks.topics
        self._name, self._topics, self._path, self._now = name, topics, outbox, now
        self._converter = EventConverter(games)
        # Without a limit: the turn loop never waits for the disk.
        self._queued: SimpleQueue[_Queued] = SimpleQueue()
        self._lock, self._state = Lock(), CurrentState(b"")
        self._closing = Flag()
        self._writer = Thread(target=self._write_queued, name="mqtt-outbox", daemon=True)
        self._courier = Courier(
            dataclasses.replace(hooks, state=lambda: self.state), connect, lambda: Outbox(outbox, topics.table)
        )

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
            _LOG.warning("%s; it is kept as %s, and its unpublished events are lost", reason(error), aside)
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
                _LOG.error("not published yet: %s", reason(error))
                if self._closing.wait(_AGAIN_S):
                    return

    def _write_to(self, outbox: Outbox) -> None:
        while (queued := self._queued.get()) is not None:
            try:
                self._write(*queued, outbox)
            except OutboxError as error:
                # The next start sends the missing events.
                _LOG.error("not published: %s", reason(error))
            except Exception:
                _LOG.exception("not published")

    def _write(self, event: Happening, at: datetime, outbox: Outbox) -> None:
        if isinstance(event, GameOpened):
            batch: EventBatch | None = self._converter.opened(event, at, outbox.announced(event.game_id))
        else:
            before = (self._converter.asked, self._converter.phase)
            batch = self._converter.after(event, at)
            if batch is None and before == (self._converter.asked, self._converter.phase):
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
