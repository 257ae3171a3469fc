"""The reader, which finds the decision that a picture shows and returns a reading, a question or a complaint."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, takewhile
from operator import or_, xor
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import ALL_CELLS, SIDE, indices_of, mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch, cells_covered
from companion.games.patchwork.rules import History, affordable, offers
from companion.games.patchwork.state import State
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import (
    LEATHER,
    MOST_OPTIONS,
    SEEN_WELL,
    Explanation,
    ExplanationKind,
    can_hide,
    decisions_of,
    explain,
    explain_in_doubt,
    most_supported,
    offered_on,
    rather,
    unexplained,
)
from companion.patchwork.reading.missed import laid_first, laid_too_early, pairs_laid
from companion.patchwork.reading.observer import Observation, QuiltObserver, cells_with_token, is_token
from companion.patchwork.reading.study import Study
from companion.patchwork.reading.twins import twin_likelihoods
from companion.patchwork.reading.unaided import seen_alone
from companion.patchwork.reading.verdict import Complaint, NextStep, Question, QuestionTopic, Reading, Reason, Verdict
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.pieces.tag import read_tag_on
from vision.quilt.changes import light_of_cells, lone_light, worth
from vision.quilt.look import RING, is_recognised_nearby
from vision.table.plane import PlacedPicture

CHANGED: Final = 4.0
"""Log-likelihood ratio beyond which a cell has certainly changed."""
# The same for a one-cell piece: in a desk lamp's moving shadow, an unmoved one was seen to reach 5.
_LONE: Final = 8.0
# Ratio in the middle of a single bare cell beyond which an object lies there: tokens have 3.1 to 4, a cell between
# patches that extend over its sides was seen to reach 2.5.
_TOKEN_CORE: Final = 3.0
# Number of stray cells above which the quilt is covered: stray tokens and nudged patches make fewer.
_COVERED_UP: Final = 8
# Number of stray cells above which the picture supports no patch: the board was moved too far to be followed, or is
# covered.
_NOT_THE_BOARD: Final = 30
# Log-likelihood ratio below which a cell that the explanation covers has certainly not changed.
_CONTRADICTED: Final = -3.5
# Log-likelihood ratio above which a cell does not look bare, and the number of such cells beside a patch from which it
# is doubted: of 347 patches that were read rightly, also through compressing and blurring cameras, 5 had one and none
# had two; a brown patch on a brown board, in haze, had three.
_NOT_BARE: Final = -2.0
_MANY_BESIDE: Final = 2
_BESIDE: Final = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
# Log-ratio by which the light of leather differs from that of all cells around it: on drawn tables, also in dim light,
# all but 1 of 120 had more, mostly 0.2 and more; bare cells had up to 0.104, beside a television. In recordings leather
# had 0.35 and more, bare cells up to 0.07.
_OTHER_LIGHT: Final = 0.11
# Distance, in view pixels, within which a print lies where it was: two of a piece a sixteenth of a cell beside their
# places turn it by less than the nudge that counts as none.
_IN_PLACE_PX: Final = 2
# The log prior ratio of a patch that may be taken to a twin that may not: players err.
_AGAINST_THE_RULES: Final = 4.0
# The lead in log-likelihood from which one twin is identified without a question.
_TWIN_LEAD: Final = 2.0
# The lead in log-likelihood from which a label names another patch than the cells: of 353 patches that were read
# rightly, also in haze, two had more, but their cells ruled the others out. In doubt less is worth an option.
_OTHER_LABEL: Final = 3.0
_OTHER_LABEL_IN_DOUBT: Final = 1.0
# A label lies across the edge between two cells.
_LABEL_CELLS: Final = 2
# Probability, as a share of the likeliest explanation's, below which the cells rule a labelled patch out: a patch of
# its board's colour, of which haze left three cells of eight, had a thirty-thousandth.
_RULED_OUT: Final = 6e-6
# The number of explanations among which one of the labelled patch is searched for.
_MOST_SEARCHED: Final = 600
# Visibility below which a cell cannot be told to be bare: what says so is worth a sixth there.
_SEEN: Final = 0.3
# The same for many cells together, which seem bare for one reason: of looks at recordings in which a patch was not
# found through degraded cameras, nearly all had less at its cells; undegraded, one cell in a hundred has.
_SEEN_BARE: Final = 0.5
# The kinds of explanation that place a patch legally which may not be taken.
_REFUSED: Final = frozenset({ExplanationKind.NOT_AFFORDABLE, ExplanationKind.NOT_OFFERED})
# What two patches look like if a single one is expected.
_OF_SEVERAL: Final = frozenset({Reason.OBJECT, Reason.UNCLEAR, Reason.OVER_THE_EDGE, Reason.NOT_OFFERED})
# The complaints that may rest on a comparison with the expected look alone. A patch that overlaps others, or lies over
# the edge, looks by itself like a smaller one.
_BY_COMPARISON: Final = frozenset({Reason.NOTHING_PLACED, Reason.OBJECT, Reason.UNCLEAR, Reason.NOT_OFFERED})
# Probability below which an option is not offered in a question.
_WORTH_ASKING: Final = 0.02
# Probability of an explanation, or of all answers to a question, below which the right one is probably another.
_LIKELY: Final = 0.5
# Probability below which an explanation is no alternative to a complaint, however often players confirm.
_WORTH_INSISTING: Final = 0.001


class CircleEvidence(Protocol):
    """Evidence about which patch is missing from the circle."""

    def likelihoods(self, patches: Sequence[str], scene: PlacedPicture) -> NDArray[np.float64]:
        """Return each patch's log-likelihood of being the one taken; only the differences are meaningful."""

    def instead_of(self, patch: str, scene: PlacedPicture) -> str | None:
        """Return the patch that is certainly missing while `patch` is certainly still there, or None."""


