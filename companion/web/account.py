"""The account behind the page, from events, lights and visibility; its snapshot; and the camera's pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from threading import Lock
from typing import Any, Final

from companion.journal import GameSummary
from companion.languages import ENGLISH, Language, render
from companion.lights import CYCLE_S
from companion.pictures import jpeg
from companion.play import events
from companion.play.events import NOTHING_ASKED
from companion.play.friend import FriendStatus, friend_in
from companion.play.page import (
    Exposure,
    GamePage,
    GamePages,
    Happening,
    Json,
    Picture,
    TableAccount,
    Visibility,
    side_of,
)
from companion.web.requests import MissingError
from hardware.ports import RGB, Frame

JPEG_QUALITY: Final = 80
# The number of encoded pictures cached; only the newest few are requested again.
_KEPT: Final = 8


class NoPictureError(MissingError):
    """Raised for a picture that does not exist (yet); the message is a sentence."""


class Gallery:
    """A store of two exposures: the newest, and that of the latest question or complaint.

    `keep` and `show` are called from the turn loop's thread; pictures may be requested from any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._newest: Exposure | None = None
        self._questioned: Exposure | None = None
        # Apart from the other lock, so that drawing does not hold up the turn loop.
        self._drawing = Lock()
        self._drawn: dict[tuple[object, ...], bytes] = {}

    def keep(self, exposure: Exposure) -> None:
        """Store the newest exposure, and also as that of the question if it has a new one."""
        with self._lock:
            self._newest = exposure
            asked = None if self._questioned is None else self._questioned.question
            # The first picture of a question is the one that was read; later ones may show a hand that points at it.
            if exposure.question not in (None, asked):
                self._questioned = exposure

    @property
    def newest_frame(self) -> Frame | None:
        """The newest frame, or None before the first."""
        with self._lock:
            return None if self._newest is None else self._newest.frame

    def show(self, frame: Frame) -> None:
        """Store the newest frame of a table without a game."""
        with self._lock:
            self._newest = Exposure(frame)

    def camera_jpeg(self, *, reading: bool) -> bytes:
        """Return the newest frame as JPEG, with the reading drawn in if `reading` is set.

        Raises:
            NoPictureError: no frame has come yet.
        """
        with self._lock:
            exposure = self._newest
        if exposure is None:
            raise NoPictureError.said("There is no picture yet.")
        draw, image = exposure.reading if reading else None, exposure.frame.image
        return self._drawn_once(("camera", exposure.frame.name, reading), draw or (lambda: image))

    def crop_jpeg(self, seat: int) -> bytes:
        """Return a rectified crop of a seat's board or sheet as JPEG, with doubtful places marked.

        Raises:
            NoPictureError: no frame has come yet, or the board was out of view.
        """
        with self._lock:
            exposure = self._questioned or self._newest
        if exposure is None:
            raise _unseen(seat)
        crop = exposure.crop

        def draw() -> Picture:
            if (picture := crop(seat)) is None:
                raise _unseen(seat)
            return picture

        return self._drawn_once(("crop", exposure.frame.name, exposure.question, seat), draw)

    def _drawn_once(self, key: tuple[object, ...], draw: Callable[[], Picture]) -> bytes:
        """Return a picture as JPEG, drawn and encoded once for all requests with the same key."""
        with self._drawing:
            if key not in self._drawn:
                if len(self._drawn) >= _KEPT:
                    # All at once: the names of frames never come again, so that an order of use would gain nothing.
                    self._drawn.clear()
                self._drawn[key] = jpeg(draw(), JPEG_QUALITY)
            return self._drawn[key]


def _unseen(seat: int) -> NoPictureError:
    return NoPictureError.said("There is no picture: the board of seat {seat} has not been in view.", seat=seat)


EVERY_S: Final = 0.1
"""The least time between two frames sent to pages, which need fewer than the strip shows."""
SLOTS: Final = 8
"""The number of frames in a loop: enough for a smooth pulse if the page fades from one to the next."""
CALM_S: Final = 2 * CYCLE_S
"""The time without a change against earlier cycles after which the strip counts as looping."""
# The tolerance of a frame against the loop, in levels of 255: frames do not come at the same points of every cycle.
_NEAR: Final = 28


