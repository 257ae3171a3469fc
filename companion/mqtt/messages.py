"""The messages of a table. Their JSON Schemas in docs/mqtt are made from these types."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from companion.config.broker import topic_level

VERSION: Final = 1
"""The version in every topic and message, raised by changes that old receivers would misread."""
ONLINE, OFFLINE = b"online", b"offline"
"""The payloads of `availability`."""


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The MQTT topics of one table.

    Attributes:
        prefix: the prefix of all topics of the companion.
        table: the table's name in topics.
    """

    prefix: str
    table: str

    @property
    def availability(self) -> str:
        """The topic of retained "online" or, also as the last will, "offline"."""
        return self._of("availability")

    @property
    def state(self) -> str:
        """The topic of the retained `StateMessage`."""
        return self._of("state")

    @property
    def events(self) -> str:
        """The topic of `EventMessage`s."""
        return self._of("events")

    @property
    def picture(self) -> str:
        """The topic of the camera's picture, a retained JPEG."""
        return self._of("picture")

    @property
    def press(self) -> str:
        """The topic of presses sent to the table: a `PressMessage`, or the bare name of a button."""
        return self._of("press")

    @property
    def resend(self) -> str:
        """The topic of `ResendMessage`s sent to the table."""
        return self._of("resend")

    @property
    def announcement(self) -> str:
        """The topic of the retained `AnnouncementMessage` to this table; an empty payload withdraws it."""
        return self._of("announcement")

    def _of(self, part: str) -> str:
        return f"{self.prefix}/v{VERSION}/tables/{self.table}/{part}"


@dataclass(frozen=True, slots=True)
class HallTopics:
    """The MQTT topics of a hall, and its subscriptions to all tables.

    Attributes:
        prefix: the prefix of all topics of the companion.
    """

    prefix: str

    @property
    def availability(self) -> str:
        """The topic of retained "online" or, also as the last will, "offline"."""
        return f"{self.prefix}/v{VERSION}/hall/availability"

    @property
    def announcement(self) -> str:
        """The topic of the retained `AnnouncementMessage` to all tables; an empty payload withdraws it."""
        return f"{self.prefix}/v{VERSION}/hall/announcement"

    @property
    def followed(self) -> tuple[str, ...]:
        """The subscriptions of a hall."""
        return tuple(f"{self.prefix}/v{VERSION}/tables/+/{part}" for part in ("availability", "state", "events"))

    def parted(self, topic: str) -> tuple[str, str] | None:
        """Return table name and last part of a table's topic, or None for any other topic."""
        start = f"{self.prefix}/v{VERSION}/tables/"
        table, _, part = topic.removeprefix(start).partition("/")
        return (table, part) if topic.startswith(start) and table and part else None


@dataclass(frozen=True, slots=True)
class FriendTopics:
    """The MQTT topics of a game that two tables play together.

    Attributes:
        prefix: the prefix of all topics of the companion.
        code: the game's code, without hyphen.
    """

    prefix: str
    code: str

    def log(self, seat: int) -> str:
        """Return the topic of the retained `FriendMessage` of the table that has this seat; empty once both ended."""
        return f"{self.prefix}/v{VERSION}/friends/{self.code}/{seat}"

    def availability(self, seat: int) -> str:
        """Return the topic of retained "online" or, also as the last will, "offline" of that table."""
        return f"{self.log(seat)}/availability"


def is_table(name: str) -> bool:
    """Return whether a text is a table's name in topics."""
    try:
        topic_level(name)
    except ValueError:
        return False
    return True


EventKind = Literal["opened", "decided", "undone", "finished", "question", "answered", "complaint", "notice", "pruned"]
Phase = Literal["waiting", "playing", "asking", "finished"]


Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A counter within the range of a database's integer column."""
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""A number that may be negative, within the same range."""
Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
"""A span of time; negative after a clock was set back."""
Key: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
"""A table's name in topics, or its source."""
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
"""A name to display."""
Instant: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]
"""A time in UTC, in ISO 8601 format."""
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=2000)]
"""A sentence."""
# Far more than any game has seats, or an event sentences.
_MOST: Final = msgspec.Meta(max_length=32)
LONGEST_WORD: Final = 200
"""The most characters of a word to the friend at another table."""
MessageT = TypeVar("MessageT")
LONGEST_BYTES: Final = 1 << 16
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
    name: Name
    title: Name


