"""Evidence of the labels in the circle: the cost and the time printed on each patch."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork import PATCHES
from companion.patchwork.circle.naming.names import PATCHES_OF
from vision.geometry.homography import Homography
from vision.pieces.fit import Fit
from vision.pieces.label_places import LabelPlace
from vision.pieces.sightings import Sighting
from vision.pieces.tag import TagPlace, read_tag

# Limit of a label's log-likelihood ratio, because it may be another piece's label.
_LIMIT: Final = 6.0
_COSTS: Final = np.array([patch.buttons for patch in PATCHES.values()])
_TIMES: Final = np.array([patch.time for patch in PATCHES.values()])
_PATCH_IDS: Final = tuple(PATCHES)


class LabelReader:
    """A reader of the labels in one picture; each label is read once.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        to_image: maps table space to the image.
    """

    def __init__(self, image: NDArray[np.uint8], to_image: Homography) -> None:
        self._image, self._to_image = image, to_image
        self._read: dict[LabelPlace, NDArray[np.float64]] = {}
        self._looked_for: dict[Fit, NDArray[np.float64]] = {}

    def patches(self, place: LabelPlace) -> NDArray[np.float64]:
        """Return log-likelihoods of the patches, in the box's order; the greatest is 0, and all are 0 if unread."""
        if place not in self._read:
            read = read_tag(self._image, self._to_image, [TagPlace(place.x, place.y, place.angle_deg)])
            self._read[place] = _without_background(read)
        return self._read[place]

    def shapes(self, place: LabelPlace) -> NDArray[np.float64]:
        """Return log-likelihoods of the shapes, each that of its likeliest patch."""
        patches = self.patches(place)
        return np.array([max(patches[_PATCH_IDS.index(patch)] for patch in alike) for alike in PATCHES_OF])

    def on(self, piece: Sighting, places: Sequence[LabelPlace]) -> NDArray[np.float64]:
        """Return log-likelihoods of the patches that a piece may be, by the one label plainly seen on it.

        If none or several are seen there, the label is searched for across all edges between the piece's cells.
        """
        outline = piece.outline.astype(np.float32)
        on = [place for place in places if cv2.pointPolygonTest(outline, (place.x, place.y), False) >= 0]
        on = [place for place in on if place.is_plain] or on
        return self.patches(on[0]) if len(on) == 1 else self._anywhere_on(piece.fits[0])

    def _anywhere_on(self, fit: Fit) -> NDArray[np.float64]:
        if fit not in self._looked_for:
            self._looked_for[fit] = _without_background(read_tag(self._image, self._to_image, _places_on(fit)))
        return self._looked_for[fit]


def _places_on(fit: Fit) -> list[TagPlace]:
    """Return the possible places of a label: each edge between two cells."""
    cells = set(fit.cells)
    beside = [(column + 0.5, row) for row, column in fit.cells if (row, column + 1) in cells]
    below = [(column, row + 0.5) for row, column in fit.cells if (row + 1, column) in cells]
    middles = fit.pose.place(np.array([*beside, *below], np.float64).reshape(-1, 2)).tolist()
    turns = [0.0] * len(beside) + [90.0] * len(below)
    return [TagPlace(x, y, fit.pose.angle_deg + turn) for (x, y), turn in zip(middles, turns, strict=True)]


def _without_background(read: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood of each patch, from those of cost and time, shape (costs, times)."""
    # Costs begin at 0, times at 1.
    likely = read[_COSTS, _TIMES - 1]
    return np.asarray(np.maximum(likely - likely.max(), -_LIMIT), np.float64)
