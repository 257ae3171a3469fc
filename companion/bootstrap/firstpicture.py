"""The first picture of the empty boards: what to improve before the game, and which patches lie in the circle."""

from __future__ import annotations

import logging
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from companion.firstlook import first_look
from companion.games.patchwork import PATCHES, SMALLEST_PATCH
from companion.market import SeenMarket, see_market

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import History, Setup
    from companion.journal import Book
    from companion.reader.watch import TableWatch
    from vision.homography import Homography

_LOG: Final = logging.getLogger(__name__)
_OPEN: Final = "So any patch still in the box may be taken."

P = ParamSpec("P")
T = TypeVar("T")


class AtOnce(Executor):
    """Does what it is given before it returns: for evenings that must not depend on how fast the machine is."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor.submit`."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True, slots=True)
class Impression:
    """What a picture of the table with its empty boards tells.

    Attributes:
        advice: what to improve before the game, as sentences.
        seen: the circle of patches; None where nobody wanted to know.
    """

    advice: tuple[str, ...]
    seen: SeenMarket | None


class FirstPicture:
    """Looks at the table once, when both empty boards have come to rest, unless something has been decided before.

    Args:
        watch: sees the boards.
        history: the game.
        say: has a sentence told to the players.
        learn: takes the circle; None where it is known, or nobody wants to.
        executor: does the looking, which takes a second or more.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        say: Callable[[str], None],
        learn: Callable[[tuple[str, ...]], None] | None,
        executor: Executor,
    ) -> None:
        self._watch, self._history, self._say, self._learn = watch, history, say, learn
        self._executor = executor
        self._looking: Future[Impression] | None = None
        self._done = False

    def tick(self, now_s: float) -> None:
        """Called once a frame."""
        del now_s
        if self._done:
            return
        if self._history.decisions:
            self._done = True
            return
        if self._looking is None and self._watch.ready and self._watch.frame is not None:
            image, places = self._watch.frame.image, dict(self._watch.places)
            self._looking = self._executor.submit(_look, image, places, circle=self._learn is not None)
        if self._looking is not None and self._looking.done():
            self._done = True
            self._tell(self._looking)

    def _tell(self, looked: Future[Impression]) -> None:
        try:
            impression = looked.result()
        except Exception:
            # The game goes on as if nobody had looked: the circle is then not known.
            _LOG.exception("the first picture could not be looked at")
            return
        for sentence in impression.advice:
            self._say(sentence)
        if impression.seen is None or self._learn is None:
            return
        market, says = known_circle(impression.seen)
        if market is not None:
            self._learn(market)
        self._say(says)


def learner(
    book: Book, game_id: int, history: History, rewrite: Callable[[Setup], None] | None
) -> Callable[[tuple[str, ...]], None] | None:
    """What takes a circle that is seen into a game; None where the game knows its circle.

    Args:
        book: the journal; it learns first.
        game_id: the game's number in it.
        history: the game.
        rewrite: takes down elsewhere how the game begins, as in a recording's head.
    """

    def learn(market: tuple[str, ...]) -> None:
        setup = replace(history.setup, market=market)
        book.amend_setup(game_id, setup)
        history.know_market(market)
        if rewrite is not None:
            rewrite(setup)

    return learn if history.setup.market is None else None


def _look(image: NDArray[np.uint8], quilts: Mapping[int, Homography], *, circle: bool) -> Impression:
    advice = tuple(finding.says for finding in first_look(image, quilts))
    return Impression(advice, see_market(image, list(quilts.values())) if circle else None)


def known_circle(seen: SeenMarket) -> tuple[tuple[str, ...] | None, str]:
    """The circle where nothing in it is doubtful, and the sentence that tells the players what was seen."""
    market, doubts = seen.market(), seen.doubtful
    if market is not None and market[-1] != SMALLEST_PATCH:
        says = f"The neutral token stands elsewhere than behind the smallest patch ({SMALLEST_PATCH}), clockwise."
        return None, f"{says} {_OPEN}"
    if market is not None and not doubts:
        return market, f"The circle is seen, all {len(PATCHES)} patches. It begins with {_listed(market[:3])}."
    if market is not None:
        places = f"{len(doubts)} place{'' if len(doubts) == 1 else 's'}"
        names = _listed([" or ".join(doubt.candidates[:2]) for doubt in doubts[:3]])
        return None, f"The circle is seen, but {places} in it stay doubtful ({names}). {_OPEN}"
    notes = " ".join(seen.notes)
    if not seen.pieces:
        return None, f"{notes} {_OPEN}".strip()
    named = len(seen.names)
    missing = f" Not seen: {_listed(seen.missing)}." if len(seen.missing) <= 6 and seen.missing else ""
    parts = (f"Of the circle {named} of {len(PATCHES)} patches are seen.{missing}", notes, _OPEN)
    return None, " ".join(part for part in parts if part)


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
