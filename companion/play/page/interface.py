"""The interface of a game for a page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from companion.config.palette import USUAL, page_colours
from companion.languages import Language
from companion.play.events import Pending

if TYPE_CHECKING:
    from companion.journal import GameSummary
    from companion.play.events import GameOpened
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
        boards_seen: whether all empty boards are known; always true for a game without boards.
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


TableT = TypeVar("TableT", bound=TableAccount)


Publish: TypeAlias = "Callable[[str, Callable[[Language], Json]], None]"
"""A function that sends JSON of a topic to every page, in each reader's language."""


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


class GamePage(ABC, Generic[TableT]):
    """A game's side of the page: stateless, and the same object for every evening.

    Events are folded into a `TableAccount` of the game's own type, by `opened` and `after`; everything that the page
    shows of the game on the table is a pure function of that account.

    Attributes:
        codec: the codec of the game's records; its name is the game's.
        title: its display name, a sentence.
        state: the type of its states, which distinguishes its events from those of other games.
        routes: the routes that only this game has, among them the one that begins it.
        player_columns: the keys of a player's figures that are exported.
        virtual: the game's virtual table, or None if it has none.
    """

    codec: ClassVar[Codec[Any, Any, Any]]
    title: ClassVar[str]
    state: ClassVar[type]
    routes: ClassVar[tuple[GameRoute[Any], ...]] = ()
    player_columns: ClassVar[tuple[str, ...]] = ("name", "games", "won", "best", "mean")
    virtual: ClassVar[VirtualSide[Any] | None] = None

    @property
    def name(self) -> str:
        """The game's name in records."""
        return self.codec.name

    # Events.

    @abstractmethod
    def words(self, event: Any) -> Sequence[str]:
        """Return the sentences for an event; empty if there is nothing to say."""

    @abstractmethod
    def turn_words(self, state: Any) -> str:
        """Return the sentence for whose turn it is; news that consist only of it are not listed."""

    def is_news(self, event: Any) -> bool:
        """Return whether an event belongs in the news; False if the page shows it elsewhere."""
        del event
        return True

    @abstractmethod
    def opened(self, event: GameOpened[Any, Any]) -> TableT:
        """Return the account of a newly opened game."""

    @abstractmethod
    def after(self, table: TableT, event: Any, number: int) -> TableT:
        """Return the account after another event; `number` increases with all events of an evening."""

    # The snapshot.

    @abstractmethod
    def phase(self, table: TableT) -> str:
        """Return the phase for the page, as one word."""

    @abstractmethod
    def game(self, table: TableT) -> Json:
        """Return the snapshot's `game` without number, name and title: at least `decisions`."""

    @abstractmethod
    def snapshot(self, table: TableT, language: Language) -> Json:
        """Return the game's part of the snapshot: the keys that every snapshot has, and its own keys."""

    def absent(self) -> Json:
        """Return the game's own keys, null or empty, for a snapshot while the game is not on the table."""
        return {}

    def waiting_for(self, table: TableT, visibility: Visibility) -> str:
        """Return a sentence about what the table is waiting for; may be empty."""
        del table, visibility
        return ""

    def has_ended(self, snapshot: Json) -> bool:
        """Return whether a snapshot shows a finished game."""
        return bool(snapshot["result"])

    # The camera's pictures.

    def visibility(self, watch: Any) -> Visibility:
        """Return the table's visibility, as the observer `watch` reports it."""
        del watch
        return Visibility(camera=True, boards_seen=True)

    def page_visibility(self, visibility: Visibility) -> Visibility:
        """Return the visibility for the page; a game without boards does not report any as missing."""
        return visibility

    def exposure(self, watch: Any, table: TableT | None, desk: Any) -> Exposure | None:
        """Return the newest picture, or None before the first. `table` is None before the game is opened."""
        del watch, table, desk
        return None

    # The evening.

    def desk(self, publish: Publish) -> EveningDesk | None:
        """Return the game's own desk for one evening, or None if it has none."""
        del publish
        return None

    def silence(self, desk: Any) -> str | None:
        """Return a sentence for why the table may be slow to answer now, or None if there is no reason."""
        del desk
        return None

    # Setting up.

    def offer(self, offered: SetupOffer) -> Json:
        """Return the arrangement of the next game and the possible choices, as keys of the set-up's JSON."""
        del offered
        return {}

    # Stored games.

    def colours(self, notes: Mapping[str, str]) -> tuple[str, ...]:
        """Return the players' colours in the page's notation, according to a game's notes."""
        del notes
        return page_colours(USUAL)

    @abstractmethod
    def details(self, archived: ArchivedGame, language: Language) -> Json:
        """Return the details that a game's summary lacks: its setup, its decisions and its result."""

    @abstractmethod
    def replay(self, archived: ArchivedGame, desk: Any, language: Language) -> Json:
        """Return a game's states under `states` (the start, and one after each decision), and any further keys."""

    @abstractmethod
    def decisions_rows(self, archived: ArchivedGame) -> Rows:
        """Return a game's decisions, one row each."""

    @abstractmethod
    def games_rows(self, listed: Iterable[GameSummary], finished: Sequence[Any]) -> Rows:
        """Return all games, one row each.

        Args:
            listed: all games with at least one decision, the newest first.
            finished: the summaries of the finished ones, in the order in which they were begun.
        """

    @abstractmethod
    def statistics(self, finished: Sequence[Any]) -> Json:
        """Return the statistics of all finished games: `games`, `players`, `records`, and this game's own keys."""

    @abstractmethod
    def parts(self, finished: Sequence[Any]) -> Iterable[Part]:
        """Return the parts of all players in all finished games."""

    def pictures(self, folder: Path, game_id: int) -> tuple[Path, ...]:
        """Return the paths of pictures of a finished game, for the picture to share; empty if there are none."""
        del folder, game_id
        return ()


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
