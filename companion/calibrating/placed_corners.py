"""Calibration by corners that the user has placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.mat import MATS, load_mat, load_mats
from calibration.profile import Profile
from calibration.stored import BoardCalibration, TableCalibration
from companion.calibrating.picture import draw_grids
from companion.calibrating.result import Calibrated
from companion.calibrating.survey import cell_px, survey
from vision.geometry.fiducials import FiducialDetector
from vision.geometry.homography import Homography, through_corners, translation
from vision.geometry.rectify import GRID_CORNERS, rectify

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from calibration.lensfit import LensFit
    from companion.calibrating.remarks import Remark
    from companion.calibrating.survey import SeenMat
    from hardware.ports import Frame


@dataclass(frozen=True, slots=True, eq=False)
class LaidBoard:
    """A board as the user has placed it.

    Attributes:
        corners: A1, I1, I9, A9 of its grid in pixels of the picture, shape (4, 2).
        cells_to_image: the same as a homography.
        residual_cells: the median distance of its printed lines from this place; None if no lines were seen.
        remarks: its faults.
    """

    corners: NDArray[np.float64]
    cells_to_image: Homography
    residual_cells: float | None
    remarks: tuple[Remark, ...]


def by_hand(frame: Frame, boards: Mapping[int, LaidBoard], lens: LensFit | None, taken: datetime) -> Calibrated:
    """Return a calibration by boards that were placed in one frame.

    Args:
        frame: the frame, undistorted if the lens is known.
        boards: the boards by seat.
        lens: the fitted lens, or None if unknown.
        taken: the time of the calibration to store, with its zone.
    """
    mats = load_mats()
    seen = survey(frame.image, mats, FiducialDetector(mats[0].dictionary).detect(frame.image))
    stored = {seat: _stored(board, seen.get(seat), lens) for seat, board in boards.items()}
    height, width = frame.image.shape[:2]
    size_px = (width, height) if lens is None else lens.lens.size_px
    known = (None, None) if lens is None else (lens.lens, lens.residual_px)
    views = {seat: rectify(frame.image, board.cells_to_image) for seat, board in boards.items()}
    places = {seat: board.place for seat, board in stored.items()}
    picture = draw_grids(frame.image, {seat: board.cells_to_image for seat, board in boards.items()})
    return Calibrated(TableCalibration(taken, size_px, stored, *known), Profile(views, places), picture)


def _stored(board: LaidBoard, mat: SeenMat | None, lens: LensFit | None) -> BoardCalibration:
    placed = None if mat is None else mat.mat_to_image
    off_cells, cell = board.residual_cells or 0.0, cell_px(board.cells_to_image)
    known = mat is not None and placed is not None
    return BoardCalibration(
        # Without a mat in view, the first paper: the place is then the nominal one on it.
        mat=next(paper for paper, path in MATS.items() if not known or mat is None or load_mat(path) == mat.mat),
        place=_place(board, mat, placed),
        corners_px=board.corners if lens is None else lens.lens.to_camera(board.corners),
        residual_px=off_cells * cell,
        residual_mm=off_cells * load_mat().cell_mm,
        cell_px=cell,
        blur_px=0.0 if mat is None else mat.blur_px,
        paper=0.0 if mat is None else mat.paper,
    )


def _place(board: LaidBoard, mat: SeenMat | None, placed: Homography | None) -> Homography:
    """Return the board's place on its mat; if no mat is seen, its nominal place in the printed frame."""
    if mat is None or placed is None:
        return through_corners(GRID_CORNERS, load_mat().grid_corners_mm)
    shift_mm = [a - b for a, b in zip(load_mat().board_centre_mm, mat.mat.board_centre_mm, strict=True)]
    return translation(float(shift_mm[0]), float(shift_mm[1])).after(placed.inverse.after(board.cells_to_image))
