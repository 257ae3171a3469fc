"""The first picture of the empty boards: advice on the set-up, and the circle of patches, dealt or seen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import Journal
from companion.languages import all_of, counted, in_turn, said
from companion.patchwork.circle.desk import CircleDesk, Learn
from companion.patchwork.circle.evidence import CirclePlay
from companion.patchwork.circle.proposal import Proposal, question
from companion.patchwork.circle.seeing import see_market
from companion.patchwork.circle.seen import SeenMarket
from companion.patchwork.naming import patch_names
from companion.patchwork.watching.setup_advice import first_look
from companion.patchwork.watching.watch import TableWatch
from vision.geometry import Homography
from vision.pieces.maps import Progress
from vision.table.plane import PlacedPicture

_LOG: Final = logging.getLogger(__name__)
# The least progress of a look that is published; smaller steps of a progress bar are invisible.
_STEP: Final = 0.01


@dataclass(frozen=True, slots=True)
class SetupFindings:
    """Advice on the set-up, as sentences, and the circle of patches, or None if it was not wanted."""

    advice: tuple[str, ...]
    seen: SeenMarket | None


class FirstPicture:
    """A single look at the table once both empty boards are at rest, unless a decision was made before.

    Args:
        desk: the desk at which the seen circle is confirmed; None if it is not wanted there.
        dealt: watches a circle that the game knows, if it lies as it was dealt; None if it is not watched.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        say: Callable[[str], None],
        desk: CircleDesk | None,
        executor: Executor,
        dealt: CirclePlay | None = None,
    ) -> None:
        self._watch, self._history, self._say = watch, history, say
        self._desk, self._dealt, self._executor = desk, dealt, executor
        self._looking: Future[SetupFindings] | None = None
        self._image: NDArray[np.uint8] | None = None
        self._places: Mapping[int, Homography] = {}
        self._share = self._announced = 0.0

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        # A look that is under way still counts: its picture is older than the first decision.
        if self._looking is None and self._history.decisions:
            return True
        if self._looking is None and self._watch.ready and self._watch.frame is not None:
            # The look runs in another thread, so it gets places that no longer change.
            self._image, self._places = self._watch.frame.image, dict(self._watch.places)
            self._publish_progress(0.0)
            wants = None if self._desk is None and self._dealt is None else self._record_progress
            self._looking = self._executor.submit(_look, self._image, self._places, wants)
        if self._looking is None:
            return False
        if self._looking.done():
            self._publish_progress(None)
            self._report(self._looking)
            return True
        if self._share - self._announced >= _STEP:
            self._announced = self._share
            self._publish_progress(self._announced)
        return False

    def _record_progress(self, share: float) -> None:
        """Record the progress of the look; called from its thread."""
        # Published by the next tick, so that the desk and its followers hear of it in the turn loop's thread alone.
        self._share = share

    def _publish_progress(self, share: float | None) -> None:
        if self._desk is not None:
            self._desk.look(share)

    def _report(self, looked: Future[SetupFindings]) -> None:
        try:
            findings = looked.result()
        except Exception:
            # The game continues without the look, and with an unknown circle.
            _LOG.exception("the first picture could not be looked at")
            return
        # Advice on the set-up comes too late once the game is under way.
        for sentence in () if self._history.decisions else findings.advice:
            self._say(sentence)
        if findings.seen is not None and self._image is not None:
            self._receive(findings.seen, self._image)

    def _receive(self, seen: SeenMarket, image: NDArray[np.uint8]) -> None:
        """Pass the circle on to the desk; if it is known, its order is not in doubt."""
        market = self._history.setup.market
        if self._dealt is not None and market is not None:
            if (dealt := as_dealt(seen, market)) is not None:
                self._dealt.watch(dealt, PlacedPicture(image, dict(self._places)))
        elif self._desk is not None:
            if (says := unknown_parts(seen)) is not None:
                self._say(says)
            self._desk.lay_out(seen, image, self._places)


