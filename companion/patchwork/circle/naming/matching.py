"""Probabilities that each piece is each patch, given that no patch occurs twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDS: Final = 100
_CALM: Final = 0.5
"""The share of the last message that is retained (damping): without it two pieces that claim one patch oscillate."""
_LEAST_UNSEEN, _MOST_UNSEEN = 0.01, 1.0
"""Limits of the odds that a patch is not among the pieces: as many as are missing, but some pieces are overlooked."""


def marginals(weights: NDArray[np.float64], none: NDArray[np.float64], firm: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the probability of each patch for each piece, shape (pieces, patches), each patch occurring at most once.

    Belief propagation over all assignments of one patch or none to each piece, and each patch to one piece at most (B.
    Huang and T. Jebara, Approximating the Permanent with Belief Propagation, 2009).

    Args:
        weights: the evidence for each patch, shape (pieces, patches); with `none` it sums to 1 per piece.
        none: the evidence for no patch, shape (pieces,).
        firm: shape (pieces,), bool, whether a piece's claim to a patch reduces the other pieces' claims.
    """
    pieces, patches = weights.shape
    unseen = float(np.clip((patches - pieces) / max(pieces, 1), _LEAST_UNSEEN, _MOST_UNSEEN))
    free = np.ones_like(weights)
    for _ in range(_ROUNDS):
        claimed = weights * free
        claims = firm[:, None] * weights / (none[:, None] + claimed.sum(axis=1, keepdims=True) - claimed)
        left = 1 / (unseen + claims.sum(axis=0, keepdims=True) - claims)
        free = free**_CALM * left ** (1 - _CALM)
    claimed = weights * free
    return np.asarray(claimed / (none[:, None] + claimed.sum(axis=1, keepdims=True)))