class StripFilm:
    """A filter of the strip's frames that returns only what pages do not know yet. Use it from one thread."""

    def __init__(self) -> None:
        self._seen: list[tuple[RGB, ...] | None] = [None] * SLOTS
        self._spans: list[list[tuple[int, int]]] = [[] for _ in range(SLOTS)]
        self._changed_s, self._sent_s = float("inf"), float("-inf")
        self._sent: tuple[RGB, ...] = ()
        self._loops = False

    def restart(self) -> None:
        """Return to single frames, after an event at the table."""
        self._changed_s, self._loops = float("inf"), False
        self._spans = [[] for _ in range(SLOTS)]

    def take(self, pixels: Sequence[RGB], now_s: float) -> Json | None:
        """Return the message for the current frame, or None if pages need none.

        Args:
            pixels: the frame.
            now_s: the time on a monotonic clock, in seconds.
        """
        frame = tuple(pixels)
        slot = int(now_s % CYCLE_S / CYCLE_S * SLOTS) % SLOTS
        if not self._is_known(frame, slot) or self._changed_s > now_s:
            self._changed_s, self._loops = now_s, False
        self._seen[slot] = frame
        if self._loops or now_s - self._sent_s < EVERY_S:
            return None
        if now_s - self._changed_s >= CALM_S:
            self._loops = True
            return self._loop(frame)
        if frame == self._sent:
            return None
        self._sent, self._sent_s = frame, now_s
        return {"pixels": colours(frame)}

    def _is_known(self, frame: tuple[RGB, ...], slot: int) -> bool:
        """Return whether every pixel is about as bright as in earlier cycles, in this slot or a neighbouring one.

        Frames fall at different points of every cycle, so that levels are compared with their range over all cycles
        since the last event. This frame then widens the range.
        """
        levels = [level for pixel in frame for level in pixel]
        around = [self._spans[(slot + step) % SLOTS] for step in (-1, 0, 1)]
        known = [span for span in around if len(span) == len(levels)]
        fits = bool(known) and all(
            min(span[place][0] for span in known) - _NEAR <= level <= max(span[place][1] for span in known) + _NEAR
            for place, level in enumerate(levels)
        )
        span = self._spans[slot]
        old = span if len(span) == len(levels) else [(level, level) for level in levels]
        both = zip(old, levels, strict=True)
        self._spans[slot] = [(min(low, level), max(high, level)) for (low, high), level in both]
        return fits

    def _loop(self, frame: tuple[RGB, ...]) -> Json | None:
        seen = [one or frame for one in self._seen]
        if all(one == self._sent for one in seen):
            return None
        # A loop has been sent: whatever frame follows it is news.
        self._sent = ()
        return {"pixels": colours(frame), "loop": [colours(one) for one in seen], "loop_s": CYCLE_S}


def colours(pixels: Sequence[RGB]) -> list[str]:
    """Return the strip's pixels as CSS colours."""
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels]


VERSION: Final = 1
"""The version of the snapshot's format; new keys do not change it."""


def snapshot(account: Account, language: Language = ENGLISH) -> Json:
    """Return the snapshot of an account, with sentences in a language.

    What belongs to a game is nested under the game's name, which is null while another game, or none, is on the table.
    """
    side, table = account.side, account.table
    return {
        "version": VERSION,
        "number": account.number,
        "phase": "waiting" if side is None or table is None else table.phase,
        "over": account.over,
        "game": _game(account, language),
        "friend": _friend(account),
        "asked": NOTHING_ASKED if table is None else table.pending.number,
        "news": [_item_json(news, language) for news in account.news],
        "strip": {"pixels": colours(account.pixels)},
        "table": _table(account, language),
        **dict.fromkeys(account.games),
        **({} if side is None or table is None else {side.name: side.snapshot(table, language)}),
    }


def _friend(account: Account) -> Json | None:
    friend, table = account.friend, account.table
    if friend is None:
        return None
    name = "" if table is None else table.state.setup.players[friend.seat - 1]
    return {"name": name, **asdict(friend), "code": friend.shown_code}


def _game(account: Account, language: Language) -> Json | None:
    side, table = account.side, account.table
    if side is None or table is None:
        return None
    return {
        "id": account.game_id,
        "name": side.name,
        "title": render(side.title, language),
        "decisions": table.state.decisions_made,
        "finished": bool(table.state.finished),
    }


def _item_json(news: NewsItem, language: Language) -> Json:
    return {"number": news.number, "kind": news.kind, "says": render(news.says, language), "first": news.first}


def _table(account: Account, language: Language) -> Json:
    visibility, side = account.visibility, account.side
    return {
        "camera": visibility.camera,
        "awaited": visibility.awaited and not visibility.camera,
        "boards_seen": visibility.boards_seen or (side is not None and not side.has_boards),
        "in_view": list(visibility.in_view),
        "looking": account.table is not None and account.table.pending.looking,
        "waiting_for": render(_waiting_for(account), language),
        "interrupted": _interrupted(account),
    }


def _interrupted(account: Account) -> Json | None:
    game = account.interrupted
    if game is None or account.over:
        return None
    return {
        "id": game.game_id,
        "game": game.game,
        "players": list(game.players or ()),
        "decisions": game.decisions if game.error is None else game.whole,
        "damaged": game.error is not None,
    }


