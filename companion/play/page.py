"""A game's side of the page: the requests that the page checks and passes on, and what the game shows and answers."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.config.palette import USUAL, page_colours
from companion.journal import GameSummary
from companion.languages import ENGLISH, LANGUAGES, Language
from companion.play.arrangement import LONGEST_NAME
from companion.play.events import GameOpened, Pending
from companion.play.inbox import Outcome
from companion.record import Codec
from hardware.ports import Frame


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a command; each field is a key, and one with a default may be absent."""

    distinct: ClassVar[tuple[str, ...]] = ()
    """The keys of lists whose items must be distinct."""

    def __post_init__(self) -> None:
        for key in self.distinct:
            items = getattr(self, key)
            if items is not None and len(set(items)) < len(items):
                raise ValueError(f"The items of `{key}` are not distinct")


class NothingMore(Body):
    """An empty body."""


MOST_SEATS: Final = 8
"""The largest number of seats of any game; a page has colours for more."""


def one_of(*names: str) -> Meta:
    """Return the constraint that a text is one of these names."""
    # `$` alone would also match before a trailing newline.
    return Meta(pattern=f"^(?:{'|'.join(map(re.escape, names))})$(?!\\n)")


def between(least: float, most: float) -> Meta:
    """Return the constraint that a number is between two others, inclusive."""
    return Meta(ge=least, le=most)


PlayerName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""A player's name; an empty one is refused by the table, whose message is more specific."""
LanguageCode: TypeAlias = Annotated[str, one_of(*LANGUAGES)]


class Need(Enum):
    """The permissions that a request may need."""

    NOTHING = "nothing"
    WATCH = "watch"
    CAMERA = "camera"
    TOUCH = "touch"


@dataclass(frozen=True, slots=True)
class SetupOffer:
    """The defaults offered for the next game.

    Attributes:
        chosen: the arrangement to offer: the last requested one, or the configuration's.
        language: the table's own language, or None if none was chosen.
        lies_there: whether all of a game's material is always present on the table, as at the virtual one.
        reader: the language of the page.
    """

    chosen: Any
    language: str | None = None
    lies_there: bool = False
    reader: Language = ENGLISH


