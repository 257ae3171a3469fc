"""Mapping between two pictures of one camera with different sizes and fields of view, such as a still and a frame.

Pixel centres lie on whole numbers: a picture's left edge is at -0.5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens
from hardware.ports import Frame
from vision.geometry import Homography

# Largest relative difference of two pictures' aspect ratios, because sizes are integers and even.
_ALIKE: Final = 0.005


@dataclass(frozen=True, slots=True)
class Framing:
    """A map from one picture's pixels to another's.

    Attributes:
        scale: pixels of the other picture per pixel, along x and y.
        shift_px: shift in pixels of the other picture.
    """

    scale: tuple[float, float]
    shift_px: tuple[float, float]

    def __call__(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Map points of shape (..., 2) from the first picture to the second."""
        return np.asarray(points_px, np.float64) * self.scale + self.shift_px

    @property
    def inverse(self) -> Framing:
        """The map from the second picture back to the first."""
        (wide, high), (right, down) = self.scale, self.shift_px
        return Framing((1 / wide, 1 / high), (-right / wide, -down / high))

    @property
    def homography(self) -> Homography:
        """This map as a homography, for composition with others."""
        (wide, high), (right, down) = self.scale, self.shift_px
        return Homography(np.array([[wide, 0.0, right], [0.0, high, down], [0.0, 0.0, 1.0]]))

    def lens(self, lens: Lens, size_px: tuple[int, int]) -> Lens:
        """Return a picture's lens in terms of the other picture, which has the given size."""
        centre = self([lens.centre_px])[0]
        focal_px = (lens.focal_px[0] * self.scale[0], lens.focal_px[1] * self.scale[1])
        return replace(lens, size_px=size_px, focal_px=focal_px, centre_px=(float(centre[0]), float(centre[1])))


def framing_between(first: Frame, second: Frame) -> Framing | None:
    """Return the map from the first picture's pixels to the second's, or None if it is unknown.

    Both pictures are of one camera. If it does not report their part of its view, pictures of equal aspect ratio are
    assumed to show the same part, and the result is None if the ratios differ.
    """
    (height, width), (high, wide) = first.image.shape[:2], second.image.shape[:2]
    here, there = first.crop, second.crop
    if here is None or there is None:
        if abs(width * high / (height * wide) - 1) > _ALIKE:
            return None
        here = there = (0.0, 0.0, 1.0, 1.0)
    # Pixels of each picture per unit of their common space.
    per_unit = np.array([width, height]) / here[2:]
    other = np.array([wide, high]) / there[2:]
    scale = other / per_unit
    shift = (np.array(here[:2]) - there[:2]) * other + 0.5 * scale - 0.5
    return Framing((float(scale[0]), float(scale[1])), (float(shift[0]), float(shift[1])))
