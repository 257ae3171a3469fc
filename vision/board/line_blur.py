"""Measurement of a board's sharpness at its printed lines; no mat is needed."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.homography import Homography
from vision.geometry.rectify import SIDE

# Half of a profile's length across a line.
_REACH_PX: Final = 12.0
# Distance between two samples across a line.
_STEP_PX: Final = 0.25
# Largest distance of a printed line from its place by the grid's map.
_OFF_PX: Final = 1.5
# Positions along a cell's side that are sampled, as shares of its length; the crossings at its ends are excluded.
_PLACES: Final = np.linspace(0.2, 0.8, 13)
# The least contrast between lines and ground, in grey levels, below which their width cannot be measured.
_LEAST_LINE: Final = 1.2
# Full width at half maximum of a Gaussian, in sigmas.
_HEIGHT_SIGMAS: Final = 2.355


def line_blur_px(image: NDArray[np.uint8], cells_to_image: Homography) -> float:
    """Return the sigma of the printed lines as imaged, in pixels.

    It consists of the picture's blur and half a pixel from the lines' own width; infinite if the contrast is too low.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        cells_to_image: from cell space to pixels.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    offsets = np.arange(-_REACH_PX, _REACH_PX + 1e-6, _STEP_PX)
    places = [(line, cell, across) for line in range(1, SIDE) for cell in range(SIDE) for across in (False, True)]
    profiles = [_profile(np.asarray(grey, np.uint8), cells_to_image, place, offsets) for place in places]
    return _width_px(np.array(profiles), offsets)


def _profile(
    grey: NDArray[np.uint8],
    cells_to_image: Homography,
    place: tuple[int, int, bool],
    offsets: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return grey levels across one segment of a line, averaged along it."""
    line, cell, across = place
    along = cell + _PLACES
    level = np.full_like(along, line)
    points = cells_to_image(np.column_stack((along, level) if across else (level, along)))
    way = points[-1] - points[0]
    normal = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    at = (points[:, None, :] + offsets[None, :, None] * normal).astype(np.float32)
    sampled = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled.mean(axis=0), np.float64)


def _width_px(profiles: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """Return the lines' sigma, from the mean of their profiles after alignment of their peaks."""
    level = profiles - np.median(profiles, axis=1, keepdims=True)
    mean = level.mean(axis=0)
    middle = np.abs(offsets) <= _OFF_PX
    sign = np.sign(mean[middle][int(np.argmax(np.abs(mean[middle])))])
    moved = [np.roll(row, -int(np.argmax(sign * row[middle])) + middle.sum() // 2) for row in level]
    line = sign * np.mean(moved, axis=0)
    line -= np.median(line)
    top = float(line[middle].max())
    if top < _LEAST_LINE:
        return float("inf")
    centre = int(np.argmax(np.where(middle, line, -np.inf)))
    return _run(line > top / 2, centre) * _STEP_PX / _HEIGHT_SIGMAS


def _run(above: NDArray[np.bool_], centre: int) -> int:
    """Return the length of the run of true values that includes `centre`."""
    before, after = above[centre::-1], above[centre:]
    return int(np.argmin(np.append(before, False))) + int(np.argmin(np.append(after, False))) - 1
