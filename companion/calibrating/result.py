"""The result of a calibration, and its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.lensfit import LensFit
from calibration.locator import SEATS
from calibration.mat import MATS, load_mat
from calibration.stored import (
    BoardCalibration,
    CalibrationError,
    Profile,
    ProfileError,
    TableCalibration,
    save_calibration,
    save_profile,
)
from companion.calibrating.boards import SeenBoard
from companion.calibrating.picture import draw_calibration, png_of
from companion.calibrating.still import StillLook
from companion.errors import CompanionError
from companion.languages import reason, said, system_says
from hardware.ports import Frame
from vision.geometry import GRID_CORNERS, Homography, rectify, through_corners

PICTURE_SUFFIX: Final = ".png"
EMPTY_SUFFIX: Final = ".npz"
"""The files beside calibration.toml: the fitted grid drawn over a frame, and the views of the empty boards."""


class CalibrationWriteError(CompanionError):
    """Raised if the calibration cannot be written."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """A calibrated table.

    Attributes:
        table: the contents of calibration.toml.
        empty: the views and places of the empty boards.
        picture: a frame, or a still, with the fitted grids drawn over it, shape (height, width, 3), uint8, BGR.
    """

    table: TableCalibration
    empty: Profile
    picture: NDArray[np.uint8]


def calibrated(
    rest: Sequence[tuple[Frame, Mapping[int, SeenBoard]]],
    lens: LensFit | None,
    taken: datetime,
    still: StillLook | None = None,
) -> Calibrated:
    """Combine the measurements of the frames at rest into a calibration.

    Args:
        rest: the frames, each with its boards.
        lens: the fitted lens; None if the pictures are used as they are.
        taken: the time of the calibration to store.
        still: the still that locates the boards, and on which the picture is drawn; the boards' views always come from
            the frames, because a game compares its own frames with them. None to use the frames alone.
    """
    known = None if lens is None else lens.lens
    grids = {seat: _grid(rest, seat, still) for seat in SEATS}
    boards = {seat: _board([seen[seat] for _, seen in rest], grid, known) for seat, grid in grids.items()}
    height, width = rest[-1][0].image.shape[:2]
    size_px = (width, height) if known is None else known.size_px
    table = TableCalibration(taken, size_px, boards, known, None if lens is None else lens.residual_px)
    empty = {seat: _mean_view(_views(rest, seat, still)) for seat in SEATS}
    image, shown = (rest[-1][0].image, rest[-1][1]) if still is None else (still.image, still.boards)
    places = {seat: grid.place for seat, grid in grids.items()}
    return Calibrated(table, Profile(empty, places), draw_calibration(image, shown, boards))


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """The place of a board's printed grid.

    Attributes:
        place: its place on its mat, as in `BoardCalibration`.
        corners_px: in pixels of the frames, shape (4, 2).
        residual_cells: the distance of its lines from the fit.
    """

    place: Homography
    corners_px: NDArray[np.float64]
    residual_cells: float


def _grid(rest: Sequence[tuple[Frame, Mapping[int, SeenBoard]]], seat: int, still: StillLook | None) -> _Grid:
    seen = [boards[seat] for _, boards in rest] if still is None else [still.boards[seat]]
    corners = np.mean([board.fit.cells_to_image(GRID_CORNERS) for board in seen], axis=0)
    return _Grid(
        _mean_place([board.place for board in seen]),
        corners if still is None else still.to_frame(corners),
        # The median: one frame with a hand at its edge must not spoil the figure.
        float(np.median([board.fit.residual_cells for board in seen])),
    )


def _mean_place(places: Sequence[Homography]) -> Homography:
    """Return the mean of a board's place over the frames.

    The camera shakes slightly, so the mean of the corners is more exact than any single frame's.
    """
    corners = np.mean([place(GRID_CORNERS) for place in places], axis=0)
    return through_corners(GRID_CORNERS, corners)


def _views(
    rest: Sequence[tuple[Frame, Mapping[int, SeenBoard]]], seat: int, still: StillLook | None
) -> list[NDArray[np.uint8]]:
    """Return the rectified board in each of the frames, by its stored place."""
    if still is None:
        return [boards[seat].view for _, boards in rest]
    cells_to_frame = still.to_frame.homography.after(still.boards[seat].fit.cells_to_image)
    return [rectify(frame.image, cells_to_frame) for frame, _ in rest]


def _mean_view(views: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    return np.asarray(np.rint(np.mean(np.stack(views), axis=0)), np.uint8)


def _board(seen: Sequence[SeenBoard], grid: _Grid, lens: Lens | None) -> BoardCalibration:
    mat, cell_px = seen[-1].mat.mat, float(np.median([board.cell_px for board in seen]))
    return BoardCalibration(
        mat=next(paper for paper, path in MATS.items() if load_mat(path) == mat),
        place=grid.place,
        corners_px=grid.corners_px if lens is None else lens.to_camera(grid.corners_px),
        residual_px=grid.residual_cells * cell_px,
        residual_mm=grid.residual_cells * mat.cell_mm,
        cell_px=cell_px,
        blur_px=float(np.median([board.mat.blur_px for board in seen])),
        paper=float(np.median([board.mat.paper for board in seen])),
    )


def save_calibrated(found: Calibrated, path: Path) -> Path | None:
    """Write calibration.toml to `path`, and beside it the picture and the empty boards' views.

    Returns:
        The path to which an older calibration was moved; None if there was none.

    Raises:
        CalibrationWriteError: a file cannot be written.
    """
    picture = path.with_suffix(PICTURE_SUFFIX)
    try:
        # The calibration first: views that do not belong to it, after a power cut in between, are recognised and not
        # used.
        kept = save_calibration(found.table, path)
        save_profile(found.empty, path.with_suffix(EMPTY_SUFFIX))
        picture.write_bytes(png_of(found.picture))
    except (CalibrationError, ProfileError) as error:
        raise CalibrationWriteError(reason(error)) from error
    except OSError as error:
        raise CalibrationWriteError(
            said("{path}: cannot be written: {fault}", path=str(picture), fault=system_says(error))
        ) from error
    return kept
