"""The remainder that a single placement leaves unexplained: a second patch, strays, and earlier pieces that moved."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.rules import History, apply
from companion.games.patchwork.state import State
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import (
    MOST_OPTIONS,
    Explanation,
    ExplanationKind,
    decisions_of,
    log_evidence,
    unexplained,
)
from companion.patchwork.reading.observer import CHANGED, Observation
from companion.patchwork.reading.placements import LEATHER, all_lattice_placements, words_of
from companion.patchwork.reading.verdict import Complaint, Reason, Verdict
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.table.plane import PlacedPicture
from vision.tokens.discs import token_in_cell

# The same as `CHANGED` for a one-cell piece: in a desk lamp's moving shadow, an unmoved one was seen to reach 5.
_LONE: Final = 8.0
# Ratio in the middle of a single bare cell beyond which an object lies there: tokens have 3.1 to 4, a cell between
# patches that extend over its sides was seen to reach 2.5.
_TOKEN_CORE: Final = 3.0
# Number of stray cells above which the quilt is covered: stray tokens and nudged patches make fewer.
_COVERED_UP: Final = 8
# What two patches look like if a single one is expected.
_OF_SEVERAL: Final = frozenset({Reason.OBJECT, Reason.UNCLEAR, Reason.OVER_THE_EDGE, Reason.NOT_OFFERED})
# The least log-likelihood ratio of each cell of both patches: they are certainly there.
_LAID: Final = 0.0
# The most placements, by their evidence, to combine with each other.
_MOST: Final = 400
# The most pairs whose order is checked by the rules.
_MOST_PAIRS: Final = 60
# Log-likelihood by which a pair may be less likely than the best one that the rules allow.
_AS_LIKELY: Final = 4.0


Pair: TypeAlias = "tuple[float, Explanation, Explanation]"
"""Two placements that lie apart, and their evidence."""


def pairs_laid(ratios: NDArray[np.float64], changed: NDArray[np.bool_], state: State) -> list[Pair]:
    """Return the pairs of patches that explain all changed cells of the mover's quilt, likeliest first.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (len(SHIFTS), RING, RING).
        changed: the cells of the lattice that have certainly changed, shape (RING, RING).
        state: the rules' state.
    """
    return sorted(_pairs(ratios, changed, state), key=lambda pair: -pair[0])[:_MOST_PAIRS]


def laid_first(pairs: Sequence[Pair], state: State) -> list[TakePatch | PlaceLeather]:
    """Return what the mover may have laid first, likeliest first, if the rules let the mover lay both in turn."""
    found: list[TakePatch | PlaceLeather] = []
    best: float | None = None
    for evidence, one, other in pairs:
        if best is not None and evidence < best - _AS_LIKELY:
            break
        first = [*_in_turn(state, one, other), *_in_turn(state, other, one)]
        best = evidence if first and best is None else best
        found += [each for each in first if each not in found]
    return found


def laid_too_early(pairs: Sequence[Pair], state: State) -> list[tuple[TakePatch, int]]:
    """Return each patch that the mover may take now, if only one of two can be taken, with the other one's cells.

    Both may be returned; the list is empty unless two patches of the box explain all changed cells.
    """
    if not pairs or state.leather_due:
        return []
    _, one, other = pairs[0]
    # A single cell is rather a button.
    if not all(_is_in_box(state, each) for each in (one, other)):
        return []
    return [
        (decision, later.mask)
        for first, later in ((one, other), (other, one))
        for decision in decisions_of(state, state.mover, first)[:1]
        if isinstance(decision, TakePatch)
    ]


def _is_in_box(state: State, laid: Explanation) -> bool:
    return not set(state.unbought).isdisjoint(laid.patches)


def _pairs(ratios: NDArray[np.float64], changed: NDArray[np.bool_], state: State) -> Iterator[Pair]:
    """Yield pairs of placements that lie apart and explain all changed cells, with their evidence."""
    missing = mask_of_lattice(changed) & ~state.seat(state.mover).quilt
    laid = _laid(ratios, state)
    for number, (evidence, one) in enumerate(laid):
        left = missing & ~one.mask
        # A single placement that explains everything is no pair.
        if not left or not missing & one.mask:
            continue
        for other_evidence, other in laid[number + 1 :]:
            if not left & ~other.mask and not one.mask & other.mask:
                yield evidence + other_evidence, one, other


def _laid(ratios: NDArray[np.float64], state: State) -> list[tuple[float, Explanation]]:
    """Return the placements of patches in the box on empty cells, all of which changed, with their evidence."""
    placements = all_lattice_placements()
    evidence = log_evidence(ratios)
    quilt = np.array(words_of(state.seat(state.mover).quilt), np.uint64)
    free = (placements.outside == 0) & ~(placements.words & quilt).any(axis=1)
    best = np.where(free, evidence.max(axis=0), -np.inf)
    laid: list[tuple[float, Explanation]] = []
    for index in np.argsort(-best, kind="stable")[: np.count_nonzero(best > 0)]:
        shift = int(evidence[:, index].argmax())
        mask = placements.masks[index]
        if ratios[shift][lattice_of(mask)].min() > _LAID:
            patches = placements.shapes[placements.shape[index]]
            laid.append((float(evidence[shift, index]), Explanation(ExplanationKind.LEGAL, patches, mask, 0.0, shift)))
        if len(laid) == _MOST:
            break
    return laid


def _in_turn(state: State, one: Explanation, other: Explanation) -> Sequence[TakePatch | PlaceLeather]:
    """Return the decisions to lay one piece after which the rules let the same player lay the other."""
    return [first for first in decisions_of(state, state.mover, one) if _may_follow(state, first, other)]


def _may_follow(state: State, first: TakePatch | PlaceLeather, other: Explanation) -> bool:
    seat = state.mover
    try:
        after = apply(state, first).state
        if after.turn != seat:
            return False
        return any(apply(after, second) for second in decisions_of(after, seat, other))
    except IllegalDecisionError:
        return False


def unless_two_were_laid(state: State, observation: Observation, verdict: Verdict) -> Verdict:
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


def is_token(cell: int, picture: PlacedPicture, seat: int) -> bool:
    """Return whether a button token, rather than leather, which is square, lies in the only cell of a mask."""
    board = picture.boards.get(seat)
    return board is not None and token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE)) is not None


def _has_moved(piece: int, stray: int, certain: int) -> bool:
    """Return whether two of a piece's cells changed, or certainly its only one: leather's shadow looks changed, too."""
    if piece.bit_count() == 1:
        return bool(piece & certain)
    return (piece & stray).bit_count() >= 2
