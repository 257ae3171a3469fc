"""The observer of both quilts: one observation of each per look, and the update of expectations after decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.locator import SEATS
from companion.games.patchwork import cells_covered, mask_of
from companion.patchwork.reading.beliefs import Beliefs
from companion.patchwork.reading.observation import Understood, UnreadableQuiltError
from vision.quilt.thumbnail import thumbnail

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import Decision, State
    from companion.patchwork.reading.comparer import QuiltComparer
    from companion.patchwork.reading.observation import Observation
    from companion.patchwork.reading.verdict import Complaint


class QuiltObserver:
    """An observer of both quilts, look by look.

    The observations of a look are held until the next look begins, or until a decision makes them the expected looks.

    Args:
        comparer: the comparer of the quilts with their expected looks.
    """

    def __init__(self, comparer: QuiltComparer) -> None:
        self._comparer = comparer
        self._beliefs = Beliefs()
        self._observations: dict[int, Observation] = {}
        self._unseen: dict[int, int] = {}

    @property
    def thumbnails(self) -> Mapping[int, NDArray[np.float32]]:
        """By seat, the thumbnails (`vision.quilt.thumbnail.thumbnail`) of the quilts at their last look."""
        return {seat: thumbnail(observation.look.view) for seat, observation in self._observations.items()}

    def look(self, seat: int, state: State) -> Observation:
        """Begin a look: drop earlier observations, and return the observation of a quilt.

        Raises:
            UnreadableQuiltError: the quilt cannot be read.
        """
        self._observations = {}
        self._observations[seat] = observation = self._look(seat, state)
        return observation

    def glance(self, state: State) -> None:
        """Begin a look, and observe those quilts that are at rest in the latest frame."""
        self._observations = {}
        for seat in SEATS:
            self.observe(seat, state)

    def observed(self, seat: int) -> Observation | None:
        """Return this look's observation of a quilt, or None if none was made so far."""
        return self._observations.get(seat)

    def observe(self, seat: int, state: State) -> Observation | None:
        """Return this look's observation of a quilt, made at the first call, or None if the quilt cannot be read."""
        if seat not in self._observations:
            try:
                self._observations[seat] = self._look(seat, state)
            except UnreadableQuiltError:
                return None
        return self._observations[seat]

    def observe_as(self, seat: int, quilt: int) -> Observation:
        """Return an observation of a quilt as if other cells were covered; it is not part of the look.

        Args:
            seat: the quilt's seat.
            quilt: the covered cells, as the rules' bit mask.

        Raises:
            UnreadableQuiltError: the quilt cannot be read.
        """
        return self._comparer.compare(seat, quilt)

    def remember(self, state: State, decision: Decision, denied: Complaint | None = None) -> None:
        """Expect both quilts to look as they were observed in this look.

        Args:
            state: after the decision.
            decision: the decision that the observations showed.
            denied: a complaint that players rejected, whose cells are expected to look as they do now; None if there is
                none.
        """
        understood = {}
        for seat, observation in self._observations.items():
            placed = cells_covered(decision) if decision.seat == seat else 0
            believed = mask_of(denied.cells) if denied is not None and denied.quilt == seat else 0
            quilt = state.seat(seat).quilt
            understood[seat] = Understood(observation, quilt, believed)
            if believed & ~placed:
                look = thumbnail(observation.look.view)
                self._beliefs.add(seat, believed & ~placed, quilt, look, state.decisions_made)
        self._comparer.follow_decision(understood)
        # Entered by hand, without a look at this quilt: it is learnt when the quilt is next looked at.
        if decision.seat not in self._observations and cells_covered(decision):
            self._unseen[decision.seat] = self._unseen.get(decision.seat, 0) | cells_covered(decision)
        self._observations = {}

    def take_back(self) -> None:
        """Forget the looks remembered with the latest decision, which is undone."""
        self._comparer.take_back()
        self._observations = {}

    def _look(self, seat: int, state: State) -> Observation:
        """Observe a quilt; a placement entered by hand while the quilt was out of view is accepted as it looks now."""
        quilt = state.seat(seat).quilt
        observation = self._comparer.compare(seat, quilt)
        # Without placements that were undone in the meantime.
        unseen = self._unseen.pop(seat, 0) & quilt
        if unseen:
            self._comparer.remember(seat, Understood(observation, quilt))
            observation = self._comparer.compare(seat, quilt)
        look, made = thumbnail(observation.look.view), state.decisions_made
        return self._beliefs.applied(seat, observation, quilt, look, made)
