"""What the labels of the circle tell: the cost and the time that are printed on each patch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork import PATCHES
from companion.market.shapes import PATCHES_OF
from vision.homography import through_corners
from vision.labels import LABEL_CELL_PX, label_correlations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.homography import Homography
    from vision.labelplaces import LabelPlace
    from vision.sightings import Sighting

_REACH_CELLS: Final = 1.0
"""From a label's middle to the side of its close-up."""
_READ: Final = 0.8
"""Correlation from which on a label is read: of 235 on simulated circles under all lights 229 then had their own best,
and the others led by 0.007 at most. Labels that were too blurred, or half hidden, had less."""
_HOPEFUL: Final = 0.6
"""What correlates less at half the size was never read: of 38 that were, each had 0.67 and more."""
_PER_CORRELATION: Final = 400.0
_LIMIT: Final = 12.0
"""Log-likelihood for a difference of 1 in the correlation, and how much a label can tell at most."""
_LABELS: Final = tuple(sorted({(patch.buttons, patch.time) for patch in PATCHES.values()}))
_LABEL_OF: Final = np.array([_LABELS.index((patch.buttons, patch.time)) for patch in PATCHES.values()])
_PATCH_IDS: Final = tuple(PATCHES)


class LabelReader:
    """Reads the labels in one picture, each once.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        to_image: maps table space to it.
    """

    def __init__(self, image: NDArray[np.uint8], to_image: Homography) -> None:
        self._image, self._to_image = image, to_image
        self._read: dict[LabelPlace, NDArray[np.float64]] = {}

    def patches(self, place: LabelPlace) -> NDArray[np.float64]:
        """Log-likelihoods of the patches, in the box's order; the greatest is 0, and all are where it is not read."""
        if place not in self._read:
            self._read[place] = _told(label_correlations(self._closeup(place), _LABELS, _HOPEFUL))[_LABEL_OF]
        return self._read[place]

    def shapes(self, place: LabelPlace) -> NDArray[np.float64]:
        """Likewise of the shapes: that of the likelier patch that has it."""
        patches = self.patches(place)
        return np.array([max(patches[_PATCH_IDS.index(patch)] for patch in alike) for alike in PATCHES_OF])

    def on(self, piece: Sighting, places: Sequence[LabelPlace]) -> NDArray[np.float64]:
        """Likewise of the patches that a piece may be: all are 0 where not just one label is plainly seen on it."""
        outline = piece.outline.astype(np.float32)
        on = [place for place in places if cv2.pointPolygonTest(outline, (place.x, place.y), False) >= 0]
        on = [place for place in on if place.is_plain] or on
        return self.patches(on[0]) if len(on) == 1 else np.zeros(len(_PATCH_IDS))

    def _closeup(self, place: LabelPlace) -> NDArray[np.uint8]:
        """The surroundings of a label, which runs along the rows."""
        angle = np.radians(place.angle_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = _REACH_CELLS * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) @ turn + place.at
        side = round(2 * _REACH_CELLS * LABEL_CELL_PX)
        to_closeup = through_corners(self._to_image(corners), [[0, 0], [side, 0], [side, side], [0, side]])
        closeup = cv2.warpPerspective(self._image, to_closeup.matrix, (side, side), flags=cv2.INTER_CUBIC)
        return np.asarray(closeup, np.uint8)


def _told(correlations: NDArray[np.float64]) -> NDArray[np.float64]:
    best = float(correlations.max())
    if best < _READ:
        return np.zeros(len(correlations))
    return np.asarray(np.maximum(_PER_CORRELATION * (correlations - best), -_LIMIT), np.float64)
