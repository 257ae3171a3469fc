"""The messages of a table. Their JSON Schemas in docs/mqtt are made from these types."""

import json
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from companion.mqtt.topics import VERSION

EventKind = Literal["opened", "decided", "undone", "finished", "question", "answered", "complaint", "notice", "pruned"]
Phase = Literal["waiting", "playing", "asking", "finished"]


Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A counter within the range of a database's integer column."""
MessageT = TypeVar("MessageT")
LONGEST_BYTES: Final = 1 << 20
"""The longest message that is read; one with a game's setup has a few thousand bytes."""


class MessageError(ValueError):
    """Raised if a message cannot be read."""


class GameRef(msgspec.Struct, frozen=True):
    """A game at a table.

    Attributes:
        id: its number in the table's journal; unique for one `source`.
        name: the kind of game, as in game records.
        title: its display name.
    """

    id: Number
    name: str
    title: str


class SeatMessage(msgspec.Struct, frozen=True):
    """A seat's player and progress.

    Attributes:
        seat: the seat's number, from 1.
        name: the player's name.
        score: the points so far.
        time: the place on the time track, or null in a game without one.
        spent_s: the total time of this seat's earlier turns, in seconds, since the game was opened.
    """

    seat: int
    name: str
    score: int
    time: int | None = None
    spent_s: float = 0.0


class StateMessage(msgspec.Struct, frozen=True):
    """A table's state, retained by the broker.

    Attributes:
        table: the table's name in topics.
        name: the table's display name.
        source: the source of the table's events.
        sequence: the number of its last event; a receiver that lacks that event requests it.
        at: the time of this state, in UTC, in ISO 8601 format.
        phase: whether a game is awaited, played, held up by a question or complaint, or finished.
        game: the game on the table, or null.
        seats: all seats, in order; empty without a game.
        turn: the seat to move, or null.
        turn_since: the time since when it has been this seat's turn, or null.
        winners: the seats that have won.
        decisions: the number of decisions in force, without those undone.
        says: the latest news, in English.
        asked: the number of the open question, or 0; a press that answers it names this number.
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
    """An event before it is numbered.

    Attributes:
        at: the time, in UTC, in ISO 8601 format.
        kind: the kind of event.
        game: the game, or null for `pruned`.
        players: the players' names, by seat.
        number: the number of decisions in force after it.
        decision: the decision made or undone, as a line of a game record, or null.
        setup: for `opened`, the game's setup, as the header of a game record, or null.
        scores: the points, by seat.
        turn: the seat to move, or null.
        winners: the seats that have won.
        says: sentences for display, in English.
        late: whether it is reported only after a restart, so that `at` is not the time when it happened.
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
    """An event of a table. Its key is `table`, `source` and `sequence`; messages with the same key are the same event.

    Attributes:
        table: the table's name in topics.
        source: an identifier of the table's outbox; a new outbox begins to number anew.
        sequence: the event's number in its source, from 1, without gaps; for `pruned`, the last number that is gone.
    """

    table: str
    source: str
    sequence: Number
    version: int = VERSION


class ResendMessage(msgspec.Struct, frozen=True):
    """A receiver's request to send events again.

    Attributes:
        source: the source of the events; a table with another one does not answer.
        after: the last sequence that the receiver has, or 0.
    """

    source: str
    after: Number
    version: int = VERSION


class PressMessage(msgspec.Struct, frozen=True):
    """A remote press of one of a table's buttons.

    Attributes:
        button: the button: `confirm`, `advance` or `undo`.
        question: `asked` in the state shown to the sender; the press is refused while another question is open.
    """

    button: str
    question: int
    version: int = VERSION


class AnnouncementMessage(msgspec.Struct, frozen=True):
    """An announcement to the players at a table.

    Attributes:
        text: the announcement.
        at: the time when it was made, in UTC, in ISO 8601 format.
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
"""The messages with a schema, by the schema's name."""


def read_message(payload: bytes, kind: type[MessageT]) -> MessageT:
    """Return the message in a payload.

    Raises:
        MessageError: the payload is no message of this kind, or too long or too deeply nested.
    """
    if len(payload) > LONGEST_BYTES:
        raise MessageError(f"it has {len(payload)} bytes; allowed: {LONGEST_BYTES}")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(str(error)) from error


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a message."""
    # Encoded and decoded, so that it has lists, not tuples, as when read from a file.
    schema = json.loads(msgspec.json.encode(msgspec.json.schema(MESSAGES[name])))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **schema}
