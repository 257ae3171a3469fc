"""The explanations of a picture, weighed: a legal placement, a common mistake, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import affordable, offers
from companion.patchwork.reading.lattice_placements import LEATHER, all_lattice_placements, words_of
from companion.patchwork.watching.lattice import lattice_of, mask_of_lattice
from vision.quilt.likelihood import SHIFTS
from vision.quilt.windows import WINDOW_PX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.games.patchwork import State


class ExplanationKind(IntEnum):
    """The event on the table that an explanation assumes."""

    LEGAL = 0
    NOT_AFFORDABLE = 1
    NOT_OFFERED = 2
    OVERLAP = 3
    OVER_THE_EDGE = 4
    NOTHING = 5
    IMPOSSIBLE = 6


PRIOR: Final = {
    ExplanationKind.LEGAL: 0.95,
    ExplanationKind.NOTHING: 0.03,
    ExplanationKind.NOT_AFFORDABLE: 0.005,
    ExplanationKind.NOT_OFFERED: 0.005,
    ExplanationKind.OVERLAP: 0.005,
    ExplanationKind.OVER_THE_EDGE: 0.01,
}
"""The prior of each kind, divided equally among its placements. Only orders of magnitude matter."""

_SHIFT_SPREAD_PX: Final = 3.0
"""Standard deviation of a patch's offset from the grid, in view pixels: a tenth of a cell."""
_RING_WEIGHT: Final = 0.8
"""Weight of the ring's evidence, which is weaker than the quilt's: it shows the mat, the table and sleeves."""


MISTAKES: Final = frozenset({ExplanationKind.OVERLAP, ExplanationKind.OVER_THE_EDGE})
"""The kinds that are illegal placements of a patch that may be taken."""
_CERTAIN_CORE: Final = 3.5
"""Log-likelihood ratio of a cell's middle beyond which a patch covers more than half of it."""
_WORTH_A_DOUBT: Final = 0.002
"""Probability below which a mistake is ruled out, whatever a single cell shows."""


def _shift_prior() -> NDArray[np.float64]:
    away = np.array([right**2 + down**2 for right, down in SHIFTS]) * (WINDOW_PX / _SHIFT_SPREAD_PX) ** 2
    share = np.exp(-away / 2)
    return np.asarray(np.log(share / share.sum()))


_SHIFT_PRIOR: Final = _shift_prior()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One explanation of the picture.

    Attributes:
        kind: the kind of event.
        patches: the patches of the shape laid; empty for NOTHING.
        mask: the quilt's cells that the piece covers, as a bit mask.
        probability: posterior, among all explanations.
        shift: index into `vision.quilt.likelihood.SHIFTS`: the piece's most likely offset from the grid.
    """

    kind: ExplanationKind
    patches: tuple[str, ...]
    mask: int
    probability: float
    shift: int


def explain(ratios: NDArray[np.float64], state: State, seat: int, most: int = 6) -> list[Explanation]:
    """Return the likeliest explanations of the changes on a quilt, the best first.

    Args:
        ratios: log-likelihood ratios changed / as expected, shape (len(SHIFTS), RING, RING).
        state: the rules' state, which determines what may be laid.
        seat: the quilt's seat. On the quilt of the seat that is not to move, a placement is legal if any patch fits.
        most: the number of explanations to return.
    """
    kinds = _kinds(state, seat)
    evidence = _log_evidence(ratios)
    # The ratios are relative to NOTHING, whose own evidence is therefore 0.
    weights = np.append(_log_sum(evidence), 0.0) + _log_priors(kinds)
    weights -= weights.max()
    posterior = np.exp(weights)
    posterior /= posterior.sum()
    # Equally likely ones keep the order of the placements, so that a replay comes to the same verdict.
    best = np.argsort(-posterior, kind="stable")[:most]
    return [_explanation(int(each), kinds, posterior, evidence) for each in best]


def _explanation(
    index: int, kinds: NDArray[np.int64], posterior: NDArray[np.float64], evidence: NDArray[np.float64]
) -> Explanation:
    placements = all_lattice_placements()
    kind, probability = ExplanationKind(int(kinds[index])), float(posterior[index])
    if kind is ExplanationKind.NOTHING:
        return Explanation(kind, (), 0, probability, 0)
    shift = int(evidence[index].argmax())
    return Explanation(kind, placements.shapes[placements.shape[index]], placements.masks[index], probability, shift)


def _log_evidence(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood ratio of each placement at each shift to NOTHING, with the prior, (n, shifts)."""
    weighted = ratios * _RING_WEIGHT
    weighted[:, 1:-1, 1:-1] = ratios[:, 1:-1, 1:-1]
    columns = weighted.reshape(len(SHIFTS), -1).T.astype(np.float32)
    return np.asarray(all_lattice_placements().incidence @ columns + _SHIFT_PRIOR, np.float64)


