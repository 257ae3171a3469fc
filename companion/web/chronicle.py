"""The account behind the page: an immutable summary of the evening, built from events, lights and visibility."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from companion.play import events
from companion.play.asking import NOTHING_ASKED, asked_after
from companion.play.page.account import Opening, TableAccount, Visibility
from companion.play.page.interface import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.play.page.interface import GamePage, GamePages, Happening
    from hardware.ports import RGB

KEPT_NEWS: Final = 30
"""In sentences; each snapshot has all of them."""

_KINDS: Final[Mapping[type, str]] = {
    events.GameOpened: "opened",
    events.LookStarted: "looking",
    events.LookCalledOff: "called-off",
    events.DecisionTaken: "taken",
    events.DecisionUndone: "undone",
    events.NothingToUndo: "nothing",
    events.Complained: "complaint",
    events.Asked: "question",
    events.QuestionAnswered: "answer",
    events.DecisionForeseen: "foreseen",
    events.ForesightLapsed: "lapsed",
    events.UndoForeseen: "foreseen",
    events.UndoLapsed: "lapsed",
    events.DoubtLapsed: "lapsed",
    events.TableNoticed: "notice",
}
TURN: Final = "turn"
"""The kind of a sentence that only announces the player to move."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """A sentence of news for the players.

    Attributes:
        number: its place among the sentences of the evening, from 1.
        kind: a value of `_KINDS`, or `TURN`.
        says: the sentence, translatable into each reader's language.
        first: the number of the first sentence about the same event.
    """

    number: int
    kind: str
    says: str
    first: int


@dataclass(frozen=True, slots=True)
class Account:
    """The data from which snapshots are made.

    Attributes:
        games: the kinds of games that may be played.
        number: increases with every change, except of the lights.
        game_id: the game's number in the journal, or None before it is opened.
        side: the kind of the game, or None before it is opened.
        table: the game's account, or None before it is opened.
        news: the latest sentences, the newest last.
        pixels: the strip of lights; empty if unknown.
        visibility: what the camera sees of the table.
        awaits: a sentence on what a table without a game waits for, or what prevents one; may be empty.
        over: whether the evening has ended.
        asked: the number of the open question, by which an answer names it; 0 if none is open.
    """

    games: GamePages
    number: int = 0
    game_id: int | None = None
    side: GamePage[Any] | None = None
    table: TableAccount | None = None
    news: tuple[NewsItem, ...] = ()
    pixels: tuple[RGB, ...] = ()
    visibility: Visibility = field(default_factory=Visibility)
    awaits: str = ""
    over: bool = False
    asked: int = NOTHING_ASKED


class Chronicle:
    """A listener for events that keeps the account up to date. Use it from one thread; accounts may go to any.

    Args:
        games: the kinds of games that may be played.
    """

    def __init__(self, games: GamePages) -> None:
        self._account = Account(games)
        self._items: deque[NewsItem] = deque(maxlen=KEPT_NEWS)
        self._count = 0
        self._decisions: tuple[Any, ...] = ()
        self._notes: Mapping[str, str] = {}

    @property
    def account(self) -> Account:
        """The current account."""
        return self._account

    def remember(self, decisions: Iterable[Any]) -> None:
        """Set the decisions of a resumed game, before it is opened."""
        self._decisions = tuple(decisions)

    def note(self, notes: Mapping[str, str]) -> None:
        """Set the notes of a game, before it is opened."""
        self._notes = notes

    def __call__(self, event: Happening) -> None:
        """Update the account by an event."""
        before = self._account
        account = replace(before, number=before.number + 1, awaits="", asked=asked_after(before.asked, event))
        side = side_of(account.games, event.state)
        # The account of another kind of game cannot take this event.
        table = account.table if account.side is side else None
        if isinstance(event, events.GameOpened):
            table = side.opened(Opening(event, table, self._decisions, self._notes))
            account = replace(account, game_id=event.game_id)
            # They belong to this game only; the next one may be new.
            self._decisions, self._notes = (), {}
        elif table is not None:
            table = side.after(table, event, account.number)
        self._append_news(side, event)
        self._account = replace(account, side=side, table=table, news=tuple(self._items))

    def set_lights(self, pixels: Sequence[RGB]) -> None:
        """Set the pixels of the strip; they do not change the account's number."""
        # Pixels have a topic of their own: a whole snapshot for each frame of the strip would be far too much.
        self._account = replace(self._account, pixels=tuple(pixels))

    def set_visibility(self, visibility: Visibility) -> bool:
        """Set the table's visibility; return whether it has changed."""
        if visibility == self._account.visibility:
            return False
        self._account = replace(self._account, number=self._account.number + 1, visibility=visibility)
        return True

    def await_game(self, says: str) -> None:
        """Set the sentence on what a table without a game waits for."""
        self._account = replace(self._account, number=self._account.number + 1, awaits=says)

    def end(self) -> None:
        """Record that the evening is over."""
        table = self._account.table
        # No result of a look can come any more, and the page would show that it is looking for ever.
        calm = None if table is None else replace(table, looking=False)
        self._account = replace(self._account, number=self._account.number + 1, over=True, table=calm)

    def _append_news(self, side: GamePage[Any], event: Happening) -> None:
        if not side.is_news(event):
            return
        first = self._count + 1
        for says in side.words(event):
            self._count += 1
            self._items.append(NewsItem(self._count, _kind(side, event, says), says, first))


def _kind(side: GamePage[Any], event: Happening, says: str) -> str:
    """Return the event's kind, or `TURN` for a sentence that the page shows by itself and does not list."""
    taken = isinstance(event, events.DecisionTaken | events.QuestionAnswered)
    return TURN if taken and says == side.turn_words(event.state) else _KINDS[type(event)]