class Reader:
    """A reader of decisions from the quilts.

    Args:
        confidence: posterior probability from which a decision is taken without a question.
        studied: called with every look and its verdict.
    """

    def __init__(
        self, observer: QuiltObserver, confidence: float = 0.95, studied: Callable[[Study], None] | None = None
    ) -> None:
        self._observer = observer
        self._confidence = confidence
        self._studied = studied
        self._circle: CircleEvidence | None = None

    def use_circle(self, circle: CircleEvidence | None) -> None:
        """Set the evidence from the circle that distinguishes patches of one shape; None to use none."""
        self._circle = circle

    def read(self, history: History, *, is_pressed: bool = False) -> Verdict:
        """Return the verdict on the decision of the seat to move, from the latest frame.

        Args:
            history: the game's decisions.
            is_pressed: whether players say that they have laid a patch; before a complaint the picture is also looked
                at by itself, which takes about as long again.

        Raises:
            ValueError: the game has ended.
            UnreadableQuiltError: the quilt cannot be read: it is out of view or not at rest, or was never seen empty.
        """
        state = history.state
        if state.turn is None:
            raise ValueError("the game has ended, there is no decision to read")
        observation = self._observer.look(state.turn, state)
        explanations = explain(observation.ratios, state, state.turn)
        weigh = self._legal if explanations[0].kind is ExplanationKind.LEGAL else self._not_legal
        verdict = _unless_two_were_laid(state, observation, weigh(history, observation, explanations))
        verdict = _unless_leather_was_laid(state, observation, verdict)
        if is_pressed and isinstance(verdict, Complaint) and verdict.reason in _BY_COMPARISON:
            verdict = _unless_seen_alone(state, observation, verdict)
        verdict = self._reconsidered(state, observation, verdict)
        if self._studied is not None:
            self._studied(Study(state, observation, explanations, verdict))
        return verdict

    def _reconsidered(self, state: State, observation: Observation, verdict: Verdict) -> Verdict:
        """Return a verdict with its alternatives, or as a question if it rests on a shaken belief."""
        if isinstance(verdict, Reading) and observation.is_shaken:
            cells = cells_covered(verdict.decision)
            verdict = complaints.which_cells(verdict.decision.seat, (verdict.decision,), cells, verdict.frame)
        if isinstance(verdict, Reading):
            return verdict
        unclear = len(verdict.cells) if isinstance(verdict, Complaint) and verdict.reason is Reason.UNCLEAR else 0
        if min(unclear, int(np.count_nonzero(observation.ratios[0] > 0))) > _NOT_THE_BOARD:
            return replace(verdict, otherwise=())
        likely = verdict.otherwise if isinstance(verdict, Complaint) else _laid(verdict.options)
        return replace(verdict, otherwise=most_supported(observation.ratios, state, likely))

    def unsettled(self, history: History) -> Question | Complaint | None:
        """Return what is to be said about the table of a resumed game, or None if it shows the game as it stands.

        A question or a complaint that was open is found again, unless the table was put right meanwhile.

        Raises:
            UnreadableQuiltError: the quilt of the seat to move cannot be read.
        """
        state = history.state
        verdict = self.read(history)
        if (missing := self._missing(history)) is not None:
            return missing
        if isinstance(verdict, Reading):
            return complaints.unconfirmed(state, (verdict.decision,), verdict.frame)
        if isinstance(verdict, Question):
            return None if verdict.none_first else verdict
        return None if verdict.reason is Reason.NOTHING_PLACED else verdict

    def missing(self, history: History) -> Complaint | None:
        """Begin a look, and return the complaint about pieces that were never seen where the game has them, or None."""
        self._observer.observe_all(history.state)
        return self._missing(history)

    def _missing(self, history: History) -> Complaint | None:
        state = history.state
        for seat in (state.mover, 3 - state.mover):
            observation = self._observer.observe(seat, state)
            unseen = 0 if observation is None else mask_of_lattice(observation.unseen)
            absent = [(name, mask) for name, mask in pieces(history, seat) if not mask & ~unseen]
            if observation is not None and absent:
                cells = reduce(or_, (mask for _, mask in absent))
                return complaints.missing(state, seat, [name for name, _ in absent], cells, observation.frame)
        return None

    def unconfirmed_placement(self, history: History) -> Complaint | None:
        """Return the complaint about an unconfirmed patch that the latest look certainly shows, or None.

        A patch that may not be taken causes that complaint instead: left there, it would be in the way.
        """
        state = history.state
        observation = None if state.turn is None else self._observer.observed(state.turn)
        if observation is None:
            return None
        explanations = explain(observation.ratios, state, state.mover)
        if explanations[0].kind in _REFUSED:
            return self._certainly_refused(history, observation, explanations[0])
        if explanations[0].kind is not ExplanationKind.LEGAL:
            return None
        verdict = self._legal(history, observation, explanations)
        if isinstance(verdict, Reading):
            return complaints.unconfirmed(state, (verdict.decision,), verdict.frame)
        if isinstance(verdict, Question):
            # Only what certainly lies there holds an advance back; which of two twins it is makes no difference.
            is_twin = verdict.asks is QuestionTopic.WHICH_PATCH
            return complaints.unconfirmed(state, verdict.options, verdict.frame) if is_twin else None
        return _or_advance(verdict) if verdict.reason in (Reason.NOT_OFFERED, Reason.NOT_AFFORDABLE) else None

    def _certainly_refused(self, history: History, observation: Observation, best: Explanation) -> Complaint | None:
        """Return the complaint about a patch that may not be taken, or None unless it certainly lies there alone."""
        if best.probability < self._confidence or _is_contradicted(observation, best):
            return None
        if complaint_of_strays(history, observation, best) is not None:
            return None
        return _or_advance(complaints.misplaced(history.state, history.state.mover, best, observation.frame))

    def _legal(self, history: History, observation: Observation, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        complaint = complaint_of_strays(history, observation, best)
        instead = rather(observation.ratios, observation.core, explanations, CHANGED)
        if complaint is None and instead is not best:
            complaint = complaints.misplaced(state, state.mover, instead, observation.frame)
        if complaint is None or complaint.reason is Reason.OBJECT:
            either = _either_leather(state, observation, best)
            if either:
                cells = reduce(or_, map(cells_covered, either))
                asked = complaints.which_cells(state.mover, either, cells, observation.frame)
                return replace(asked, none_first=True)
        if complaint is not None:
            complaint = replace(complaint, otherwise=decisions_of(state, state.mover, best))
            if complaint.reason is Reason.MOVED and _are_in_place(history, observation, complaint):
                doubt = self._ask_for_cells(state, explanations, observation)
                return replace(doubt, else_wrong=complaint) if isinstance(doubt, Question) else complaint
            return complaint
        may_be_token = _may_be_token(observation, best)
        may_be_larger = _may_be_larger(state, observation, best)
        is_doubtful = best.probability < self._confidence or _is_contradicted(observation, best) or may_be_token
        if is_doubtful or may_be_larger or _is_outlined_otherwise(state, observation, best):
            part = best.mask if may_be_larger else ALL_CELLS
            doubt = self._ask_for_cells(state, _in_doubt(state, observation), observation, part)
            # Whatever lies there has an outline: only what covers its cells tells a patch from a token.
            may_be_none = may_be_token or may_be_larger or _laid_probability(explanations) < self._confidence
            return replace(doubt, none_first=True) if isinstance(doubt, Question) and may_be_none else doubt
        return self._placed(state, best, observation)

    def _placed(self, state: State, best: Explanation, observation: Observation) -> Verdict:
        """Return the verdict on a piece that certainly lies there, unless a token or another's label lies on it."""
        token = 0 if best.patches == (LEATHER,) else cells_with_token(observation, best.mask, state.mover)
        if token:
            smaller = best.mask & ~token
            beside = [TakePatch(state.mover, patch, smaller) for patch in offered_on(smaller, state)]
            options = [*decisions_of(state, state.mover, best), *beside][:MOST_OPTIONS]
            return replace(complaints.which_cells(state.mover, options, token, observation.frame), none_first=True)
        if best.patches == (LEATHER,):
            return Reading(PlaceLeather(state.mover, best.mask), observation.frame, best.probability)
        labelled = _labelled(state, observation, best, _OTHER_LABEL)
        if labelled:
            return _which_of(state, [best, *labelled], observation)
        return self._distinguish_twins(state, best, observation)

    def _distinguish_twins(self, state: State, best: Explanation, observation: Observation) -> Verdict:
        """Return the verdict on which patch of one shape was laid, by the rules, the print and the circle."""
        seat, allowed, picture = state.mover, affordable(state), observation.picture
        candidates = [patch for patch in best.patches if patch in state.unbought]
        if len(candidates) == 1:
            alone = Reading(TakePatch(seat, candidates[0], best.mask), observation.frame, best.probability)
            return self._unless_contradicted(alone, picture)
        likelihoods = twin_likelihoods(picture.image, picture.boards[seat], best.mask, candidates)
        # Of 165 drawn patches with a twin, those seen badly were misread as often as half their lead says.
        seen = worth(np.ones((RING, RING)), observation.visibility)[lattice_of(best.mask)]
        likelihoods = likelihoods * float(seen.mean())
        likelihoods = likelihoods + self._gone_from_circle(candidates, picture)
        likelihoods = likelihoods - _AGAINST_THE_RULES * np.array([patch not in allowed for patch in candidates])
        ranked = [candidates[index] for index in np.argsort(-likelihoods, kind="stable")]
        lead = float(np.diff(np.sort(likelihoods))[-1])
        if lead < _TWIN_LEAD:
            options = [TakePatch(seat, patch, best.mask) for patch in ranked if patch in allowed]
            question = complaints.which_patch(seat, options, observation.frame)
            refused = next((patch for patch in ranked if patch not in allowed), None)
            if refused is None:
                return question
            return replace(question, else_wrong=_refused(state, best, refused, observation))
        if ranked[0] not in allowed:
            return _refused(state, best, ranked[0], observation)
        # The probability of the cells, times that of this twin against the next likely one.
        confidence = best.probability / (1 + float(np.exp(-lead)))
        found = Reading(TakePatch(seat, ranked[0], best.mask), observation.frame, confidence)
        return self._unless_contradicted(found, picture)

    def _unless_contradicted(self, reading: Reading, picture: PlacedPicture) -> Verdict:
        """Return the reading, or a question if its patch is clearly still in the circle and another one is missing."""
        taken = reading.decision
        if self._circle is None or not isinstance(taken, TakePatch):
            return reading
        instead = self._circle.instead_of(taken.patch, picture)
        return reading if instead is None else complaints.gone_instead(taken, instead, reading.frame)

    def _gone_from_circle(self, patches: Sequence[str], picture: PlacedPicture) -> NDArray[np.float64]:
        """Return the log-likelihoods of the patches from the circle; zeros if no circle is used."""
        if self._circle is None:
            return np.zeros(len(patches))
        return self._circle.likelihoods(patches, picture)

    def _ask_for_cells(
        self, state: State, explanations: Sequence[Explanation], observation: Observation, part: int = ALL_CELLS
    ) -> Verdict:
        """Return the question which placement it is, or the complaint that too many are equally likely.

        Beside likely placements those that cover all of `part`, a bit mask, are offered however unlikely they are.
        """
        seat, best = state.mover, explanations[0]
        possible = [each for each in explanations if each.kind is ExplanationKind.LEGAL]
        legal = [each for each in possible if each.probability >= _WORTH_ASKING]
        if legal:
            legal += [each for each in possible[len(legal) :] if not part & ~each.mask]
        del legal[MOST_OPTIONS:]
        unseen = _unseen(state, observation)
        # Given that a patch was laid: players who confirm seldom laid none. "None of these" answers for a mistake.
        laid = _laid_probability(explanations)
        answered = sum(each.probability for each in {best, *legal} if each.kind is not ExplanationKind.NOTHING)
        if unseen and (not legal or answered < _LIKELY * laid):
            return complaints.unseen(state, seat, unseen, observation.frame)
        if not legal:
            return complaints.unclear(state, seat, reduce(or_, (each.mask for each in explanations)), observation.frame)
        asked = _which_of(state, _with_labelled(state, observation, legal), observation)
        # Where nothing may have been laid, pressing confirm again must not take the likeliest option.
        return replace(asked, none_first=laid < self._confidence)

    def _not_legal(self, history: History, observation: Observation, explanations: Sequence[Explanation]) -> Verdict:
        state, best = history.state, explanations[0]
        seat = state.mover
        # Gone pieces come first: as strays their cells would count as moved, or so many of them as a covered view.
        complaint = self._complaint_of_gone(history, observation) or complaint_of_strays(history, observation, best)
        if complaint is not None:
            return complaint
        if best.kind is not ExplanationKind.NOTHING:
            return self._mistaken(state, explanations, observation)
        doubted = _in_doubt(state, observation) if _unseen(state, observation, SEEN_WELL) else explanations
        # Where any patch may have been overlooked, each has a chance: one is asked about if it is likelier than none.
        is_likely = doubted[0].kind is ExplanationKind.LEGAL
        if is_likely or (_may_be_legal(explanations) and _may_be_legal(doubted)):
            asked = self._ask_for_cells(state, doubted, observation)
            return replace(asked, none_first=True) if isinstance(asked, Question) else asked
        # The other quilt comes last, because it costs another look.
        elsewhere = self._on_the_other_quilt(state, seat)
        if elsewhere is not None:
            return elsewhere
        unseen = _unseen(state, observation, _SEEN_BARE)
        if unseen and (best.probability < self._confidence or can_hide(unseen, state, seat)):
            return complaints.unseen(state, seat, unseen, observation.frame)
        is_sure = doubted[0].probability >= self._confidence
        # A few cells that are seen worse, as at the rim of a board that was pushed, are no fault of the picture.
        is_bad = (
            2 * _unseen(state, observation, SEEN_WELL).bit_count() >= (ALL_CELLS & ~state.seat(seat).quilt).bit_count()
        )
        complaint = complaints.nothing_placed(state, seat, observation.frame, is_sure=is_sure or not is_bad)
        return complaint if is_sure else replace(complaint, otherwise=_outlined(state, observation))

    def _mistaken(self, state: State, explanations: Sequence[Explanation], observation: Observation) -> Verdict:
        """Return the complaint about a mistake, or a doubt if it is unlikely and the picture is bad."""
        seat, best = state.mover, explanations[0]
        otherwise = _legal_decisions(state, [each for each in explanations if each.probability >= _WORTH_INSISTING])
        complaint = replace(complaints.misplaced(state, seat, best, observation.frame), otherwise=otherwise)
        if best.probability >= self._confidence:
            return complaint
        doubted = _in_doubt(state, observation)
        is_unlikely = best.probability < _LIKELY and _unseen(state, observation)
        if not is_unlikely and doubted[0].kind is not ExplanationKind.LEGAL:
            return complaint
        asked = self._ask_for_cells(state, doubted, observation)
        return replace(asked, none_first=True, else_wrong=complaint) if isinstance(asked, Question) else asked

    def _complaint_of_gone(self, history: History, observation: Observation) -> Complaint | None:
        """Return the complaint about earlier patches that were lifted off, whose cells look empty again, or None."""
        state = history.state
        seat = state.mover
        gone = []
        for name, mask in pieces(history, seat):
            cells = lattice_of(mask)
            if observation.ratios[0][cells].min() > 0:
                # As costly as the look itself, so only for a piece whose cells have all changed.
                bare = self._observer.observe_as(seat, state.seat(seat).quilt & ~mask)
                if bare.ratios[0][cells].max() < 0:
                    gone.append((name, mask))
        return complaint_of_moved(state, seat, gone, observation.frame) if gone else None

    def _on_the_other_quilt(self, state: State, seat: int) -> Complaint | None:
        other = 3 - seat
        observation = self._observer.observe(other, state)
        if observation is None:
            return None
        best = explain(observation.ratios, state, other)[0]
        # A cell that patches beside it extend over is no patch of its own.
        if best.kind is ExplanationKind.NOTHING or _is_contradicted(observation, best):
            return None
        return complaints.wrong_seat(state, seat, best.mask, observation.frame)


def _unless_seen_alone(state: State, observation: Observation, complaint: Complaint) -> Verdict:
    """Return a complaint or, in its place, the question about what the picture shows by itself."""
    found = seen_alone(state, observation, _WORTH_ASKING)
    if not found:
        return complaint
    return replace(_which_of(state, found, observation), none_first=True, else_wrong=complaint)


def _which_of(state: State, found: Sequence[Explanation], observation: Observation) -> Question:
    """Return the question which of some legal placements it is."""
    # One explanation may be two decisions, to take either of two twins.
    decisions = (decision for each in found for decision in decisions_of(state, state.mover, each))
    options = list(dict.fromkeys(decisions))[:MOST_OPTIONS]
    masks = list(dict.fromkeys(map(cells_covered, options)))
    # A single option is doubted as a whole: either it was laid, or nothing.
    doubtful = reduce(or_, (xor(a, b) for a, b in combinations(masks, 2)), 0) or masks[0]
    return complaints.which_cells(state.mover, options, doubtful, observation.frame)


def _with_labelled(state: State, observation: Observation, found: list[Explanation]) -> list[Explanation]:
    """Return legal explanations, the likeliest first, with those of the patch that the label on the likeliest names."""
    best = found[0]
    if best.patches == (LEATHER,):
        return found
    named = _labelled(state, observation, best, _OTHER_LABEL_IN_DOUBT)
    clearly = _labelled(state, observation, best, _OTHER_LABEL)
    return list(dict.fromkeys((*clearly, best, *named, *found)))


def _labelled(state: State, observation: Observation, best: Explanation, lead: float) -> list[Explanation]:
    """Return the likeliest legal placements, at most two, of patches that the label on a piece names by this lead.

    Labels are misread now and then: so only placements count that the cells do not rule out.
    """
    picture, cells = observation.picture, [divmod(index, SIDE) for index in indices_of(best.mask)]
    read = read_tag_on(picture.image, picture.boards[state.mover], cells)
    likelihoods = {patch: float(read[PATCHES[patch].buttons, PATCHES[patch].time - 1]) for patch in state.unbought}
    least = lead + max(likelihoods[patch] for patch in best.patches if patch in likelihoods)
    named = {patch for patch, likelihood in likelihoods.items() if likelihood > least}
    if not named:
        return []
    found = explain(observation.ratios, state, state.mover, most=_MOST_SEARCHED)
    legal = [each for each in found if each.kind is ExplanationKind.LEGAL and not named.isdisjoint(each.patches)]
    possible = [each for each in legal if each.probability > _RULED_OUT * best.probability]
    return [each for each in possible if (each.mask & best.mask).bit_count() >= _LABEL_CELLS][:2]


def _either_leather(state: State, observation: Observation, best: Explanation) -> list[PlaceLeather]:
    """Return the leather patch as explained and as other cells would have it that have rather changed than not.

    Empty if there are no others, if more than one has certainly changed, or if a token lies on one of them. Old
    patches that reach over a cell from two sides look like leather, sometimes more so than the leather itself; and a
    camera that compresses strongly changes bare cells.
    """
    picture, seat, bare = observation.picture, state.mover, ~state.seat(state.mover).quilt
    if best.patches != (LEATHER,):
        return []
    sure = unexplained(observation.ratios, observation.core, best, CHANGED) & bare
    changed = unexplained(observation.ratios, observation.core, best, 0.0) & bare
    others = sorted(indices_of(changed), key=lambda index: -observation.ratios[0, 1:-1, 1:-1].flat[index])
    cells = [best.mask, *(1 << index for index in others)][:MOST_OPTIONS]
    if not others or sure.bit_count() > 1 or any(is_token(cell, picture, seat) for cell in cells):
        return []
    return [PlaceLeather(seat, cell) for cell in cells]


def _unless_leather_was_laid(state: State, observation: Observation, verdict: Verdict) -> Verdict:
    """Return a verdict or, in place of the complaint that nothing new is seen, the question about leather due.

    Amid patches, on a board of its colour or in dim light, leather looks like their shadow: but shadows do not darken
    all of a single cell, and nothing around it.
    """
    if not isinstance(verdict, Complaint) or not state.leather_due or observation.ratios[0, 1:-1, 1:-1].max() > CHANGED:
        return verdict
    if verdict.reason not in (Reason.NOTHING_PLACED, Reason.UNCLEAR):
        return verdict
    bare = ~lattice_of(state.seat(state.mover).quilt)[1:-1, 1:-1]
    light = np.abs(lone_light(observation.expected, observation.look)) / _OTHER_LIGHT - 1
    # A lens with fingerprints brightens what is bare: of a leather patch only its middle was seen to have changed then.
    changed = np.where(bare, np.maximum(light, observation.core[1:-1, 1:-1]), 0.0).ravel()
    likeliest = [int(index) for index in np.argsort(-changed, kind="stable")[:MOST_OPTIONS]]
    cells = [1 << index for index in likeliest if changed[index] > 0]
    laid = [PlaceLeather(state.mover, cell) for cell in cells if not is_token(cell, observation.picture, state.mover)]
    if not laid:
        return verdict
    asked = complaints.which_cells(state.mover, laid, reduce(or_, map(cells_covered, laid)), observation.frame)
    return replace(asked, none_first=True, else_wrong=verdict)


def _unless_two_were_laid(state: State, observation: Observation, verdict: Verdict) -> Verdict:
    """Return a verdict, or in place of a complaint what follows if two patches were laid since the last `confirm`.

    That is the question which one was first or, if the other player was to move between, which one has to wait.
    """
    if not isinstance(verdict, Complaint) or verdict.reason not in _OF_SEVERAL:
        return verdict
    changed = (observation.ratios[0] > CHANGED) & (observation.core > 0)
    pairs = pairs_laid(observation.ratios, changed, state)
    first = laid_first(pairs, state)
    if first:
        return complaints.which_first(state, first, verdict) if len(first) <= MOST_OPTIONS else verdict
    early = laid_too_early(pairs, state) if verdict.reason is Reason.OBJECT else []
    return complaints.too_early(verdict, state, early) if early else verdict


def _in_doubt(state: State, observation: Observation) -> list[Explanation]:
    """Return the likeliest explanations of a picture whose cells alone explain it too badly for a reading."""
    light = light_of_cells(observation.expected, observation.look)
    return explain_in_doubt(observation.ratios, light, observation.visibility, state)


def _is_outlined_otherwise(state: State, observation: Observation, best: Explanation) -> bool:
    """Return whether another explanation is likelier as soon as outlines count, and differs in cells seen badly."""
    if observation.visibility[lattice_of(best.mask)].min() >= _SEEN_BARE:
        return False
    differing = lattice_of(_in_doubt(state, observation)[0].mask ^ best.mask)
    return bool(differing.any() and observation.visibility[differing].mean() < _SEEN_BARE)


def _outlined(state: State, observation: Observation) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the legal decisions that the outlines alone make likelier than that nothing was laid."""
    found = _in_doubt(state, replace(observation, ratios=np.zeros_like(observation.ratios)))
    return _legal_decisions(state, list(takewhile(lambda each: each.kind is not ExplanationKind.NOTHING, found)))


def _unseen(state: State, observation: Observation, least: float = _SEEN) -> int:
    """Return the cells without a patch that are seen worse than `least`, as a bit mask."""
    return mask_of_lattice(observation.visibility < least) & ~state.seat(state.mover).quilt


def _or_advance(complaint: Complaint) -> Complaint:
    """Return a complaint to a player who pressed advance, with advance as a next step."""
    return replace(complaint, then=NextStep.PLACEMENT_OR_ADVANCE)


def _is_contradicted(observation: Observation, best: Explanation) -> bool:
    """Return whether a cell that the explanation covers certainly has not changed, or half of them cannot be seen."""
    cells = lattice_of(best.mask)
    ratios, seen = observation.ratios[best.shift][cells], observation.visibility[cells]
    unseen = (ratios < 0) & (seen < _SEEN)
    return bool(ratios.min() < _CONTRADICTED or 2 * np.count_nonzero(unseen) >= len(unseen))


def _may_be_token(observation: Observation, best: Explanation) -> bool:
    """Return whether a patch of two cells may as well be a token that lies across a cell's edge: one is not sure."""
    ratios = observation.ratios[best.shift][lattice_of(best.mask)]
    return len(ratios) == 2 and bool(ratios.max() > CHANGED > ratios.min())


def _may_be_larger(state: State, observation: Observation, best: Explanation) -> bool:
    """Return whether cells beside the patch, of which the explanation says that they are bare, do not look bare."""
    laid = lattice_of(best.mask)
    bare = lattice_of(ALL_CELLS & ~(best.mask | state.seat(state.mover).quilt))
    beside = bare & (cv2.dilate(laid.astype(np.uint8), _BESIDE) > 0)
    return bool(np.count_nonzero(observation.ratios[best.shift][beside] > _NOT_BARE) >= _MANY_BESIDE)


def _refused(state: State, found: Explanation, patch: str, observation: Observation) -> Complaint:
    """Return the complaint about a patch that may not be taken now, laid where one of its shape was found."""
    kind = ExplanationKind.NOT_AFFORDABLE if patch in offers(state) else ExplanationKind.NOT_OFFERED
    return complaints.misplaced(state, state.mover, replace(found, kind=kind, patches=(patch,)), observation.frame)


def _laid_probability(found: Sequence[Explanation]) -> float:
    """Return the probability that anything was laid."""
    return 1 - sum(each.probability for each in found if each.kind is ExplanationKind.NOTHING)


def _may_be_legal(found: Sequence[Explanation]) -> bool:
    """Return whether a legal placement among the explanations is worth asking about."""
    return any(each.kind is ExplanationKind.LEGAL and each.probability >= _WORTH_ASKING for each in found)


def _legal_decisions(state: State, found: Sequence[Explanation]) -> tuple[TakePatch | PlaceLeather, ...]:
    legal = (each for each in found if each.kind is ExplanationKind.LEGAL)
    return tuple(decision for each in legal for decision in decisions_of(state, state.mover, each))


def _laid(decisions: Sequence[Decision]) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the decisions that place a patch."""
    return tuple(each for each in decisions if isinstance(each, TakePatch | PlaceLeather))


def complaint_of_strays(history: History, observation: Observation, explained: Explanation) -> Complaint | None:
    """Return the complaint about changed cells that the explanation does not cover, or None if they are negligible.

    A cell explained by leather counts as unexplained if a round token lies there.
    """
    state = history.state
    seat = state.mover
    if explained.patches == (LEATHER,) and is_token(explained.mask, observation.picture, seat):
        return complaints.stray_object(state, seat, explained.mask, observation.frame)
    stray = unexplained(observation.ratios, observation.core, explained, CHANGED)
    if stray.bit_count() > _COVERED_UP:
        return complaints.unclear(state, seat, stray, observation.frame)
    certain = unexplained(observation.ratios, observation.core, explained, _LONE)
    moved = [(name, mask) for name, mask in pieces(history, seat) if _has_moved(mask, stray, certain)]
    if moved:
        return complaint_of_moved(state, seat, moved, observation.frame)
    objects = stray & ~state.seat(seat).quilt
    if objects.bit_count() == 1:
        objects &= mask_of_lattice(observation.core > _TOKEN_CORE)
    return complaints.stray_object(state, seat, objects, observation.frame) if objects else None


def _are_in_place(history: History, observation: Observation, complaint: Complaint) -> bool:
    """Return whether none of the pieces of a complaint has moved: of each, the prints of two cells lie where they were.

    Haze, or the shadow in which it was laid, may have changed its plain cells.
    """
    cells, look, expected = mask_of(complaint.cells), observation.look, observation.expected
    return all(
        sum(is_recognised_nearby(look, expected, *divmod(index, SIDE), _IN_PLACE_PX) for index in indices_of(mask)) > 1
        for _, mask in pieces(history, complaint.seat)
        if mask & cells
    )


def complaint_of_moved(state: State, seat: int, moved: Sequence[tuple[str, int]], frame: str) -> Complaint:
    """Return the complaint about earlier pieces, given as names and cells, that have moved."""
    cells = reduce(or_, (mask for _, mask in moved))
    return complaints.moved(state, seat, [name for name, _ in moved], cells, frame)


def pieces(history: History, seat: int) -> list[tuple[str, int]]:
    """Return the names and cells of the pieces on a quilt."""
    return [
        (decision.patch if isinstance(decision, TakePatch) else "leather patch", decision.cells)
        for decision in history.decisions
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == seat
    ]


def _has_moved(piece: int, stray: int, certain: int) -> bool:
    """Return whether two of a piece's cells changed, or certainly its only one: leather's shadow looks changed, too."""
    if piece.bit_count() == 1:
        return bool(piece & certain)
    return (piece & stray).bit_count() >= 2
