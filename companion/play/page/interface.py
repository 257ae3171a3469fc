"""The interface of a game for a page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from companion.config.palette import USUAL, page_colours
from companion.journal import GameSummary
from companion.languages import Language
from companion.play.events import GameOpened, Pending
from companion.play.page.routes import ArchivedGame, Exposure, GameRoute, Json, Part, Rows, SetupOffer
from companion.record import Codec

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

    @property
    def decisions_made(self) -> int:
        """The number of decisions that were not taken back."""
        return int(self.state.decisions_made)


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


class EveningDesk(Protocol):
    """The part of an evening that belongs to one game: a circle of patches to confirm, a sheet for all players."""

    def leave(self) -> None:
        """Stop serving the game: another one is on the table, or is being set up."""

    def close(self) -> None:
        """Refuse all further requests; may be called more than once."""


def _says_nothing(table: Any, visibility: Visibility) -> str:
    del table, visibility
    return ""


def _pictured(watch: Any, table: Any) -> Exposure | None:
    del table
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
    """A game's side of the page: the same value for every evening.

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
            all events of an evening.
        snapshot: returns the game's part of the snapshot, in a language.
        archive: its stored games, or None if they are only listed.
        is_news: returns whether an event belongs in the news; False if the page shows it elsewhere.
        waiting_for: returns a sentence about what the table is waiting for; may be empty.
        has_boards: whether boards must be in view before it can be played.
        visibility: returns the table's visibility, as the observer of the frames reports it.
        exposure: returns the newest picture, or None before the first, given the observer and the account, which is
            None before the game is opened.
        desk: returns the game's own desk for one evening, given a function that sends JSON of it to every page; None
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
    waiting_for: Callable[[TableT, Visibility], str] = _says_nothing
    has_boards: bool = False
    visibility: Callable[[Any], Visibility] = lambda _: Visibility(camera=True)
    exposure: Callable[[Any, TableT | None], Exposure | None] = _pictured
    desk: Callable[[Publish], EveningDesk] | None = None
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
