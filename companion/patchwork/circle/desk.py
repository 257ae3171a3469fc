"""The desk at which users confirm or correct the seen circle, while the game is already under way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.rules import History
from companion.languages import Label, all_of, said
from companion.patchwork.circle.keeper import CircleKeeper, LaidOut
from companion.patchwork.circle.proposal import AN_ANSWER, AnswerError, CircleAnswer, PlaceIs, Proposal, parse_answer
from companion.patchwork.circle.seen import SeenMarket
from companion.patchwork.codec import Event
from companion.patchwork.naming import patch_name, patch_names
from companion.play.inbox import CommandRefusedError, Inbox, Outcome, Posted
from vision.geometry import Homography

Learn: TypeAlias = "Callable[[tuple[str, ...] | None], None]"
"""A function that enters a circle into a game; None means that it is unknown after all."""
# As many answers as all places of a circle need, a few times over.
_ANSWERS: Final = 200
_NOTHING: Final = said("There is no circle to confirm at this table now.")
_WRONG: Final = said(
    "So the circle is not as the camera saw it. Until it is corrected, any patch still in the box may be taken."
)


@dataclass(frozen=True, slots=True)
class _Game:
    """The game that the desk serves, with its callbacks: learn the circle, say a sentence, follow changes."""

    history: History
    learn: Learn
    say: Callable[[str], None]
    followers: tuple[Callable[[LaidOut], None], ...]


class CircleDesk:
    """The desk of one table, for game after game. `submit` may be called from any thread, all else from the turn loop.

    It is also an event listener: while a question is open, no circle is learnt that could make its answers illegal.

    Attributes:
        dress: the `Dress` of a simulated table's patches, for the page; None if they are of our own printing, and at
            real tables. May be read from any thread.
    """

    def __init__(self) -> None:
        self.dress: object = None
        self._lock = Lock()
        self._laid: LaidOut | None = None
        self._waiting = Inbox(_ANSWERS)
        self._game: _Game | None = None
        self._asked = False
        self._share: float | None = None
        self._refused: tuple[str, ...] | None = None
        self._number = 0
        self._followers: list[Callable[[LaidOut | None], None]] = []
        self._lines: Callable[[], Sequence[str]] | None = None

    @property
    def laid(self) -> LaidOut | None:
        """The circle at the desk, or None if there is none. May be read from any thread."""
        with self._lock:
            return self._laid

    @property
    def looking(self) -> bool:
        """True during a look at the circle, which takes seconds. May be read from any thread."""
        return self._share is not None

    @property
    def share(self) -> float | None:
        """The progress of the current look, 0..1, or None if there is none. May be read from any thread."""
        return self._share

    def look(self, share: float | None) -> None:
        """Publish the progress of the look at the circle, 0..1, or None when it has ended."""
        # A bare assignment, which other threads may read at any time.
        self._share = share
        for follower in self._followers:
            follower(self._laid)

    def follow(self, follower: Callable[[LaidOut | None], None]) -> None:
        """Subscribe to changes of the circle; the follower is called from the thread of the turn loop."""
        self._followers.append(follower)

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Accept typed lines, too; `lines` returns those that arrived since its last call, without waiting."""
        self._lines = lines

    def begin(
        self,
        history: History,
        learn: Learn | None,
        say: Callable[[str], None],
        follow: Callable[[LaidOut], None] = lambda _: None,
        keeper: CircleKeeper | None = None,
    ) -> CircleDesk | None:
        """Serve another game; if it was interrupted, its saved circle is restored.

        Args:
            history: the game.
            learn: enters the circle into the game; None if the circle is known or not wanted.
            say: announces a sentence to the players.
            follow: called with every change during this game, but not with a restored circle, which may have changed.
            keeper: stores the circle; None if it need not survive the program.

        Returns:
            The desk itself, or None if there is no circle to learn, or one was restored.
        """
        self._asked, self._refused, self._share = False, None, None
        saved = None if learn is None or keeper is None else keeper.saved()
        keep = () if keeper is None else (keeper.keep,)
        followers = (*keep, follow) if saved is None else keep
        self._game = None if learn is None else _Game(history, learn, say, followers)
        self._lay(saved)
        if saved is None:
            return None if learn is None else self
        self._say_what_is_open(saved.proposal, say)
        return None

    @property
    def is_read(self) -> bool:
        """True if the game uses a circle that was seen, rather than one that was dealt."""
        return self._game is not None and self._laid is not None and self._laid.known

    def withdraw(self) -> None:
        """Withdraw the seen circle from the game, because a patch was taken that could not be on offer by its order.

        The unclear parts of its order are asked again; until it is known, any patch in the box may be taken.
        """
        if self._laid is None or self._game is None:
            return
        self._refused = self._game.history.setup.market
        self._game.learn(None)
        self._lay(replace(self._laid, proposal=self._laid.proposal.reopened(), known=False))
        self._game.say(_WRONG)

    def leave(self) -> None:
        """Serve no game, because the one on the table has no circle; answers are refused from now on."""
        self._game, self._share, self._asked = None, None, False
        self._lay(None)
        # With no circle at the desk no further answer is queued.
        for posted in self._waiting.take():
            posted.refuse(CommandRefusedError(_NOTHING))

    def lay_out(
        self, seen: SeenMarket, image: NDArray[np.uint8], boards: Mapping[int, Homography] | None = None
    ) -> None:
        """Show a seen circle for confirmation; if nothing in it is doubtful, enter it into the game at once.

        The picture is of shape (height, width, 3), uint8, BGR; the boards map cell space to its pixels, by seat.
        """
        if self._game is None:
            return
        proposal = Proposal(seen)
        self._lay(LaidOut(0, proposal, image, boards or {}))
        self._settle()
        if not proposal.settled and seen.pieces:
            self._say_how(self._game.say)

    def submit(self, answer: CircleAnswer) -> Outcome:
        """Submit an answer about the circle; the future ends when it is applied, or with a CommandRefusedError."""
        with self._lock:
            # Queued under the lock, so that `leave` finds every answer that was put before the circle went.
            if self._laid is not None:
                return self._waiting.put(answer)
        # Without a circle at the desk no tick would process the answer.
        refused = Posted(answer)
        refused.refuse(CommandRefusedError(_NOTHING))
        return refused.outcome

    def notice(self, answer: PlaceIs) -> None:
        """Apply what play has shown about a place, unless the place is sure or was answered."""
        if self._laid is None:
            return
        proposal = self._laid.proposal
        # Play shows which piece it was, but not which of two neighbours comes first.
        unclear = {place for stretch in proposal.seen.unclear for place in stretch.places}
        open_ = {place.number for place in proposal.doubtful} - unclear
        if answer.place in open_:
            self._amend(self._laid, answer)

    def tick(self, now_s: float) -> None:
        """Apply the pending answers; a tick of the turn loop."""
        del now_s
        for line in self._lines() if self._lines is not None else ():
            self._take_line(line)
        for posted in self._waiting.take():
            self._take(posted)
        self._settle()

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        self._asked = event.pending.question is not None

    def close(self) -> None:
        """Refuse pending answers, at the end of the evening; may be called more than once."""
        self._waiting.close()

    def _take_line(self, line: str) -> None:
        if self._laid is None or self._game is None or not line.strip():
            return
        try:
            self._amend(self._laid, parse_answer(line))
        except AnswerError as error:
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
            says = said(
                'Type "{line}" for what lies in place {place}, or "ok" if all is as shown.', line=AN_ANSWER, place=7
            )
            say(says)

    def _take(self, posted: Posted) -> None:
        if self._laid is None or not isinstance(posted.command, CircleAnswer):
            posted.refuse(CommandRefusedError(_NOTHING))
            return
        try:
            self._amend(self._laid, posted.command)
        except AnswerError as error:
            posted.refuse(CommandRefusedError(error.args[0]))
            return
        posted.done()

    def _amend(self, laid: LaidOut, answer: CircleAnswer) -> None:
        self._lay(replace(laid, proposal=laid.proposal.after(answer), known=False))

    def _settle(self) -> None:
        """Enter the circle into the game once no place needs an answer any more."""
        laid, game = self._laid, self._game
        if laid is None or game is None or laid.known or self._asked:
            return
        market = laid.proposal.market()
        # A refused circle is not tried again with every frame, only when an answer changes it.
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
        # Outside the lock, because followers read `laid` in their turn.
        for follower in self._followers:
            follower(laid)
        if laid is not None and self._game is not None:
            for each in self._game.followers:
                each(laid)


def _say_open_places(proposal: Proposal, say: Callable[[str], None]) -> None:
    if places := proposal.doubtful:
        say(
            said(
                "Places in the circle still uncertain: {places}.",
                places=all_of([Label(place.number) for place in places]),
            )
        )


def _known(market: Sequence[str]) -> str:
    first = all_of(patch_names(market[:3]))
    return said("All {count} patches of the circle are known. It begins with {first}.", count=len(PATCHES), first=first)


def _disagrees(error: IllegalDecisionError) -> str:
    if error.patch is None:
        return said("The circle as you describe it does not match the moves so far.")
    return said(
        "The circle as you describe it does not match the moves so far: the {patch} could not have been taken.",
        patch=patch_name(error.patch),
    )
