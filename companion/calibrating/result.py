"""What came of a calibration, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.locator import SEATS
from calibration.mat import MATS, load_mat
from calibration.profile import Profile, ProfileError, save_profile
from calibration.stored import BoardCalibration, CalibrationError, TableCalibration, save_calibration
from companion.calibrating.boards import residuals
from companion.calibrating.picture import draw_calibration, png_of
from companion.errors import CompanionError
from vision.homography import Homography, through_corners
from vision.rectify import GRID_CORNERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from numpy.typing import NDArray

    from calibration.lens import Lens
    from calibration.lensfit import LensFit
    from companion.calibrating.boards import SeenBoard
    from hardware.ports import Frame

PICTURE_SUFFIX: Final = ".png"
EMPTY_SUFFIX: Final = ".npz"
"""The files beside calibration.toml: the fitted grid drawn over a frame, and how the empty boards look."""


class CalibrationKeptError(CompanionError):
    """A calibration cannot be written."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """A calibrated table.

    Attributes:
        table: what is written to calibration.toml.
        empty: how the empty boards look, and where they lie.
        picture: a frame with the fitted grids drawn over it, shape (height, width, 3), uint8, BGR.
    """

    table: TableCalibration
    empty: Profile
    picture: NDArray[np.uint8]


def calibrated(
    rest: Sequence[tuple[Frame, Mapping[int, SeenBoard]]], lens: LensFit | None, taken: datetime
) -> Calibrated:
    """Put together what was measured in the frames at rest."""
    frame, latest = rest[-1]
    places = {seat: _mean_place([boards[seat].place for _, boards in rest]) for seat in SEATS}
    empty = {seat: _mean_view([boards[seat].view for _, boards in rest]) for seat in SEATS}
    known = None if lens is None else lens.lens
    boards = {seat: _board([seen[seat] for _, seen in rest], places[seat], known) for seat in SEATS}
    height, width = frame.image.shape[:2]
    size_px = (width, height) if known is None else known.size_px
    table = TableCalibration(taken, size_px, boards, known, None if lens is None else lens.residual_px)
    return Calibrated(table, Profile(empty, places), draw_calibration(frame.image, latest, boards))


def _mean_place(places: Sequence[Homography]) -> Homography:
    """The camera trembles: the mean of where the corners were seen is nearer the truth than any of them."""
    corners = np.mean([place(GRID_CORNERS) for place in places], axis=0)
    return through_corners(GRID_CORNERS, corners)


def _mean_view(views: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    return np.asarray(np.rint(np.mean(np.stack(views), axis=0)), np.uint8)


def _board(seen: Sequence[SeenBoard], place: Homography, lens: Lens | None) -> BoardCalibration:
    corners = np.mean([board.fit.cells_to_image(GRID_CORNERS) for board in seen], axis=0)
    off = np.median([residuals(board) for board in seen], axis=0)
    return BoardCalibration(
        mat=next(paper for paper, path in MATS.items() if load_mat(path) == seen[-1].mat.mat),
        place=place,
        corners_px=corners if lens is None else lens.to_camera(corners),
        residual_px=float(off[0]),
        residual_mm=float(off[1]),
        cell_px=float(np.median([board.cell_px for board in seen])),
        blur_px=float(np.median([board.mat.blur_px for board in seen])),
        paper=float(np.median([board.mat.paper for board in seen])),
    )


def keep_calibrated(found: Calibrated, path: Path) -> Path | None:
    """Write calibration.toml at `path`, and beside it the picture and the empty boards' looks.

    Returns:
        Where an older calibration is kept now; None where there was none.

    Raises:
        CalibrationKeptError: it cannot be written.
    """
    picture = path.with_suffix(PICTURE_SUFFIX)
    try:
        kept = save_calibration(found.table, path)
        save_profile(found.empty, path.with_suffix(EMPTY_SUFFIX))
        picture.write_bytes(png_of(found.picture))
    except (CalibrationError, ProfileError) as error:
        raise CalibrationKeptError(str(error)) from error
    except OSError as error:
        raise CalibrationKeptError(f"{picture}: cannot be written: {error.strerror}") from error
    return kept
