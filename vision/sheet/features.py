"""SIFT features of a print and candidate places from their matches, for a sheet whose paper has no clear outline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.homography import FailedFit, Homography, fit_homography

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_MOST_FEATURES: Final = 3000
"""The greatest number of features of a picture."""
_CLEARER: Final = 0.86
"""Ratio test: a match must be nearer than the second best by this factor, which rejects repeated prints."""
_TOLERANCE: Final = 4.0
"""Tolerance of a map, in pixels of the scaled picture."""
_LEAST_MATCHES: Final = 14
"""The least number of matches; fewer may be chance."""
_TRIES: Final = 3
"""The greatest number of maps searched for."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of a picture.

    Attributes:
        places: shape (n, 2), in the caller's units.
        looks: the SIFT descriptor of each, shape (n, 128), float32.
        scale: pixels of the picture per unit.
    """

    places: NDArray[np.float64]
    looks: NDArray[np.float32]
    scale: float


def features_of(image: NDArray[np.uint8], scale: float) -> Features:
    """Return the features of a picture, shape (height, width, 3), uint8, BGR.

    Their places are in units of `scale` pixels.
    """
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    points, looks = cv2.SIFT.create(_MOST_FEATURES).detectAndCompute(grey, None)
    if not points:
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32), scale)
    places = (np.array([point.pt for point in points]) + 0.5) / scale
    return Features(places, np.asarray(looks, np.float32), scale)


def matched_places(sheet: Features, picture: Features) -> Iterator[Homography]:
    """Yield maps from the sheet's units to the picture's pixels, the best supported first.

    The matches of one map are removed before the next is searched for, because a grid also fits beside its place.
    """
    if min(len(sheet.looks), len(picture.looks)) < _LEAST_MATCHES:
        return
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(sheet.looks, picture.looks, k=2)
    clear = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _CLEARER * pair[1].distance]
    source = np.array([sheet.places[match.queryIdx] for match in clear]).reshape(-1, 2)
    target = np.array([picture.places[match.trainIdx] for match in clear]).reshape(-1, 2) - 0.5
    for _ in range(_TRIES):
        if len(source) < _LEAST_MATCHES:
            return
        tolerance = _TOLERANCE / picture.scale
        place = fit_homography(source, target, tolerance)
        if isinstance(place, FailedFit):
            return
        near = place.residuals(source, target) < 2 * tolerance
        if near.sum() < _LEAST_MATCHES:
            return
        yield place
        source, target = source[~near], target[~near]
