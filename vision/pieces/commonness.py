"""Commonness of the look of each point of a picture: a table's ground is all over it, a patch's print is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALES: Final = 3
"""Widths of the kernel that looks are compared with: each half as wide as the one before."""
_SAMPLES: Final = 320
"""Looks of the picture that all others are compared with, drawn with a fixed seed."""
_FINE_PX, _COARSE_PX = 0.8, 2.5
"""Sigmas of a point's colour and of that around it, in pixels of the half-size picture."""
_WINDOW_PX: Final = 7
"""Edge of the square in which brightness varies, in pixels of the half-size picture."""
_WIDE: Final = 0.6
"""How different looks may be to count as one, in units of the normalised picture."""
_LEAST: Final = 1e-4
"""Added to densities before logarithms are taken: a look found nowhere else."""
_MIDDLE, _SPREAD = -3.0, 2.0
"""Mean and spread of the logarithms, which bring them to about -1..1."""
_ROWS_AT_ONCE: Final = 8192
"""Looks compared at once, to bound the memory that their distances take."""


def commonness(shown: NDArray[np.float32], seen: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """Return the density of each point's look among the looks of the whole picture.

    A look is the colour, that of the surroundings, and how much the brightness varies there.

    Args:
        shown: a normalised picture, shape (height, width, 3), both even.
        seen: what of it is a picture at all, shape (height, width); None for all of it.

    Returns:
        Logarithms, scaled to about -1..1, for ever narrower meanings of alike: (height / 2, width / 2, SCALES).
    """
    height, width = shown.shape[0] // 2, shown.shape[1] // 2
    small = np.asarray(cv2.resize(shown, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    looks = _looks(small).reshape(height * width, -1)
    known = np.arange(height * width)
    if seen is not None:
        shrunk = cv2.resize(seen.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        known = np.flatnonzero(shrunk)
    samples = looks[np.random.default_rng(0).choice(known, _SAMPLES)]
    parts = [_densities(looks[at : at + _ROWS_AT_ONCE], samples) for at in range(0, len(looks), _ROWS_AT_ONCE)]
    logs = (np.log(np.concatenate(parts) + np.float32(_LEAST)) - _MIDDLE) / _SPREAD
    return np.asarray(logs.reshape(height, width, SCALES), np.float32)


def _looks(small: NDArray[np.float32]) -> NDArray[np.float32]:
    fine, coarse = (cv2.GaussianBlur(small, (0, 0), sigma) for sigma in (_FINE_PX, _COARSE_PX))
    light = small.mean(axis=2)
    window = (_WINDOW_PX, _WINDOW_PX)
    varied = np.sqrt(np.maximum(cv2.blur(light * light, window) - cv2.blur(light, window) ** 2, 0))
    return np.asarray(np.dstack([fine, coarse, varied]) / np.float32(_WIDE), np.float32)


def _densities(looks: NDArray[np.float32], samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return kernel densities with a wide Gaussian and two more, each half as wide; shape (looks, SCALES)."""
    squares = (looks**2).sum(axis=1)[:, None] + (samples**2).sum(axis=1) - 2 * looks @ samples.T
    wide = np.exp(np.minimum(-0.5 * squares, 0))
    narrow = np.square(np.square(wide))
    exact = np.square(np.square(narrow))
    return np.stack([wide.mean(axis=1), narrow.mean(axis=1), exact.mean(axis=1)], axis=1)
