"""The time board in a photograph; objects beside it are no player's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import TIME_TRACKS
from vision.geometry.homography import FailedFit
from vision.timeboard.finding import find_time_board
from vision.timeboard.layout import known_layouts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.geometry.homography import Homography


def time_board_in(image: NDArray[np.uint8], boards: Sequence[Homography]) -> Homography | None:
    """Return the map from a time board's space to a photograph, or None if no board of a known printing is found.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        boards: the maps from each quilt board's cell space to the photograph.
    """
    # A photograph does not say which edition it shows, and their marks differ.
    for track in TIME_TRACKS.values():
        found = find_time_board(image, boards, track.income, track.leather, known_layouts())
        if not isinstance(found, FailedFit):
            return found.place
    return None
