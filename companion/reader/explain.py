"""Weighs every way the picture could have come about: a legal placement, a mistake that people make, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import affordable, offers
from companion.reader.lattice import LEATHER, RING, all_lies, lattice_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.games.patchwork import State


class Kind(IntEnum):
    """What an explanation says has happened."""

    LEGAL = 0
    NOT_AFFORDABLE = 1
    NOT_OFFERED = 2
    OVERLAP = 3
    OVER_THE_EDGE = 4
    NOTHING = 5
    IMPOSSIBLE = 6


_PRIOR: Final = {
    Kind.LEGAL: 0.95,
    Kind.NOTHING: 0.03,
    Kind.NOT_AFFORDABLE: 0.005,
    Kind.NOT_OFFERED: 0.005,
    Kind.OVERLAP: 0.005,
    Kind.OVER_THE_EDGE: 0.005,
}
"""How often people do each of these; shared among the lies of a kind. Only orders of magnitude matter."""

_TEMPER: Final = 0.7
"""Neighbouring cells share their light, registration and noise: their evidence counts for less than its sum."""
_RING_WEIGHT: Final = 0.5
"""The ring shows the mat, the table and sleeves: its evidence is weaker than the quilt's."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One way the picture could have come about.

    Attributes:
        kind: what happened.
        patches: the patches of the shape laid; empty for NOTHING.
        mask: the quilt's cells that the piece covers.
        probability: posterior, among all explanations.
    """

    kind: Kind
    patches: tuple[str, ...]
    mask: int
    probability: float


def explain(ratios: NDArray[np.float64], state: State, seat: int, most: int = 6) -> list[Explanation]:
    """The likeliest explanations of what changed on a quilt, the best first.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (RING, RING).
        state: the rules' state; whatever may be laid follows from it.
        seat: whose quilt it is. On the quilt of the seat that is not to move, a placement is legal if any patch fits.
        most: how many to return.
    """
    lies = all_lies()
    kinds = _kinds(state, seat)
    weights = np.append(_log_evidence(ratios, lies.incidence), 0.0) + _log_priors(kinds)
    weights -= weights.max()
    posterior = np.exp(weights)
    posterior /= posterior.sum()
    best = np.argsort(-posterior, kind="stable")[:most]
    return [_explanation(int(index), Kind(int(kinds[index])), float(posterior[index])) for index in best]


def _explanation(index: int, kind: Kind, probability: float) -> Explanation:
    lies = all_lies()
    if index == len(lies.masks):
        return Explanation(kind, (), 0, probability)
    return Explanation(kind, lies.shapes[lies.shape[index]], lies.masks[index], probability)


def _log_evidence(ratios: NDArray[np.float64], incidence: NDArray[np.float32]) -> NDArray[np.float64]:
    """Log-likelihood of each lie against nothing at all, shape (n,)."""
    weighted = ratios * _RING_WEIGHT
    weighted[1:-1, 1:-1] = ratios[1:-1, 1:-1]
    return np.asarray(_TEMPER * (incidence @ weighted.reshape(-1).astype(np.float32)), np.float64)


def _kinds(state: State, seat: int) -> NDArray[np.int64]:
    """The kind of each lie, and NOTHING at the end, shape (n + 1,)."""
    lies = all_lies()
    shape_kinds = np.array([_shape_kind(patches, state, seat) for patches in lies.shapes])
    kinds = shape_kinds[lies.shape]
    possible = kinds != Kind.IMPOSSIBLE
    overlaps = lies.incidence @ lattice_of(state.seat(seat).quilt).reshape(-1).astype(np.float32) > 0
    kinds[possible & overlaps] = Kind.OVERLAP
    kinds[possible & (lies.outside > 0)] = Kind.OVER_THE_EDGE
    return np.append(kinds, Kind.NOTHING)


def _shape_kind(patches: tuple[str, ...], state: State, seat: int) -> Kind:
    """What laying this shape where it fits would be."""
    left = [patch for patch in patches if patch in state.unbought]
    if patches == (LEATHER,):
        return Kind.LEGAL if state.leather_due else Kind.IMPOSSIBLE
    if not left:
        return Kind.IMPOSSIBLE
    if seat != state.turn or any(patch in affordable(state) for patch in left):
        return Kind.LEGAL
    return Kind.NOT_AFFORDABLE if any(patch in offers(state) for patch in left) else Kind.NOT_OFFERED


def _log_priors(kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    priors = np.full(len(kinds), -np.inf)
    for kind, share in _PRIOR.items():
        of_kind = kinds == kind
        if of_kind.any():
            priors[of_kind] = np.log(share / np.count_nonzero(of_kind))
    return priors


def unexplained(ratios: NDArray[np.float64], mask: int, beyond: float) -> int:
    """The quilt's cells that look changed by more than `beyond` though the explanation's `mask` does not cover them."""
    changed = (ratios > beyond) & ~lattice_of(mask)
    bits = changed.reshape(RING, RING)[1:-1, 1:-1].reshape(-1)
    return sum(1 << int(index) for index in np.flatnonzero(bits))
