"""Where the circle that was seen lies out for people: they confirm or correct it while the game goes on already."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

from companion.events import Asked, QuestionAnswered
from companion.games.patchwork import PATCHES, IllegalDecisionError
from companion.inbox import CommandRefusedError, LetterBox, Posted
from companion.languages import all_of, said
from companion.market.confirming import Proposal, TellingError, told_in
from companion.market.ordering import unclear_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    from companion.events import Event
    from companion.games.patchwork import History
    from companion.market.confirming import PlaceIs, Telling
    from companion.market.seen import SeenMarket
    from vision.homography import Homography

_NOTHING: Final = said("There is no circle to confirm at this table now.")


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """A circle as it lies out.

    Attributes:
        number: rises with every change.
        proposal: what was seen, and what people have said of it.
        image: the picture in which it was seen, shape (height, width, 3), uint8, BGR.
        boards: by seat, the maps from cell space to that picture's pixels.
        known: whether the game knows the circle like this.
    """

    number: int
    proposal: Proposal
    image: NDArray[np.uint8]
    boards: Mapping[int, Homography] = field(default_factory=dict)
    known: bool = False


@dataclass(frozen=True, slots=True)
class _Game:
    """What the desk works for: the game, what takes its circle, tells people a sentence, and hears of changes."""

    history: History
    learn: Callable[[tuple[str, ...]], None]
    say: Callable[[str], None]
    followers: tuple[Callable[[LaidOut], None], ...]


class Keeper(Protocol):
    """Keeps what lies out for as long as the game is not over, whatever happens to the program."""

    def keep(self, laid: LaidOut) -> None:
        """Keep what lies out now."""

    def kept(self) -> LaidOut | None:
        """What lay out when the game was cut off; None where nothing did."""


class CircleDesk:
    """One table's, for game after game. `tell` may be called from any thread; all else belongs to the turn loop.

    It is a listener besides: while a question is open, nothing is learnt that could make its answers illegal.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._laid: LaidOut | None = None
        self._tellings: LetterBox[Telling, None] = LetterBox()
        self._game: _Game | None = None
        self._asked = False
        self._share: float | None = None
        self._refused: tuple[str, ...] | None = None
        self._number = 0
        self._followers: list[Callable[[LaidOut | None], None]] = []
        self._lines: Callable[[], Sequence[str]] | None = None

    @property
    def laid(self) -> LaidOut | None:
        """The circle that lies out; None where there is none. May be asked from any thread."""
        with self._lock:
            return self._laid

    @property
    def looking(self) -> bool:
        """Whether the circle is being looked at, which takes seconds. May be asked from any thread."""
        return self._share is not None

    @property
    def share(self) -> float | None:
        """How far that look has come, 0..1; None where there is none. May be asked from any thread."""
        return self._share

    def look(self, share: float | None) -> None:
        """Have people know how far the look at the circle has come, 0..1; None: it is over."""
        self._share = share
        for follower in self._followers:
            follower(self._laid)

    def follow(self, follower: Callable[[LaidOut | None], None]) -> None:
        """Be told of every change, from the thread of the turn loop."""
        self._followers.append(follower)

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Take lines that somebody types, too; what gives those that have come since, without waiting."""
        self._lines = lines

    def begin(
        self,
        history: History,
        learn: Callable[[tuple[str, ...]], None] | None,
        say: Callable[[str], None],
        follow: Callable[[LaidOut], None] = lambda _: None,
        keeper: Keeper | None = None,
    ) -> CircleDesk | None:
        """Work for another game; what lay out when it was cut off lies out again.

        Args:
            history: the game.
            learn: takes the circle; None where it is known, or nobody wants to.
            say: has a sentence told to the players.
            follow: is told of every change as long as this game is on the table; not of a circle that lies out again,
                for nobody saw what has happened to it meanwhile.
            keeper: keeps what lies out; None where nothing need outlive the program.

        Returns:
            The desk itself; None where there is nothing to learn, or it lies out already.
        """
        self._asked, self._refused, self._share = False, None, None
        kept = None if learn is None or keeper is None else keeper.kept()
        keep = () if keeper is None else (keeper.keep,)
        followers = (*keep, follow) if kept is None else keep
        self._game = None if learn is None else _Game(history, learn, say, followers)
        self._lay(kept)
        if kept is None:
            return None if learn is None else self
        self._say_what_is_open(kept.proposal, say)
        return None

    def leave(self) -> None:
        """Work for no game: another one is on the table, which has no circle. Who has something to say is told so."""
        self._game, self._share, self._asked = None, None, False
        self._lay(None)
        for posted in self._tellings.take():
            posted.refuse(CommandRefusedError(_NOTHING))

    def lay_out(
        self, seen: SeenMarket, image: NDArray[np.uint8], boards: Mapping[int, Homography] | None = None
    ) -> None:
        """Lay out what was seen; where nothing in it is doubtful, the game learns it at once.

        Args:
            seen: the circle.
            image: the picture in which it was seen, shape (height, width, 3), uint8, BGR.
            boards: by seat, the maps from cell space to its pixels.
        """
        if self._game is None:
            return
        proposal = Proposal(seen)
        self._lay(LaidOut(0, proposal, image, boards or {}))
        self._settle()
        if not proposal.settled and seen.pieces:
            self._say_how(self._game.say)

    def tell(self, telling: Telling) -> Future[None]:
        """Say something of the circle; the future ends once that is noted, or in a CommandRefusedError."""
        with self._lock:
            if self._laid is not None:
                return self._tellings.put(telling)
        # Nobody takes it down where no circle lies out.
        refused: Posted[Telling, None] = Posted(telling)
        refused.refuse(CommandRefusedError(_NOTHING))
        return refused.outcome

    def notice(self, telling: PlaceIs) -> None:
        """Take what play has shown of a place; what is sure already, or what people have said of it, stands."""
        if self._laid is None:
            return
        proposal = self._laid.proposal
        # Which piece it was, play shows; not which of two neighbours comes first.
        open_ = {place.number for place in proposal.doubtful} - unclear_order(proposal.seen.pieces).keys()
        if telling.place in open_:
            self._amend(self._laid, telling)

    def tick(self, now_s: float) -> None:
        """Note what was said; a tick of the turn loop."""
        del now_s
        for line in self._lines() if self._lines is not None else ():
            self._take_line(line)
        for posted in self._tellings.take():
            self._take(posted)
        self._settle()

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, Asked):
            self._asked = True
        elif isinstance(event, QuestionAnswered):
            self._asked = False

    def close(self) -> None:
        """Nobody plays any more; may be called more than once."""
        self._tellings.close()

    def _take_line(self, line: str) -> None:
        if self._laid is None or self._game is None or not line.strip():
            return
        try:
            self._amend(self._laid, told_in(line))
        except TellingError as error:
            self._game.say(error.args[0])
            return
        if not self._laid.known:
            _say_open_places(self._laid.proposal, self._game.say)

    def _say_what_is_open(self, proposal: Proposal, say: Callable[[str], None]) -> None:
        if proposal.settled:
            return
        _say_open_places(proposal, say)
        self._say_how(say)

    def _say_how(self, say: Callable[[str], None]) -> None:
        if self._lines is not None:
            say(
                said('Type "{line}" for what lies in place {place}, or "ok" if all is as shown.', line="7 tee", place=7)
            )

    def _take(self, posted: Posted[Telling, None]) -> None:
        if self._laid is None:
            posted.refuse(CommandRefusedError(_NOTHING))
            return
        try:
            self._amend(self._laid, posted.command)
        except TellingError as error:
            posted.refuse(CommandRefusedError(error.args[0]))
            return
        posted.done(None)

    def _amend(self, laid: LaidOut, telling: Telling) -> None:
        self._lay(replace(laid, proposal=laid.proposal.after(telling), known=False))

    def _settle(self) -> None:
        """Let the game learn the circle once nobody needs to be asked any more."""
        laid, game = self._laid, self._game
        if laid is None or game is None or laid.known or self._asked:
            return
        market = laid.proposal.market()
        if market is None or market == self._refused:
            return
        is_news = market != game.history.setup.market
        try:
            if is_news:
                game.learn(market)
        except IllegalDecisionError as error:
            self._refused = market
            game.say(_disagrees(error))
            return
        self._lay(replace(laid, known=True))
        if is_news:
            game.say(_known(market))

    def _lay(self, laid: LaidOut | None) -> None:
        self._number += 1
        laid = None if laid is None else replace(laid, number=self._number)
        with self._lock:
            self._laid = laid
        for follower in self._followers:
            follower(laid)
        if laid is not None and self._game is not None:
            for each in self._game.followers:
                each(laid)


def _say_open_places(proposal: Proposal, say: Callable[[str], None]) -> None:
    if places := proposal.doubtful:
        say(said("Still open: {places}.", places=all_of([str(place.number) for place in places])))


def _known(market: Sequence[str]) -> str:
    first = all_of(market[:3])
    return said("The circle is known, all {count} patches. It begins with {first}.", count=len(PATCHES), first=first)


def _disagrees(error: IllegalDecisionError) -> str:
    if error.patch is None:
        return said("The circle as it is said to lie does not agree with what was played.")
    return said(
        "The circle as it is said to lie does not agree with what was played: {patch} could not be taken then.",
        patch=error.patch,
    )
