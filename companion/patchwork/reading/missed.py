"""A forgotten `confirm`: two patches that one player has laid in turn since the last decision."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.rules import apply
from companion.games.patchwork.state import State
from companion.patchwork.reading.explain import (
    Explanation,
    ExplanationKind,
    all_lattice_placements,
    decisions_of,
    log_evidence,
    words_of,
)
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice

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