def _log_sum(evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the sum of exponentials over the last axis."""
    top = evidence.max(axis=1)
    return np.asarray(top + np.log(np.exp(evidence - top[:, None]).sum(axis=1)))


def _kinds(state: State, seat: int) -> NDArray[np.int64]:
    """Return the kind of each placement, and NOTHING at the end, shape (n + 1,)."""
    placements = all_lattice_placements()
    kinds = _shape_kinds(placements.shapes, state, seat)[placements.shape]
    possible = kinds != ExplanationKind.IMPOSSIBLE
    overlaps = (placements.words & np.array(words_of(state.seat(seat).quilt), np.uint64)).any(axis=1)
    # In this order: a patch that overlaps others and also leaves the quilt is over the edge.
    kinds[possible & overlaps] = ExplanationKind.OVERLAP
    kinds[possible & (placements.outside > 0)] = ExplanationKind.OVER_THE_EDGE
    return np.append(kinds, ExplanationKind.NOTHING)


def _shape_kinds(shapes: Sequence[tuple[str, ...]], state: State, seat: int) -> NDArray[np.int64]:
    """Return the kind of an explanation that lays each shape inside the grid on empty cells, shape (shapes,)."""
    left = set(state.unbought)
    # On the other quilt every unbought patch counts as legal: it is only reported to be on the wrong board.
    payable, offered = (left, left) if seat != state.turn else (set(affordable(state)), set(offers(state)))

    def kind(patches: tuple[str, ...]) -> ExplanationKind:
        if patches == (LEATHER,):
            return ExplanationKind.LEGAL if state.leather_due else ExplanationKind.IMPOSSIBLE
        if left.isdisjoint(patches):
            return ExplanationKind.IMPOSSIBLE
        if not payable.isdisjoint(patches):
            return ExplanationKind.LEGAL
        return ExplanationKind.NOT_OFFERED if offered.isdisjoint(patches) else ExplanationKind.NOT_AFFORDABLE

    return np.array([kind(patches) for patches in shapes])


def _log_priors(kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    priors = np.full(len(kinds), -np.inf)
    for kind, share in PRIOR.items():
        of_kind = kinds == kind
        if of_kind.any():
            priors[of_kind] = np.log(share / np.count_nonzero(of_kind))
    return priors


def unexplained(ratios: NDArray[np.float64], core: NDArray[np.float64], found: Explanation, beyond: float) -> int:
    """Return the quilt's cells that changed although the explanation does not cover them, as a bit mask.

    A patch laid off the grid overlaps neighbouring cells and casts a shadow. So a cell counts only if its ratio exceeds
    `beyond` both unshifted and at the patch's shift, and its middle has changed too.
    """
    changed = (ratios[0] > beyond) & (ratios[found.shift] > beyond) & (core > 0) & ~lattice_of(found.mask)
    return mask_of_lattice(changed)


def rather(
    ratios: NDArray[np.float64], core: NDArray[np.float64], found: Sequence[Explanation], beyond: float
) -> Explanation:
    """Return the best explanation, or a mistake among the others that alone covers all cells that certainly changed.

    A patch whose offset from the grid is halfway between two shifts fits several placements almost equally, and players
    seldom err, so the legal one ranks first. But the middle of a cell that it leaves uncovered may show that the patch
    lies there.

    Args:
        ratios: as for `explain`.
        core: log-likelihood ratios of the cells' middles alone, shape (RING, RING).
        found: the explanations, the best first.
        beyond: log-likelihood ratio beyond which a cell has certainly changed.
    """
    sure = mask_of_lattice((ratios[0] > beyond) & (core > _CERTAIN_CORE))
    best = found[0]
    if not sure & ~best.mask:
        return best
    mistakes = (each for each in found[1:] if each.kind in MISTAKES and each.patches == best.patches)
    covering = (each for each in mistakes if each.probability > _WORTH_A_DOUBT and not sure & ~each.mask)
    return next(covering, best)
