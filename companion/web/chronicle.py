"""Keeps what the page shows up to date: events, lights and looks go in, one immutable account comes out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from companion import events
from companion.kvilt.choices import Asks, Choice
from companion.kvilt.news import is_of_kvilt
from companion.palette import USUAL, page_colours
from companion.sentences import sentences, turn_sentence
from companion.web.kvilt import after

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.patchwork import Decision, Fact, State
    from companion.kvilt.news import AnyEvent
    from companion.kvilt.news import Event as KviltEvent
    from companion.verdict import Complaint
    from companion.web.kvilt import SheetTable
    from hardware.ports import RGB

KEPT_NEWS: Final = 30

_KINDS: Final = {
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
    events.DoubtLapsed: "lapsed",
    events.TableNoticed: "notice",
}
TURN: Final = "turn"
"""Of a sentence that only says whose turn it is."""


@dataclass(frozen=True, slots=True)
class News:
    """A sentence for the players.

    Attributes:
        number: counts the sentences of the evening, from 1.
        kind: what it is about, a word of `_KINDS`, or `TURN`.
        says: the sentence, for each reader in the own language.
        first: the number of the first sentence about the same event.
    """

    number: int
    kind: str
    says: str
    first: int


@dataclass(frozen=True, slots=True)
class Sighted:
    """How the table looks to the companion.

    Attributes:
        camera: whether frames are coming.
        awaited: whether the first of them may still come; the camera has just been opened.
        boards_seen: whether both empty boards are known.
        in_view: the seats whose board is in the latest frame.
    """

    camera: bool = False
    awaited: bool = True
    boards_seen: bool = False
    in_view: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """All that a snapshot is made of.

    Attributes:
        number: counts what has happened.
        game_id: the game's number in the journal; None before it is opened.
        state: the rules' state; None before the game is opened.
        decisions: what was decided so far.
        facts: what the latest decision brought about; empty where it was taken back or is of another evening.
        looking: whether the companion is looking at the table.
        asked: the open question.
        complaint: what is wrong with the table, until somebody does something about it.
        foreseen: the decision that will be taken at the end of its pause.
        looked_at: the number at the latest question or complaint.
        news: the latest sentences, the newest last.
        pixels: the strip of lights; empty where nothing is known of it.
        sighted: how the table looks.
        awaits: what a table without a game waits for, or what keeps it from beginning one; empty where nobody said.
        over: whether the evening has ended.
        colours: of seat 1 and seat 2, as a page writes them.
        kvilt: the table, where Kvilt is played at it; None for Patchwork.
    """

    number: int = 0
    game_id: int | None = None
    state: State | None = None
    decisions: tuple[Decision, ...] = ()
    facts: tuple[Fact, ...] = ()
    looking: bool = False
    asked: events.Asked | None = None
    complaint: Complaint | None = None
    foreseen: events.DecisionForeseen | None = None
    looked_at: int = 0
    news: tuple[News, ...] = ()
    pixels: tuple[RGB, ...] = ()
    sighted: Sighted = field(default_factory=Sighted)
    awaits: str = ""
    over: bool = False
    colours: tuple[str, str] = page_colours(USUAL)
    kvilt: SheetTable | None = None


class Chronicle:
    """A listener for events. All its methods belong to one thread; the accounts it gives may go anywhere."""

    def __init__(self) -> None:
        self._account = Account()
        self._news: deque[News] = deque(maxlen=KEPT_NEWS)
        self._told = 0

    @property
    def account(self) -> Account:
        """What is known now."""
        return self._account

    def remember(self, decisions: Iterable[Decision]) -> None:
        """Learn of the decisions of a game that goes on, before it is opened."""
        self._account = replace(self._account, decisions=tuple(decisions))

    def __call__(self, event: AnyEvent) -> None:
        """Take note of an event."""
        account = replace(self._account, number=self._account.number + 1, awaits="")
        if is_of_kvilt(event):
            account = _after_kvilt(account, event)
        else:
            account = _after(replace(account, state=event.state, kvilt=None), event)
        self._tell(event)
        self._account = replace(account, news=tuple(self._news))

    def dress(self, colours: tuple[str, str]) -> None:
        """Learn of the players' colours, before their game is opened."""
        self._account = replace(self._account, colours=colours)

    def lights(self, pixels: Sequence[RGB]) -> None:
        """Take note of what the strip shows; it is in the next account, but no reason for a new number."""
        self._account = replace(self._account, pixels=tuple(pixels))

    def sight(self, sighted: Sighted) -> bool:
        """Take note of how the table looks; whether that is news."""
        if sighted == self._account.sighted:
            return False
        self._account = replace(self._account, number=self._account.number + 1, sighted=sighted)
        return True

    def await_game(self, says: str) -> None:
        """Take note of what a table without a game waits for."""
        self._account = replace(self._account, number=self._account.number + 1, awaits=says)

    def end(self) -> None:
        """Take note that the evening is over."""
        self._account = replace(self._account, number=self._account.number + 1, over=True, looking=False)

    def _tell(self, event: AnyEvent) -> None:
        question = event.question if isinstance(event, events.Asked) else None
        if isinstance(question, Choice) and question.asks is not Asks.DOUBT:
            return  # The page shows what is to be chosen by itself, and a trouble was told before.
        first = self._told + 1
        for says in sentences(event):
            self._told += 1
            self._news.append(News(self._told, _kind(event, says), says, first))


def _kind(event: AnyEvent, says: str) -> str:
    """What a sentence is about; the page shows whose turn it is by itself, and does not list what says only that."""
    taken = isinstance(event, events.DecisionTaken | events.QuestionAnswered)
    return TURN if taken and says == turn_sentence(event.state) else _KINDS[type(event)]


def _after_kvilt(account: Account, event: KviltEvent) -> Account:
    """Likewise for Kvilt."""
    looking = isinstance(event, events.LookStarted) or (account.looking and isinstance(event, events.TableNoticed))
    game_id = event.game_id if isinstance(event, events.GameOpened) else account.game_id
    kvilt = after(account.kvilt, event)
    # What Patchwork was about is over when Kvilt is opened after it.
    account = replace(_calm(account), state=None, decisions=(), facts=())
    return replace(account, looking=looking, game_id=game_id, kvilt=kvilt)


def _after(account: Account, event: events.Event) -> Account:
    """The account with what the event changes; the state is in it already."""
    match event:
        case events.GameOpened(game_id=game_id, decisions=made):
            return replace(_calm(account), game_id=game_id, decisions=account.decisions[:made], facts=())
        case events.DecisionTaken(decision=decision, facts=facts):
            return replace(_calm(account), decisions=(*account.decisions, decision), facts=facts)
        case events.DecisionUndone():
            return replace(_calm(account), decisions=account.decisions[:-1], facts=())
        case events.LookStarted():
            return replace(_calm(account), looking=True)
        case (
            events.LookCalledOff() | events.QuestionAnswered() | events.ForesightLapsed() | events.DoubtLapsed()
        ):
            return _calm(account)
        case _:
            return _interrupted(account, event)


def _interrupted(account: Account, event: events.Event) -> Account:
    match event:
        case events.Asked():
            looked_at = account.number if account.asked is None else account.looked_at
            return replace(_calm(account), asked=event, looked_at=looked_at)
        case events.Complained(complaint=complaint):
            return replace(_calm(account), complaint=complaint, looked_at=account.number)
        case events.DecisionForeseen():
            return replace(_calm(account), foreseen=event)
        case _:
            return account


def _calm(account: Account) -> Account:
    """Nothing is under way."""
    return replace(account, looking=False, asked=None, complaint=None, foreseen=None)
