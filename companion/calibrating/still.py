"""A full-size picture of a table at rest, which locates the boards more exactly than the frames do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Framing, framing_between
from calibration.mat import load_mats
from companion.calibrating import limits
from companion.calibrating.boards import SeenBoard, see_board
from companion.calibrating.survey import survey
from hardware.ports import Frame
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS

LARGER: Final = 1.05
"""A still that is hardly larger than a frame adds nothing to the mean over several frames."""
# The distance that a marker or a board's corner may have moved between the frames and the still. Beyond it, the object
# was moved, or the camera shows another part of its view than it reports.
_APART_CELLS: Final = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class StillLook:
    """A table in a still.

    Attributes:
        image: the still, shape (height, width, 3), uint8, BGR.
        boards: the boards by seat, in the still's pixels.
        to_frame: the map from the still's pixels to the frames'.
    """

    image: NDArray[np.uint8]
    boards: Mapping[int, SeenBoard]
    to_frame: Framing


def look_at_still(still: Frame, frame: Frame, watched: Mapping[int, SeenBoard]) -> StillLook | None:
    """Return the boards in a still of a table that was seen at rest, or None if the still is of no use.

    Args:
        still: the still, undistorted like the frame if the lens is known.
        frame: one of the frames in which the table was at rest.
        watched: the boards in it, by seat.
    """
    to_frame = framing_between(still, frame)
    if to_frame is None or max(to_frame.scale) * LARGER > 1:
        return None
    mats = load_mats()
    seen = survey(still.image, mats, FiducialDetector(mats[0].dictionary).detect(still.image))
    looked = {seat: see_board(still.image, mat) for seat, mat in seen.items()}
    boards = {seat: board for seat, board in looked.items() if isinstance(board, SeenBoard)}
    agrees = all(seat in boards and _agree(boards[seat], board, to_frame) for seat, board in watched.items())
    return StillLook(still.image, boards, to_frame) if agrees else None


def _agree(board: SeenBoard, watched: SeenBoard, to_frame: Framing) -> bool:
    """Return whether board and mat are at the same places in still and frame, and the still's grid fits well enough."""
    if set(board.mat.markers) != set(watched.mat.markers) or board.mat.mat != watched.mat.mat:
        return False
    pairs = [(corners, watched.mat.markers[index]) for index, corners in board.mat.markers.items()]
    pairs.append((board.fit.cells_to_image(GRID_CORNERS), watched.fit.cells_to_image(GRID_CORNERS)))
    apart_px = max(float(np.hypot(*(to_frame(here) - there).T).max()) for here, there in pairs)
    return apart_px <= _APART_CELLS * watched.cell_px and board.fit.residual_cells <= limits.MOST_RESIDUAL_CELLS
