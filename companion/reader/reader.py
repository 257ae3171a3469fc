"""The reader: which decision does the picture show? A reading, else a question, else a complaint."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import or_, xor
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.locator import SEATS
from companion.games.patchwork import Advance, PlaceLeather, TakePatch, affordable, mask_of, offers
from companion.reader import complaints
from companion.reader.beliefs import Beliefs
from companion.reader.circlewatch import Scene
from companion.reader.explain import Explanation, Kind, explain, rather
from companion.reader.lattice import LEATHER, lattice_of
from companion.reader.otherwise import decisions_of, most_supported
from companion.reader.strays import CHANGED, complaint_of_moved, complaint_of_strays, pieces
from companion.reader.study import Study
from companion.verdict import Complaint, Reading
from vision.quilt.glimpse import glimpse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from companion.games.patchwork import Decision, History, State
    from companion.reader.circlewatch import CircleWatch
    from companion.reader.watch import Sight, TableWatch
    from companion.verdict import Verdict

_CONTRADICTED: Final = -3.5
"""Log-likelihood ratio below which a cell that the explanation covers certainly has not changed."""
_AGAINST_THE_RULES: Final = 4.0
"""By how much a patch that may not be taken is less likely than its twin that may, before anybody looks: people err."""
_TWIN_LEAD: Final = 2.0
"""By how much one twin's log-likelihood must exceed the other's to be told by its label without a question."""
_WORTH_ASKING: Final = 0.02
"""Options less likely than this are not put to the players."""
_MOST_OPTIONS: Final = 4
_WORTH_INSISTING: Final = 0.001
"""Nor are those less likely than this, however often they confirm."""


class Reader:
    """Reads decisions off the quilts.

    Args:
        watch: both quilts, frame by frame.
        confidence: posterior probability from which a decision is taken without a question.
        studied: told of every look with its verdict.
    """

    def __init__(
        self, watch: TableWatch, confidence: float = 0.95, studied: Callable[[Study], None] | None = None
    ) -> None:
        self._watch = watch
        self._confidence = confidence
        self._studied = studied
        self._sights: dict[int, Sight] = {}
        self._beliefs = Beliefs()
        self._shaken: set[int] = set()
        self._unseen: dict[int, int] = {}
        self._circle: CircleWatch | None = None

    def heed(self, circle: CircleWatch | None) -> None:
        """Have what has gone from the circle count, too, where two patches have one shape; None: no longer."""
        self._circle = circle

    def read(self, history: History) -> Verdict:
        """What the latest frame shows the seat to move to have done.

        Raises:
            ValueError: the game has ended.
            KeyError: the quilt is not in view, or its empty reference was never taken.
        """
        state = history.state
        if state.turn is None:
            raise ValueError("the game has ended, there is no decision to read")
        self._sights, self._shaken = {}, set()
        sight = self._sight(state.turn, state)
        if sight is None:
            raise KeyError(state.turn)
        explanations = explain(sight.ratios, state, state.turn)
        weigh = self._legal if explanations[0].kind is Kind.LEGAL else self._not_legal
        verdict = self._reconsidered(state, sight, weigh(history, sight, explanations))
        if self._studied is not None:
            self._studied(Study(state, sight, explanations, verdict))
        return verdict

    def _reconsidered(self, state: State, sight: Sight, verdict: Verdict) -> Verdict:
        """Return a verdict with what else the picture may show, or as a question where it leans on a shaken belief."""
        if isinstance(verdict, Complaint):
            return replace(verdict, otherwise=most_supported(sight.ratios, state, verdict.otherwise))
        if isinstance(verdict, Reading) and state.turn in self._shaken:
            cells = _cells(verdict.decision)
            return complaints.which_cells(verdict.decision.seat, (verdict.decision,), cells, verdict.frame)
        return verdict

    def glance(self, state: State) -> None:
        """Look at both quilts in the latest frame, as far as they are at rest, and keep what was seen."""
        self._sights, self._shaken = {}, set()
        for seat in SEATS:
            self._sight(seat, state)

    @property
    def seen(self) -> Mapping[int, NDArray[np.float32]]:
        """By seat, the quilts at a glance (`vision.quilt.glimpse.glimpse`) as they were looked at last."""
        return {seat: glimpse(sight.look.view) for seat, sight in self._sights.items()}

    def remember(self, state: State, decision: Decision, denied: Complaint | None = None) -> None:
        """Refresh the memory of both quilts by what was seen last.

        Args:
            state: after the decision.
            decision: what those sights showed.
            denied: a complaint that players say is wrong: as its cells look, they look from now on. None: no such one.
        """
        self._watch.keep()
        for seat, sight in self._sights.items():
            placed = _cells(decision) if decision.seat == seat else 0
            believed = mask_of(denied.cells) if denied is not None and denied.quilt == seat else 0
            quilt = state.seat(seat).quilt
            self._watch.remember(seat, sight, quilt, believed)
            if believed & ~placed:
                self._beliefs.add(seat, believed & ~placed, quilt, glimpse(sight.look.view), state.decisions_made)
        if decision.seat not in self._sights and _cells(decision):
            self._unseen[decision.seat] = self._unseen.get(decision.seat, 0) | _cells(decision)
        self._sights = {}

    def take_back(self) -> None:
        """Forget what was remembered with the latest decision, which was no right one."""
        self._watch.take_back()
        self._sights = {}

    def _sight(self, seat: int, state: State) -> Sight | None:
        """Return what the latest frame shows of a quilt, looked at once, or None where it is not at rest."""
        if seat not in self._sights and self._watch.ready and self._watch.settled(seat):
            self._sights[seat] = self._look(seat, state)
        return self._sights.get(seat)

    def _look(self, seat: int, state: State) -> Sight:
        """Look at a quilt; what was entered by hand while it could not be seen is taken as it looks now."""
        quilt = state.seat(seat).quilt
        sight = self._watch.look(seat, quilt)
        unseen = self._unseen.pop(seat, 0) & quilt
        if unseen:
            self._watch.remember(seat, sight, quilt)
            sight = self._watch.look(seat, quilt)
        sight, is_shaken = self._beliefs.applied(seat, sight, quilt, glimpse(sight.look.view), state.decisions_made)
        if is_shaken:
            self._shaken.add(seat)
        return sight

    def _legal(self, history: History, sight: Sight, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        complaint = complaint_of_strays(history, sight, best)
        instead = rather(sight.ratios, sight.core, explanations, CHANGED)
        if complaint is None and instead is not best:
            complaint = complaints.misplaced(state, state.turn or 0, instead, sight.frame)
        if complaint is not None:
            return replace(complaint, otherwise=decisions_of(state, state.turn or 0, best))
        contradicted = sight.ratios[best.shift][lattice_of(best.mask)].min() < _CONTRADICTED
        if best.probability < self._confidence or contradicted:
            return self._ask_for_cells(state, explanations, sight.frame)
        if best.patches == (LEATHER,):
            return Reading(PlaceLeather(state.turn or 0, best.mask), sight.frame, best.probability)
        return self._tell_twins(state, best, sight)

    def _tell_twins(self, state: State, best: Explanation, sight: Sight) -> Verdict:
        """Which of the patches of this shape it is: by the rules, and by what is printed on them."""
        seat, allowed = state.turn or 0, affordable(state)
        candidates = [patch for patch in best.patches if patch in state.unbought]
        if len(candidates) == 1:
            return Reading(TakePatch(seat, candidates[0], best.mask), sight.frame, best.probability)
        likelihoods = self._watch.compare_labels(seat, best.mask, candidates) + self._gone_from_circle(candidates)
        likelihoods = likelihoods - _AGAINST_THE_RULES * np.array([patch not in allowed for patch in candidates])
        ranked = [candidates[index] for index in np.argsort(-likelihoods, kind="stable")]
        lead = float(np.diff(np.sort(likelihoods))[-1])
        if lead < _TWIN_LEAD:
            options = [TakePatch(seat, patch, best.mask) for patch in ranked if patch in allowed]
            return complaints.which_patch(seat, options, sight.frame)
        if ranked[0] not in allowed:
            kind = Kind.NOT_AFFORDABLE if ranked[0] in offers(state) else Kind.NOT_OFFERED
            return complaints.misplaced(state, seat, replace(best, kind=kind, patches=(ranked[0],)), sight.frame)
        confidence = best.probability / (1 + float(np.exp(-lead)))
        return Reading(TakePatch(seat, ranked[0], best.mask), sight.frame, confidence)

    def _gone_from_circle(self, patches: Sequence[str]) -> NDArray[np.float64]:
        """Log-likelihoods of the patches by what is left of the circle."""
        frame = self._watch.frame
        if self._circle is None or frame is None:
            return np.zeros(len(patches))
        return self._circle.likelihoods(patches, Scene(frame.image, self._watch.places))

    def _ask_for_cells(self, state: State, explanations: Sequence[Explanation], frame: str) -> Verdict:
        seat = state.turn or 0
        legal = [each for each in explanations if each.kind is Kind.LEGAL and each.probability >= _WORTH_ASKING]
        likely = legal[:_MOST_OPTIONS]
        options = [decision for each in likely for decision in decisions_of(state, seat, each)]
        masks = [each.mask for each in likely]
        # One option alone is doubted as a whole: it is this, or nothing.
        doubtful = reduce(or_, (xor(a, b) for a, b in combinations(masks, 2)), 0) or masks[0]
        return complaints.which_cells(seat, options, doubtful, frame)

    def _not_legal(self, history: History, sight: Sight, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        seat = state.turn or 0
        complaint = self._complaint_of_gone(history, sight) or complaint_of_strays(history, sight, best)
        if complaint is not None:
            return complaint
        if best.kind is not Kind.NOTHING:
            legal = (each for each in explanations if each.kind is Kind.LEGAL and each.probability >= _WORTH_INSISTING)
            otherwise = tuple(decision for each in legal for decision in decisions_of(state, seat, each))
            return replace(complaints.misplaced(state, seat, best, sight.frame), otherwise=otherwise)
        if any(each.kind is Kind.LEGAL and each.probability >= 1 - self._confidence for each in explanations):
            return self._ask_for_cells(state, explanations, sight.frame)
        return self._on_the_other_quilt(state, seat) or complaints.nothing_placed(state, seat, sight.frame)

    def _complaint_of_gone(self, history: History, sight: Sight) -> Complaint | None:
        """What to say of earlier patches that were lifted off: their cells look empty again."""
        state = history.state
        seat = state.turn or 0
        gone = []
        for name, mask in pieces(history, seat):
            cells = lattice_of(mask)
            if sight.ratios[0][cells].min() > 0:
                bare = self._watch.look(seat, state.seat(seat).quilt & ~mask)
                if bare.ratios[0][cells].max() < 0:
                    gone.append((name, mask))
        return complaint_of_moved(state, seat, gone, sight.frame) if gone else None

    def _on_the_other_quilt(self, state: State, seat: int) -> Complaint | None:
        other = 3 - seat
        sight = self._sight(other, state)
        if sight is None:
            return None
        best = explain(sight.ratios, state, other)[0]
        if best.kind is Kind.NOTHING:
            return None
        return complaints.wrong_seat(state, seat, best.mask, sight.frame)


def _cells(decision: Decision) -> int:
    """The cells that a decision covers, as the rules' bit mask."""
    return 0 if isinstance(decision, Advance) else decision.cells
