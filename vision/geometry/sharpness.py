"""Measurement of a picture's sharpness and brightness at a printed marker's edges, where both are known."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Half the length of a profile across an edge.
_REACH_PX: Final = 8.0
# Samples across an edge: three to a pixel over the full reach.
_SAMPLES: Final = 49
# Samples at each end of a profile that are ink alone, or paper alone.
_ENDS: Final = 10
# Positions along an edge, as shares of its length; the corners are excluded.
_PLACES: Final = np.linspace(0.15, 0.85, 15)
# The least contrast between ink and paper, in grey levels, for the blur to be measured.
_LEAST_CONTRAST: Final = 12.0


@dataclass(frozen=True, slots=True)
class MarkerLook:
    """Sharpness and brightness at a marker's edges.

    Attributes:
        blur_px: sigma of the blur, in pixels; infinite if the contrast of ink and paper is too low.
        ink: grey level of its black, 0..255.
        paper: grey level of the white around it, 0..255.
    """

    blur_px: float
    ink: float
    paper: float


def look_at_marker(image: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> MarkerLook:
    """Measure the outer edges of a marker's black square.

    Args:
        image: shape (height, width, 3) BGR or (height, width) grey, uint8.
        corners_px: the square's corners, clockwise, shape (4, 2).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    length_px = float(np.hypot(*np.diff(corners_px[[0, 1, 2, 3, 0]], axis=0).T).min())
    # A profile must not reach a small marker's own squares, which are a sixth of its size.
    reach_px = min(_REACH_PX, length_px / 7)
    sides = [(corners_px[side], corners_px[(side + 1) % 4]) for side in range(4)]
    profiles = np.concatenate([_profiles(np.asarray(grey, np.uint8), *side, reach_px) for side in sides])
    ink, paper = float(np.median(profiles[:, :_ENDS])), float(np.median(profiles[:, -_ENDS:]))
    if paper - ink < _LEAST_CONTRAST:
        return MarkerLook(float("inf"), ink, paper)
    share = np.clip((profiles - ink) / (paper - ink), 0.0, 1.0)
    # For an edge blurred by a Gaussian, share * (1 - share) has an area of sigma / sqrt(pi), wherever the edge is.
    areas = (share * (1 - share)).sum(axis=1) * (2 * reach_px / (_SAMPLES - 1))
    return MarkerLook(float(np.sqrt(np.pi) * np.median(areas)), ink, paper)


def _profiles(
    grey: NDArray[np.uint8], start: NDArray[np.float64], end: NDArray[np.float64], reach_px: float
) -> NDArray[np.float64]:
    """Return grey levels across an edge at each of `_PLACES`, from within the marker outwards, shape (n, _SAMPLES)."""
    along = end - start
    outwards = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)
    offsets = np.linspace(-reach_px, reach_px, _SAMPLES)
    points = start + _PLACES[:, None, None] * along + offsets[None, :, None] * outwards
    x, y = np.asarray(points[..., 0], np.float32), np.asarray(points[..., 1], np.float32)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64)