class RefusedError(Exception):
    """Raised for a refused request.

    Attributes:
        status: the HTTP status.
        errors: sentences; the first one is the summary.
        more: additional keys of the response.
        headers: additional headers of the response.
    """

    def __init__(
        self, status: int, *errors: str, more: "Json | None" = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(errors[0])
        self.status, self.errors, self.more, self.headers = status, errors, more, headers


Json: TypeAlias = dict[str, Any]


def rounded(figures: Iterable[Any]) -> list[Json]:
    """Return dataclasses of figures as JSON, with numbers rounded to hundredths."""
    return [
        {name: round(value, 2) if isinstance(value, float) else value for name, value in asdict(each).items()}
        for each in figures
    ]


Picture: TypeAlias = NDArray[np.uint8]
"""Shape (height, width, 3), uint8, BGR."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A frame with what was known when it was taken.

    Attributes:
        frame: the frame.
        reading: returns the frame annotated with its reading, or None if nothing was read.
        crop: returns a seat's board or sheet rectified, with doubtful parts marked, or None if it is out of view.
        question: the identity of the open question or complaint, or None if there is none.
    """

    frame: Frame
    reading: Callable[[], Picture] | None = None
    crop: Callable[[int], Picture | None] = lambda _: None
    question: Hashable = None


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game in the journal, finished or not.

    Attributes:
        game_id: its number.
        started_at: the time when it was begun.
        setup: the setup that it began with.
        decisions: all decisions that were not undone, in order.
        notes: the journal's notes about the table.
    """

    game_id: int
    started_at: datetime
    setup: Any
    decisions: tuple[Any, ...]
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table to export: its heading, its rows of texts and numbers, and the name of its file."""

    heading: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    file: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A player's part in a finished game.

    Attributes:
        name: the player's name.
        points: the points at the end.
        won: whether this player alone won the game.
    """

    name: str
    points: int
    won: bool


BodyT = TypeVar("BodyT")


@dataclass(frozen=True, slots=True)
class Asking(Generic[BodyT]):
    """A request to a game.

    Attributes:
        body: the command's body, or None for a question.
        desk: the game's own desk of this session, or None if the table has none.
        language: the reader's language.
        query: the query parameters.
        numbers: the numbers in the address, by name.
        archived: returns a game of this kind in the journal, by its number.
        figures: returns the statistics over all finished games of this kind.
        folder: the journal's folder, or None if nothing is stored.
    """

    body: BodyT
    desk: Any
    language: Language
    query: Mapping[str, str]
    numbers: Mapping[str, int]
    archived: Callable[[int], ArchivedGame]
    figures: Callable[[], Json]
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class GameRequest:
    """The request for a game.

    Attributes:
        arrangement: the arrangement of the game.
        language: the table's own language, or None if none is chosen.
        leaves: whether a game in progress is abandoned for it.
    """

    arrangement: Any
    language: str | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A command to the turn loop, which answers it."""

    command: Any


@dataclass(frozen=True, slots=True)
class HandMove:
    """A move of the hand at the virtual table."""

    move: Any


Answer: TypeAlias = "Json | Picture | Rows | Path | GameRequest | Order | HandMove | Outcome"
"""What a game answers: JSON, a picture, a table to save, a stored picture's file; or what the page is to do, and then
answers itself: begin a game, give an order, move a piece, or wait until the game's desk has noted something."""


@dataclass(frozen=True, slots=True)
class GameRoute(Generic[BodyT]):
    """A route of a game: a command if it has a body, else a question.

    Attributes:
        path: the address; a number in it is written "{game:number}".
        answer: returns the answer; raises RefusedError or CompanionError.
        body: the type of a command's body.
        need: the permission that a question needs; a command always needs the key.
        dragged: whether the command is sent while a piece is dragged, for which more requests are allowed.
        costly: whether the answer to a question takes long: such answers are made one at a time, and kept until a
            stored game changes or another one is on the table.
    """

    path: str
    answer: Callable[[Asking[BodyT]], Answer]
    body: type[BodyT] | None = None
    need: Need = Need.WATCH
    dragged: bool = False
    costly: bool = False


def by_hand(path: str, body: type[BodyT], move: Callable[[BodyT], Any]) -> GameRoute[BodyT]:
    """Return the route of a command that moves the hand at the virtual table."""
    return GameRoute(path, lambda asking: HandMove(move(asking.body)), body, dragged=True)


TabletopT = TypeVar("TabletopT")


@dataclass(frozen=True, slots=True)
class VirtualSide(Generic[TabletopT]):
    """The page's interface to a game's virtual table.

    Attributes:
        tabletop: the type of the table's contents, different for each game.
        to_json: converts the table's contents to JSON.
        ranges: the lowest and highest value of each of the circumstances, by name.
    """

    tabletop: type[TabletopT]
    to_json: Callable[[TabletopT], Json]
    ranges: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Visibility:
    """The visibility of the table to the companion.

    Attributes:
        camera: whether frames are coming.
        awaited: whether the first frame may still arrive, as the camera has just been opened.
        boards_seen: whether all empty boards are known.
        in_view: the seats whose board is in the latest frame.
    """

    camera: bool = False
    awaited: bool = True
    boards_seen: bool = False
    in_view: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAccount:
    """The account of a game on the table; each game adds its own attributes.

    Attributes:
        state: the rules' state.
        pending: the pending look, question, complaint and announcement.
    """

    state: Any
    pending: Pending = field(default_factory=Pending)

    @property
    def phase(self) -> str:
        """The word for the first thing that players should see."""
        return self.pending.phase(finished=self.state.finished)


TableT = TypeVar("TableT", bound=TableAccount)

Publish: TypeAlias = Callable[[Callable[[Language], Json]], None]
"""A function that sends JSON to every page, in each reader's language."""


class Happening(Protocol):
    """An event of any game."""

    @property
    def state(self) -> Any:
        """The rules' state after the event."""

    @property
    def pending(self) -> Pending:
        """The pending look, question, complaint and announcement after the event."""


class GameDesk(Protocol):
    """The part of a session that belongs to one game: a circle of patches to confirm, a sheet for all players."""

    def leave(self) -> None:
        """Stop serving the game: another one is on the table, or is being set up."""

    def close(self) -> None:
        """Refuse all further requests; may be called more than once."""


def _pictured(watch: Any, _: Any) -> Exposure | None:
    return None if watch.frame is None else Exposure(watch.frame)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """A game's side of the stored games on the page.

    Attributes:
        details: returns the details that a game's summary lacks: its setup, its decisions and its result.
        replay: returns a game's states under `states` (the start, and one after each decision), and any further keys,
            given the game, the game's desk and a language.
        decisions_rows: returns a game's decisions, one row each.
        games_rows: returns all games, one row each, given the summaries of all games with at least one decision, the
            newest first, and those of the finished ones in the order in which they were begun.
        statistics: returns the statistics of all finished games: `games`, `players`, `records`, and further keys.
        parts: returns the parts of all players in all finished games.
        player_columns: the keys of a player's figures that are exported.
        pictures: returns the paths of pictures of a finished game, for the picture to share, given the journal's
            folder and the game's number; empty if there are none.
    """

    details: Callable[[ArchivedGame, Language], Json]
    replay: Callable[[ArchivedGame, Any, Language], Json]
    decisions_rows: Callable[[ArchivedGame], Rows]
    games_rows: Callable[[Iterable[GameSummary], Sequence[Any]], Rows]
    statistics: Callable[[Sequence[Any]], Json]
    parts: Callable[[Sequence[Any]], Iterable[Part]]
    player_columns: tuple[str, ...]
    pictures: Callable[[Path, int], tuple[Path, ...]] = lambda folder, game_id: ()  # noqa: ARG005  # has none


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(Generic[TableT]):
    """A game's side of the page: the same value for every session.

    Events are folded into a `TableAccount` of the game's own type, by `opened` and `after`; everything that the page
    shows of the game on the table is a pure function of that account.

    Attributes:
        codec: the codec of the game's records; its name is the game's.
        title: its display name, a sentence.
        state: the type of its states, which distinguishes its events from those of other games.
        words: returns the sentences for an event; empty if there is nothing to say.
        turn_words: returns the sentence for whose turn it is; news that consist only of it are not listed.
        opened: returns the account of a newly opened game.
        after: returns the account after another event, given the account, the event, and a number that increases with
            all events of a session.
        snapshot: returns the game's part of the snapshot, in a language.
        archive: its stored games, or None if they are only listed.
        is_news: returns whether an event belongs in the news; False if the page shows it elsewhere.
        holds_up: returns whether a question holds the game up; False for a choice that belongs to a turn.
        waiting_for: returns a sentence about what the table is waiting for; may be empty.
        has_boards: whether boards must be in view before it can be played.
        visibility: returns the table's visibility, as the observer of the frames reports it.
        outlines: returns by seat the corners of each board's grid in the newest picture, in pixels; empty if unknown.
        exposure: returns the newest picture, or None before the first, given the observer and the account, which is
            None before the game is opened.
        desk: returns the game's own desk for one session, given a function that sends JSON of it to every page; None
            if it has none.
        silence: returns a sentence for why the table may be slow to answer, given the desk, or None without a reason.
        routes: the routes that only this game has, among them the one that begins it.
        virtual: the game's virtual table, or None if it has none.
        offer: returns the arrangement of the next game and the possible choices, or None if the page cannot begin one.
        colours: returns the players' colours in the page's notation, according to a game's notes.
    """

    codec: Codec[Any, Any, Any]
    title: str
    state: type
    words: Callable[[Any], Sequence[str]]
    turn_words: Callable[[Any], str]
    opened: Callable[[GameOpened[Any, Any]], TableT]
    after: Callable[[TableT, Any, int], TableT]
    snapshot: Callable[[TableT, Language], Json]
    archive: ArchivePage | None = None
    is_news: Callable[[Any], bool] = lambda _: True
    holds_up: Callable[[Any], bool] = lambda _: True
    waiting_for: Callable[[TableT, Visibility], str] = lambda *_: ""
    has_boards: bool = False
    visibility: Callable[[Any], Visibility] = lambda _: Visibility(camera=True)
    outlines: Callable[[Any], Mapping[int, Any]] = lambda _: {}
    exposure: Callable[[Any, TableT | None], Exposure | None] = _pictured
    desk: Callable[[Publish], GameDesk] | None = None
    silence: Callable[[Any], str | None] = lambda _: None
    routes: tuple[GameRoute[Any], ...] = ()
    virtual: VirtualSide[Any] | None = None
    offer: Callable[[SetupOffer], Json] | None = None
    colours: Callable[[Mapping[str, str]], tuple[str, ...]] = lambda _: page_colours(USUAL)

    @property
    def name(self) -> str:
        """The game's name in records."""
        return self.codec.name


GamePages: TypeAlias = Mapping[str, GamePage[Any]]
"""The games of a page by name; the first is the default."""


def side_of(games: GamePages, state: object) -> GamePage[Any]:
    """Return the game that a state belongs to.

    Raises:
        TypeError: it belongs to none of these games.
    """
    for side in games.values():
        if isinstance(state, side.state):
            return side
    raise TypeError(f"no page for a game with states of {type(state)}")
