"""The reader: which decision does the picture show? A reading, else a question, else a complaint."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import or_, xor
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.locator import SEATS
from companion.games.patchwork import Advance, PlaceLeather, TakePatch, affordable
from companion.reader import complaints
from companion.reader.explain import Explanation, Kind, explain, unexplained
from companion.reader.lattice import LEATHER, lattice_of
from companion.verdict import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import Decision, History, State
    from companion.reader.watch import Sight, TableWatch
    from companion.verdict import Complaint, Verdict

_STRAY: Final = 4.0
"""Log-likelihood ratio beyond which a cell that no explanation covers has certainly changed."""
_CONTRADICTED: Final = -2.5
"""Log-likelihood ratio below which a cell that the explanation covers certainly has not changed."""
_COVERED_UP: Final = 8
"""More stray cells than any stray token or nudged patch makes: something covers the quilt."""
_TWIN_LEAD: Final = 2.0
"""By how much one twin's log-likelihood must exceed the other's to be told by its label without a question."""
_WORTH_ASKING: Final = 0.02
"""Options less likely than this are not put to the players."""


class Reader:
    """Reads decisions off the quilts.

    Args:
        watch: both quilts, frame by frame.
        confidence: posterior probability from which a decision is taken without a question.
    """

    def __init__(self, watch: TableWatch, confidence: float = 0.9) -> None:
        self._watch = watch
        self._confidence = confidence
        self._sights: dict[int, Sight] = {}

    def read(self, history: History) -> Verdict:
        """What the latest frame shows the seat to move to have done.

        Raises:
            ValueError: the game has ended.
            KeyError: the quilt is not in view, or its empty reference was never taken.
        """
        state = history.state
        if state.turn is None:
            raise ValueError("the game has ended, there is no decision to read")
        self.glance(state)
        sight = self._sights.get(state.turn)
        if sight is None:
            raise KeyError(state.turn)
        explanations = explain(sight.ratios, state, state.turn)
        if explanations[0].kind is Kind.LEGAL:
            return self._legal(history, sight, explanations)
        return self._not_legal(history, sight, explanations)

    def glance(self, state: State) -> None:
        """Look at both quilts in the latest frame, as far as they are at rest, and keep what was seen."""
        self._sights = {
            seat: self._watch.look(seat, state.seat(seat).quilt)
            for seat in SEATS
            if self._watch.ready and self._watch.settled(seat)
        }

    def remember(self, state: State, decision: Decision) -> None:
        """Refresh the memory of both quilts by what was seen last.

        Args:
            state: after the decision.
            decision: what those sights showed.
        """
        for seat, sight in self._sights.items():
            placed = 0 if isinstance(decision, Advance) or decision.seat != seat else decision.cells
            self._watch.remember(seat, sight, state.seat(seat).quilt, placed)
        self._sights = {}

    def _legal(self, history: History, sight: Sight, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        complaint = _complaint_of_strays(history, sight, best)
        if complaint is not None:
            return complaint
        seat = state.turn or 0
        contradicted = sight.ratios[best.shift][lattice_of(best.mask)].min() < _CONTRADICTED
        if best.probability < self._confidence or contradicted:
            return self._ask_for_cells(state, explanations, sight.frame)
        decisions = _decisions(state, seat, best)
        if len(decisions) == 1:
            return Reading(decisions[0], sight.frame, best.probability)
        return self._tell_twins(state, [each for each in decisions if isinstance(each, TakePatch)], best, sight)

    def _tell_twins(self, state: State, twins: Sequence[TakePatch], best: Explanation, sight: Sight) -> Verdict:
        """Which of the patches of this shape it is, by their labels."""
        seat = state.turn or 0
        likelihoods = self._watch.compare_labels(seat, best.mask, [twin.patch for twin in twins])
        ranked = [twins[index] for index in np.argsort(-likelihoods, kind="stable")]
        lead = float(np.diff(np.sort(likelihoods))[-1])
        if lead < _TWIN_LEAD:
            return complaints.which_patch(seat, ranked, sight.frame)
        return Reading(ranked[0], sight.frame, best.probability / (1 + float(np.exp(-lead))))

    def _ask_for_cells(self, state: State, explanations: Sequence[Explanation], frame: str) -> Verdict:
        seat = state.turn or 0
        likely = [each for each in explanations if each.kind is Kind.LEGAL and each.probability >= _WORTH_ASKING]
        options = [_decisions(state, seat, each)[0] for each in likely[:4]]
        masks = [each.mask for each in likely[:4]]
        # One option alone is doubted as a whole: it is this, or nothing.
        doubtful = reduce(or_, (xor(a, b) for a, b in combinations(masks, 2)), 0) or masks[0]
        return complaints.which_cells(seat, options, doubtful, frame)

    def _not_legal(self, history: History, sight: Sight, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        seat = state.turn or 0
        complaint = _complaint_of_strays(history, sight, best)
        if complaint is not None:
            return complaint
        if best.kind is not Kind.NOTHING:
            return complaints.misplaced(state, seat, best, sight.frame)
        if any(each.kind is Kind.LEGAL and each.probability >= 1 - self._confidence for each in explanations):
            return self._ask_for_cells(state, explanations, sight.frame)
        return self._on_the_other_quilt(state, seat) or complaints.nothing_placed(state, seat, sight.frame)

    def _on_the_other_quilt(self, state: State, seat: int) -> Complaint | None:
        other = 3 - seat
        sight = self._sights.get(other)
        if sight is None:
            return None
        best = explain(sight.ratios, state, other)[0]
        if best.kind is Kind.NOTHING:
            return None
        return complaints.wrong_seat(state, seat, best.mask, sight.frame)


def _decisions(state: State, seat: int, found: Explanation) -> list[Decision]:
    """The legal decisions that would look like the explanation: one, or one a twin."""
    if found.patches == (LEATHER,):
        return [PlaceLeather(seat, found.mask)]
    return [TakePatch(seat, patch, found.mask) for patch in affordable(state) if patch in found.patches]


def _complaint_of_strays(history: History, sight: Sight, explained: Explanation) -> Complaint | None:
    """What to say of cells that changed though nothing explains it; None where there are none worth a word."""
    state = history.state
    seat = state.turn or 0
    stray = unexplained(sight.ratios, sight.core, explained, _STRAY)
    if stray.bit_count() > _COVERED_UP:
        return complaints.unclear(state, seat, stray, sight.frame)
    pieces = [(name, mask) for name, mask in _pieces(history, seat) if _has_moved(mask, stray)]
    if pieces:
        whole = reduce(or_, (mask for _, mask in pieces))
        return complaints.moved(state, seat, [f"the {name}" for name, _ in pieces], whole, sight.frame)
    objects = stray & ~state.seat(seat).quilt
    return complaints.stray_object(state, seat, objects, sight.frame) if objects else None


def _has_moved(piece: int, stray: int) -> bool:
    """Two changed cells, or all of a small piece: one alone may be a glare."""
    return (piece & stray).bit_count() >= min(2, piece.bit_count())


def _pieces(history: History, seat: int) -> list[tuple[str, int]]:
    """What lies on a quilt: names and cells."""
    laid = [decision for decision in history.decisions if decision.seat == seat]
    return [
        (decision.patch if isinstance(decision, TakePatch) else "leather patch", decision.cells)
        for decision in laid
        if isinstance(decision, TakePatch | PlaceLeather)
    ]