def _waiting_for(account: Account) -> str:
    if account.over:
        return ""
    side, table = account.side, account.table
    says = "" if side is None or table is None else side.waiting_for(table, account.visibility)
    return says or account.awaits


NEWS_LIMIT: Final = 30
"""In sentences; each snapshot has all of them."""

NOTICE: Final = "notice"
"""The kind of a sentence on what the table has noticed by itself, such as a lamp that is reflected in a board."""
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
    events.DecisionProposed: "proposed",
    events.ForesightLapsed: "lapsed",
    events.UndoForeseen: "foreseen",
    events.UndoLapsed: "lapsed",
    events.DoubtLapsed: "lapsed",
    events.TableNoticed: NOTICE,
}
TURN: Final = "turn"
"""The kind of a sentence that only announces the player to move."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """A sentence of news for the players.

    Attributes:
        number: its place among the sentences of the session, from 1.
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
        friend: the friend at another table, who is awaited if there is no game; None if all players are at this one.
        news: the latest sentences, the newest last.
        pixels: the strip of lights; empty if unknown.
        visibility: what the camera sees of the table.
        awaits: a sentence on what a table without a game waits for, or what prevents one; may be empty.
        interrupted: the interrupted game that players may resume, while the table waits for their answer; else None.
        over: whether the session has ended.
    """

    games: GamePages
    number: int = 0
    game_id: int | None = None
    side: GamePage[Any] | None = None
    table: TableAccount | None = None
    friend: FriendStatus | None = None
    news: tuple[NewsItem, ...] = ()
    pixels: tuple[RGB, ...] = ()
    visibility: Visibility = field(default_factory=Visibility)
    awaits: str = ""
    interrupted: GameSummary | None = None
    over: bool = False


class AccountBuilder:
    """A listener for events that keeps the account up to date. Use it from one thread; accounts may go to any.

    Args:
        games: the kinds of games that may be played.

    Attributes:
        account: the current account.
    """

    def __init__(self, games: GamePages) -> None:
        self.account = Account(games)
        self._items: deque[NewsItem] = deque(maxlen=NEWS_LIMIT)
        self._count = 0

    def __call__(self, event: Happening) -> None:
        """Update the account by an event."""
        before = self.account
        account = replace(before, number=before.number + 1, awaits="", interrupted=None)
        side = side_of(account.games, event.state)
        # The account of another kind of game cannot take this event.
        table = account.table if account.side is side else None
        if isinstance(event, events.GameOpened):
            table = side.opened(event)
            friend = friend_in(event.notes)
            status = None if friend is None else FriendStatus(friend.seat, friend.code)
            account = replace(account, game_id=event.game_id, friend=status)
        elif isinstance(event, events.TableNoticed) and isinstance(event.about, FriendStatus):
            account = replace(account, friend=event.about)
        elif isinstance(event, events.DecisionTaken | events.DecisionUndone) and account.friend is not None:
            account = replace(account, friend=replace(account.friend, wish=0))
        if table is not None and not isinstance(event, events.GameOpened):
            table = side.after(table, event, account.number)
        self._append_news(side, event)
        self.account = replace(account, side=side, table=table, news=tuple(self._items))

    def set_lights(self, pixels: Sequence[RGB]) -> None:
        """Set the pixels of the strip; they do not change the account's number."""
        # Pixels have a topic of their own: a whole snapshot for each frame of the strip would be far too much.
        self.account = replace(self.account, pixels=tuple(pixels))

    def set_visibility(self, visibility: Visibility) -> bool:
        """Set the table's visibility; return whether it has changed."""
        if visibility == self.account.visibility:
            return False
        self.account = replace(self.account, number=self.account.number + 1, visibility=visibility)
        return True

    def await_game(self, says: str, interrupted: GameSummary | None = None, friend: FriendStatus | None = None) -> None:
        """Set the sentence on what a table without a game waits for, and the game that may be resumed.

        Args:
            says: the sentence.
            interrupted: the game.
            friend: the friend at another table who is awaited, in place of any game before; None if none is.
        """
        before = self.account
        if friend is not None:
            before = replace(before, side=None, table=None, game_id=None, friend=friend)
        elif before.table is None:
            before = replace(before, friend=None)
        self.account = replace(before, number=before.number + 1, awaits=says, interrupted=interrupted)

    def end(self) -> None:
        """Record that the session is over."""
        table = self.account.table
        # No result of a look can come any more, and the page would show that it is looking for ever.
        calm = None if table is None else replace(table, pending=replace(table.pending, looking=False))
        self.account = replace(self.account, number=self.account.number + 1, over=True, table=calm)

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
