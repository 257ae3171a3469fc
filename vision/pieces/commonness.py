"""Density of each pixel's appearance within a picture: the table's ground is common in it, a patch's print is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision import channels

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALES: Final = 3
"""Number of kernel widths; each is half of the one before."""
_SAMPLES: Final = 320
"""Number of sampled looks that all others are compared with, drawn with a fixed seed."""
_FINE_PX, _COARSE_PX = 0.8, 2.5
"""Sigmas of a point's colour and of that around it, in pixels of the half-size picture."""
_WINDOW_PX: Final = 7
"""Edge of the square in which the variation of brightness is measured, in pixels of the half-size picture."""
_WIDE: Final = 0.6
"""Width of the widest kernel, in units of the normalised picture."""
_LEAST: Final = 1e-4
"""Added to densities before logarithms are taken, for looks that occur nowhere else."""
_MIDDLE, _SPREAD = -3.0, 2.0
"""Mean and spread of the logarithms, used to scale them to about -1..1."""
_ROWS_AT_ONCE: Final = 512
"""Looks compared at once: their distances, 640 kB, stay in the processor's cache."""


def commonness(shown: NDArray[np.float32], seen: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """Return the density of each point's look among the looks of the whole picture.

    A look consists of the colour, the colour of the surroundings, and the local variation of brightness.

    Args:
        shown: a normalised picture, shape (height, width, 3), both even.
        seen: mask of valid pixels, shape (height, width); None for all of them.

    Returns:
        Logarithms, scaled to about -1..1, for kernels from wide to narrow: (height / 2, width / 2, SCALES).
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
    light = channels.mean(small)
    window = (_WINDOW_PX, _WINDOW_PX)
    varied = np.sqrt(np.maximum(cv2.blur(light * light, window) - cv2.blur(light, window) ** 2, 0))
    return np.asarray(np.dstack([fine, coarse, varied]) / np.float32(_WIDE), np.float32)


def _densities(looks: NDArray[np.float32], samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return kernel densities with a wide Gaussian and two more, each half as wide; shape (looks, SCALES)."""
    # Computed in one array, in place, because memory access takes most of the time.
    near = looks @ samples.T
    near -= 0.5 * (looks**2).sum(axis=1)[:, None]
    near -= 0.5 * (samples**2).sum(axis=1)
    np.minimum(near, 0, out=near)
    np.exp(near, out=near)
    means = [near.mean(axis=1)]
    for _ in range(SCALES - 1):
        # Halving the width raises a Gaussian to the fourth power.
        np.square(near, out=near)
        np.square(near, out=near)
        means.append(near.mean(axis=1))
    return np.stack(means, axis=1)