class SeatMessage(msgspec.Struct, frozen=True):
    """A seat's player and progress.

    Attributes:
        seat: the seat's number, from 1.
        name: the player's name.
        score: the points so far.
        time: the place on the time track, or null in a game without one.
        spent_s: the total time of this seat's earlier turns, in seconds, since the game was opened.
    """

    seat: Points
    name: Name
    score: Points
    time: Points | None = None
    spent_s: Seconds = 0.0


class StateMessage(msgspec.Struct, frozen=True):
    """A table's state, retained by the broker.

    Attributes:
        table: the table's name in topics.
        name: the table's display name.
        source: the source of the table's events.
        sequence: the number of its last event; a receiver that lacks that event requests it.
        at: the time of this state, in UTC, in ISO 8601 format.
        phase: whether a game is awaited, played, held up by a question or complaint about the table, or finished.
        game: the game on the table, or null.
        seats: all seats, in order; empty without a game.
        turn: the seat to move, or null.
        turn_since: the time since when it has been this seat's turn, or null.
        winners: the seats that have won.
        decisions: the number of decisions in force, without those undone.
        says: the latest news, in English.
        asked: the number of the open question, or 0; a press that answers it names this number.
    """

    table: Key
    name: Name
    source: Key
    sequence: Number
    at: Instant
    phase: Phase
    game: GameRef | None = None
    seats: Annotated[tuple[SeatMessage, ...], _MOST] = ()
    turn: Points | None = None
    turn_since: Instant | None = None
    winners: Annotated[tuple[Points, ...], _MOST] = ()
    decisions: Number = 0
    says: Text = ""
    asked: Points = 0
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

    at: Instant
    kind: EventKind
    game: GameRef | None = None
    players: Annotated[tuple[Name, ...], _MOST] = ()
    number: Number = 0
    decision: dict[str, Any] | None = None
    setup: dict[str, Any] | None = None
    scores: Annotated[tuple[Points, ...], _MOST] = ()
    turn: Points | None = None
    winners: Annotated[tuple[Points, ...], _MOST] = ()
    says: Annotated[tuple[Text, ...], _MOST] = ()
    late: bool = False


class EventMessage(Happened, frozen=True, kw_only=True):
    """An event of a table. Its key is `table`, `source` and `sequence`; messages with the same key are the same event.

    Attributes:
        table: the table's name in topics.
        source: an identifier of the table's outbox; a new outbox begins to number anew.
        sequence: the event's number in its source, from 1, without gaps; for `pruned`, the last number that is gone.
        sent: the time of this sending, by the clock of `at`, so that receivers can tell how wrong that is; or "".
    """

    table: Key
    source: Key
    sequence: Number
    sent: Instant = ""
    version: int = VERSION


class EventKey(msgspec.Struct, frozen=True):
    """The key of an event, which can be read even if the rest of the message cannot."""

    table: Key
    source: Key
    sequence: Number


class ResendMessage(msgspec.Struct, frozen=True):
    """A receiver's request to send events again.

    Attributes:
        source: the source of the events; a table with another one does not answer.
        after: the last sequence that the receiver has, or 0.
    """

    source: Key
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


class WordMessage(msgspec.Struct, frozen=True):
    """A word to the friend at the other table.

    Attributes:
        number: its number among the words of its sender, from 1.
        text: the word, or an emoji.
    """

    number: Number
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_WORD)]


class FriendMessage(msgspec.Struct, frozen=True):
    """All that one of two tables knows of their game, retained by the broker; a later one replaces it.

    Attributes:
        code: the game's code.
        seat: the seat of its sender, whose decisions only this table takes.
        name: the name of the player there.
        setup: the game's setup, as the header of a game record.
        decisions: all decisions in force at this table, as lines of a game record.
        taken_back: how often both tables have agreed to take decisions back; of two logs the one with more counts.
        left: how many decisions the latest take-back has left.
        undo: the number of decisions down to which the player agrees that these are taken back, or null.
        word: the latest word to the friend, or null.
        heard: the number of the friend's latest word that was announced here.
    """

    code: Key
    seat: Number
    name: Name
    setup: dict[str, Any]
    decisions: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=1000)] = ()
    taken_back: Number = 0
    left: Number = 0
    undo: Number | None = None
    word: WordMessage | None = None
    heard: Number = 0
    version: int = VERSION


MESSAGES = {
    "state": StateMessage,
    "event": EventMessage,
    "resend": ResendMessage,
    "press": PressMessage,
    "announcement": AnnouncementMessage,
    "friend": FriendMessage,
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
