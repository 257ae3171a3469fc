"""The alternatives to a complaint: the legal decisions that the picture supports best."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import PlaceLeather, TakePatch, affordable
from companion.patchwork.reading.explain import Explanation, ExplanationKind, explain
from companion.patchwork.reading.lattice_placements import LEATHER, all_lattice_placements
from companion.patchwork.watching.lattice import lattice_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.games.patchwork import State

MOST_OPTIONS: Final = 4
"""The most options that the light strip can distinguish and that one push-button can step through."""
MOST_RANKED: Final = 4 * MOST_OPTIONS
"""The most decisions to rank: enough for four questions in a row whose options are all refused."""
_SUPPORT: Final = 6.0
"""Limit of one cell's log-likelihood ratio, so that the cells complained about do not outweigh the patch's own."""

_AT_FIRST: Final = (40, 600)
"""Numbers of explanations to try before all: they nearly always contain enough legal ones; all take half a second."""


def decisions_of(state: State, seat: int, found: Explanation) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the legal decisions that fit the explanation: one, or one per twin."""
    if found.patches == (LEATHER,):
        return (PlaceLeather(seat, found.mask),)
    return tuple(TakePatch(seat, patch, found.mask) for patch in affordable(state) if patch in found.patches)


def most_supported(
    ratios: NDArray[np.float64], state: State, first: Sequence[TakePatch | PlaceLeather] = ()
) -> tuple[TakePatch | PlaceLeather, ...]:
    """Return the decisions that players who reject a complaint may mean, the likeliest first, `MOST_RANKED` at most.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (len(SHIFTS), RING, RING).
        state: the rules' state; the result is empty if the seat to move may lay nothing.
        first: decisions already known to be likely; they rank first.
    """
    seat = state.mover
    free = ~lattice_of(state.seat(seat).quilt)
    free[[0, -1], :] = free[:, [0, -1]] = False
    # Covered cells and the ring around the board are taken to be unchanged.
    support = np.where(free, np.clip(ratios, -_SUPPORT, _SUPPORT), 0.0)
    # If nothing seems to have been laid, what stands out most was: a patch may look much like the board.
    contrast = (
        np.where(free, support - np.median(support[:, free], axis=1)[:, None, None], 0.0) if free.any() else support
    )
    ranked = (*_ranked(support, state, seat, ExplanationKind.NOTHING), *_ranked(contrast, state, seat))
    decisions = (decision for each in ranked for decision in decisions_of(state, seat, each))
    return tuple(dict.fromkeys((*first, *decisions)))[:MOST_RANKED]


def _ranked(
    ratios: NDArray[np.float64], state: State, seat: int, until: ExplanationKind | None = None
) -> list[Explanation]:
    """Return the best legal explanations, most likely first, up to the first explanation of the kind `until`."""
    for most in (*_AT_FIRST, len(all_lattice_placements().masks) + 1):
        found = explain(ratios, state, seat, most=most)
        better = list(takewhile(lambda each: each.kind is not until, found))
        legal = [each for each in better if each.kind is ExplanationKind.LEGAL][:MOST_RANKED]
        if len(legal) == MOST_RANKED or len(better) < len(found):
            break
    return legal
