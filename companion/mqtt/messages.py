"""The messages of a table, and their JSON. Their types are their schemas: see docs/mqtt."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from companion.mqtt.topics import VERSION

EventKind = Literal["opened", "decided", "undone", "finished", "question", "answered", "complaint", "notice", "pruned"]
Phase = Literal["waiting", "playing", "asking", "finished"]


Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""As far as a database counts."""
MessageT = TypeVar("MessageT")
LONGEST_BYTES: Final = 1 << 20
"""A game's setup is a few thousand; what is longer is read by nobody."""


class MessageError(ValueError):
    """A message cannot be read."""


class GameRef(msgspec.Struct, frozen=True):
    """A game at a table.

    Attributes:
        id: its number in the table's journal; unique for one `source`.
        name: which game it is, as records name it.
        title: its name for people.
    """

    id: Number
    name: str
    title: str


class SeatMessage(msgspec.Struct, frozen=True):
    """A seat.

    Attributes:
        seat: its number, from 1.
        name: the player's.
        score: the points so far.
        time: the place on the time track, or null in a game that has none.
        spent_s: for how long it has been this seat's turn, in seconds, since the game was put on the table.
    """

    seat: int
    name: str
    score: int
    time: int | None = None
    spent_s: float = 0.0


class StateMessage(msgspec.Struct, frozen=True):
    """The state of a table, retained by the broker.

    Attributes:
        table: the table's name in topics.
        name: its name for people.
        source: of the table's events.
        sequence: the number of its last event; a receiver that lacks that event requests it.
        at: the time of that event, as ISO 8601 has it, in UTC.
        phase: whether a game is awaited, played, held up by a question or complaint, or finished.
        game: the game on the table, or null.
        seats: all of them, in order; empty without a game.
        turn: the seat to move, or null.
        turn_since: since when it has been this seat's turn, or null.
        winners: the seats that have won.
        decisions: how many stand.
        says: the latest news, in English.
        asked: the number of the question that is open, or 0; who answers it by a press names it.
    """

    table: str
    name: str
    source: str
    sequence: Number
    at: str
    phase: Phase
    game: GameRef | None = None
    seats: tuple[SeatMessage, ...] = ()
    turn: int | None = None
    turn_since: str | None = None
    winners: tuple[int, ...] = ()
    decisions: Number = 0
    says: str = ""
    asked: int = 0
    version: int = VERSION


class Happened(msgspec.Struct, frozen=True):
    """An event before it has got its number.

    Attributes:
        at: the time, as ISO 8601 has it, in UTC.
        kind: what has happened.
        game: in which game, or null for `pruned`.
        players: their names, by seat.
        number: how many decisions stand after it.
        decision: what was decided or taken back, as a line of a game record, or null.
        setup: of `opened`: how the game began, as the header of a game record, or null.
        scores: the points, by seat.
        turn: the seat to move, or null.
        winners: the seats that have won.
        says: sentences for people, in English.
        late: whether it was reported after a restart only, so that `at` is not when it happened.
    """

    at: str
    kind: EventKind
    game: GameRef | None = None
    players: tuple[str, ...] = ()
    number: Number = 0
    decision: dict[str, Any] | None = None
    setup: dict[str, Any] | None = None
    scores: tuple[int, ...] = ()
    turn: int | None = None
    winners: tuple[int, ...] = ()
    says: tuple[str, ...] = ()
    late: bool = False


class EventMessage(Happened, frozen=True, kw_only=True):
    """An event of a table. `table`, `source` and `sequence` together are its key: the same key is the same event.

    Attributes:
        table: the table's name in topics.
        source: the table's outbox; another one numbers anew.
        sequence: counts the events of a source, from 1, without gaps. Of `pruned`: the last one that is gone.
    """

    table: str
    source: str
    sequence: Number
    version: int = VERSION


class ResendMessage(msgspec.Struct, frozen=True):
    """A receiver's request for events again.

    Attributes:
        source: of which source; a table that has another one does not answer.
        after: the last sequence that the receiver has, or 0.
    """

    source: str
    after: Number
    version: int = VERSION


class PressMessage(msgspec.Struct, frozen=True):
    """A press of one of a table's buttons from afar.

    Attributes:
        button: which: `confirm`, `advance` or `undo`.
        question: `asked` of the state that its sender sees; the press is refused while another question is open.
    """

    button: str
    question: int
    version: int = VERSION


class AnnouncementMessage(msgspec.Struct, frozen=True):
    """An announcement for people at a table.

    Attributes:
        text: what is announced.
        at: when, as ISO 8601 has it, in UTC.
    """

    text: Annotated[str, msgspec.Meta(max_length=1000)]
    at: str
    version: int = VERSION


MESSAGES = {
    "state": StateMessage,
    "event": EventMessage,
    "resend": ResendMessage,
    "press": PressMessage,
    "announcement": AnnouncementMessage,
}
"""Every message of which there is a schema, by the schema's name."""


def read_message(payload: bytes, kind: type[MessageT]) -> MessageT:
    """Return the message that a payload is.

    Raises:
        MessageError: it is none of this kind, or made to be a burden.
    """
    if len(payload) > LONGEST_BYTES:
        raise MessageError(f"it has {len(payload)} bytes; allowed: {LONGEST_BYTES}")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(str(error)) from error


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a message."""
    # As it is read from a file: a list for each tuple.
    schema = json.loads(msgspec.json.encode(msgspec.json.schema(MESSAGES[name])))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **schema}