def _look(image: NDArray[np.uint8], quilts: Mapping[int, Homography], progress: Progress | None) -> SetupFindings:
    """Look at the boards and the light; at the circle, too, if `progress` is given."""
    advice = tuple(finding.says for finding in first_look(image, quilts))
    return SetupFindings(advice, None if progress is None else see_market(image, list(quilts.values()), progress))


# The number of pieces that must be named with certainty to determine where the deal begins.
_LEAST_NAMED: Final = 12
# Share of those that must lie where they were dealt; below it, the circle was laid otherwise and is not watched.
_LEAST_SHARE: Final = 0.9


def as_dealt(seen: SeenMarket, market: Sequence[str]) -> SeenMarket | None:
    """Return the circle named by the deal, first the piece behind the neutral token, or None if it lies otherwise.

    All pieces must be seen; those with sure names determine where the deal begins. If there are more pieces than
    patches, unnamed ones are left out, because the 7x7 tile also lies beside the circle.
    """
    count, lying = len(PATCHES), seen.pieces
    if len(lying) > count:
        lying = tuple(piece for piece in lying if piece.patch is not None)
    if len(lying) != count:
        return None
    named = {number: piece.patch for number, piece in enumerate(lying) if piece.sure}
    # The picture may begin anywhere in the deal: the rotation that most sure names agree on counts.
    agreeing = [
        sum(market[(number - first) % count] == patch for number, patch in named.items()) for first in range(count)
    ]
    first = agreeing.index(max(agreeing))
    if len(named) < _LEAST_NAMED or agreeing[first] < _LEAST_SHARE * len(named):
        return None
    pieces = (*lying[first:], *lying[:first])
    known = tuple(
        replace(piece, patch=patch, chances=((patch, 1.0),), sure=True)
        for piece, patch in zip(pieces, market, strict=True)
    )
    return replace(seen, pieces=known, begins="domino", unclear=())


_OPEN: Final = said("So any patch still in the box may be taken.")


def unknown_parts(seen: SeenMarket) -> str | None:
    """Return which parts of a seen circle are unknown, as sentences for the players, or None if none are."""
    proposal = Proposal(seen)
    if proposal.settled:
        return None
    if not seen.pieces:
        return in_turn([*seen.notes, _OPEN])
    if proposal.missing:
        return in_turn([*_partly(proposal), *seen.notes, _OPEN])
    return in_turn([_doubtful(proposal), _OPEN])


def _doubtful(proposal: Proposal) -> str:
    return counted(
        "The circle is seen, but {count} place in it is still uncertain ({names}).",
        "The circle is seen, but {count} places in it are still uncertain ({names}).",
        len(proposal.doubtful),
        names=question(proposal.doubtful),
    )


def _partly(proposal: Proposal) -> Iterator[str]:
    yield said("{count} of {all} patches in the circle are seen.", count=len(proposal.order), all=len(PATCHES))
    if len(proposal.missing) <= 6:
        yield said("Not seen: {patches}.", patches=all_of(patch_names(proposal.missing)))


def learner(
    book: Journal, game_id: int, history: History, rewrite: Callable[[Setup], None] | None, *, was_seen: bool = False
) -> Learn | None:
    """Return a function that enters a seen circle into a game, or None if the game began with a known circle.

    `rewrite` updates the setup elsewhere, as in a recording's header; `was_seen` tells whether the circle that the game
    knows was seen, and may turn out to be wrong. The function takes a circle, or None if it is unknown after all, and
    raises IllegalDecisionError if earlier decisions contradict it.
    """

    def learn(market: tuple[str, ...] | None) -> None:
        # Checked, then written, then known: a circle that contradicts the decisions, or a full disk, changes nothing.
        setup = history.with_market(market).setup
        book.amend_setup(game_id, setup)
        history.know_market(market)
        if rewrite is not None:
            rewrite(setup)

    return learn if was_seen or history.setup.market is None else None
