"""The hue of a region's fine texture, which strokes have, and light and shadow do not.

A shadow, a reflection or a stain that the page's light does not account for adds to the density of a mark and changes
its hue. The texture of the strokes keeps the pencil's own hue.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheet.regions import Window, picked

# Scale above which variation may be light, even the edge of a shadow.
_AROUND_PX: Final = 7
# The least number of pixels for a covariance of three channels.
_LEAST_PX: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """The texture of a region.

    Attributes:
        hue: the direction in which density varies most, a unit vector (blue, green, red).
        depth: its standard deviation, without the paper's own noise; 0 if there is no more than noise.
        clearness: the variance, in units of the noise.
    """

    hue: NDArray[np.float64]
    depth: float
    clearness: float


def paper_noise(density: NDArray[np.float32], bare: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the noise of bare paper: the covariance of its channels, shape (3, 3).

    Args:
        density: of the page, shape (rows, columns, 3).
        bare: mask of paper that includes the reach of `texture_of`, shape (rows, columns).
    """
    varying = picked(np.asarray(cv2.subtract(density, cv2.blur(density, (_AROUND_PX, _AROUND_PX))), np.float32), bare)
    return _spread(varying) if len(varying) >= _LEAST_PX else np.full((3, 3), np.inf)


def paper_inside(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask, shape (rows, columns), eroded as `paper_noise` needs it."""
    kernel = np.ones((_AROUND_PX, _AROUND_PX), np.uint8)
    return np.asarray(cv2.erode(free.astype(np.uint8), kernel, borderValue=(0,)) > 0)


def texture_of(density: NDArray[np.float32], window: Window, noise: NDArray[np.float64]) -> Texture:
    """Measure the texture of a region.

    Args:
        density: of the page, shape (rows, columns, 3).
        window: the region.
        noise: of its paper, the result of `paper_noise`.
    """
    grey = np.full(3, 3**-0.5)
    if not np.isfinite(noise).all() or np.count_nonzero(window.mask) < _LEAST_PX:
        return Texture(grey, 0.0, 0.0)
    here, mask = density[window.box], window.mask.astype(np.float32)
    share = np.maximum(cv2.blur(mask, (_AROUND_PX, _AROUND_PX)), 1e-3)
    around = cv2.blur(here * mask[..., None], (_AROUND_PX, _AROUND_PX)) / share[..., None]
    varying = picked(np.asarray(here - around, np.float32), window.mask)
    powers, hues = np.linalg.eigh(np.asarray(_spread(varying) - noise, np.float64))
    power, hue = max(float(powers[-1]), 0.0), hues[:, -1]
    hue = hue * (1 if hue.sum() >= 0 else -1)
    return Texture(np.asarray(hue), float(np.sqrt(power)), power / max(float(np.trace(noise)), 1e-9))


def _spread(values: NDArray[np.float32]) -> NDArray[np.float64]:
    # Computed channel by channel, in half the time of `numpy.cov` on a transposed copy.
    channels = np.array([values[:, channel] for channel in range(values.shape[1])], np.float64)
    channels -= channels.mean(axis=1)[:, None]
    return np.asarray(channels @ channels.T / (len(values) - 1))
