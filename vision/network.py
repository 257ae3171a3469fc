"""A small network that weighs cues: one hidden layer, its weights in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

PARTS: Final = ("middle", "spread", "first", "first_bias", "second", "second_bias", "usual")
_FURTHEST: Final = 5.0
"""Cues further from their middle than so many spreads tell no more."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Weighs cues for and against each of a few classes.

    Attributes:
        middle: mean of each cue where it was fitted, shape (cues,).
        spread: its standard deviation, shape (cues,).
        first: weights of the hidden layer, shape (cues, hidden).
        first_bias: shape (hidden,).
        second: weights of the classes, shape (hidden, classes).
        second_bias: shape (classes,).
        usual: logarithm of each class's share where it was fitted, shape (classes,).
    """

    middle: NDArray[np.float64]
    spread: NDArray[np.float64]
    first: NDArray[np.float64]
    first_bias: NDArray[np.float64]
    second: NDArray[np.float64]
    second_bias: NDArray[np.float64]
    usual: NDArray[np.float64]

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[np.floating]], name: str) -> Network:
        """The network `name` among the arrays of a file.

        Raises:
            KeyError: it is not there.
        """
        return cls(*(np.asarray(arrays[f"{name}.{part}"], np.float64) for part in PARTS))

    def log_likelihoods(self, cues: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each class but for a sum common to all, shape (..., classes), from cues of shape (..., cues)."""
        steady = np.clip((cues - self.middle) / self.spread, -_FURTHEST, _FURTHEST)
        sums = np.tanh(steady @ self.first + self.first_bias) @ self.second + self.second_bias
        top = sums.max(axis=-1, keepdims=True)
        shares = sums - top - np.log(np.exp(sums - top).sum(axis=-1, keepdims=True))
        return np.asarray(shares - self.usual)
