"""The fit and the checks of the empty boards by their printed grid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.mat import load_mat
from companion.calibrating import limits, remarks
from companion.calibrating.remarks import Remark, RemarkCode
from companion.calibrating.survey import SeenMat, cell_px
from companion.games.patchwork import cell_name
from companion.languages import said
from vision import reductions
from vision.board.grid import GridFit, fit_grid
from vision.geometry import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE, Homography, rectify, translation
from vision.quilt.network import BARE, WAYS, look_at_quilt

# The probability above which a cell counts as covered; on 26 empty boards no cell had more than 0.03.
_COVERED: Final = 0.5
# The number of ways to turn a view that are evaluated first.
_FEW_WAYS: Final = 2
# A few ways suffice if every cell is below this (bare) or one is above its complement (covered): on 180 random boards
# they never disagreed with all ways, and 103 of the 115 bare boards needed no more.
_HARDLY: Final = 0.1
# A channel at this level or above is saturated.
_FULL: Final = 253


@dataclass(frozen=True, slots=True, eq=False)
class SeenBoard:
    """A board seen on its mat.

    Attributes:
        mat: the mat below it.
        fit: the fit of its printed grid.
        view: the rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
    """

    mat: SeenMat
    fit: GridFit
    view: NDArray[np.uint8]

    @property
    def cell_px(self) -> float:
        """The mean width of a cell in the picture, in pixels."""
        return cell_px(self.fit.cells_to_image)

    @property
    def place(self) -> Homography:
        """The board's place on its mat, in millimetres of the A4 page, as in `MatLocator`."""
        assert self.mat.mat_to_image is not None  # noqa: S101 - a board is looked for on a mat that is placed
        # A calibration holds for mats on any paper, whose pages have the board at different places.
        shift_mm = np.subtract(load_mat().board_centre_mm, self.mat.mat.board_centre_mm)
        on_mat = self.mat.mat_to_image.inverse.after(self.fit.cells_to_image)
        return translation(float(shift_mm[0]), float(shift_mm[1])).after(on_mat)

    @property
    def print_scale(self) -> float:
        """The measured size of the grid over its nominal size; above 1 for a mat that was printed too small."""
        corners = self.place(GRID_CORNERS)
        sides_mm = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        return float(sides_mm.mean()) / self.mat.mat.grid_size_mm


def see_board(image: NDArray[np.uint8], mat: SeenMat) -> SeenBoard | Remark:
    """Fit a mat's board in a picture, shape (height, width, 3), uint8, BGR; return a remark if none is seen."""
    guess = mat.guess
    fitted = None if guess is None else fit_grid(image, guess)
    # A fit always finds some lines; too few of them are those of something else.
    if not isinstance(fitted, GridFit) or fitted.support < limits.LEAST_SUPPORT:
        return remarks.no_board(mat.seat)
    return SeenBoard(mat, fitted, rectify(image, fitted.cells_to_image))


def emptiness_remarks(board: SeenBoard) -> Iterator[Remark]:
    """Yield a remark on objects on a board; this takes longer than all other checks."""
    cells = covered_cells(board.view)
    if cells:
        yield remarks.not_empty(board.mat.seat, cells)


def board_remarks(board: SeenBoard) -> Iterator[Remark]:
    """Yield remarks on the faults of a fitted board."""
    seat = board.mat.seat
    if board.fit.residual_cells > limits.MOST_RESIDUAL_CELLS:
        yield _residual(board)
    yield from _saturation(board)
    low, high = limits.PRINT_SCALE
    if not low <= board.print_scale <= high:
        percent = round(100 / board.print_scale)
        fault = said("Seat {seat}’s mat seems to have been printed at {percent} %.", seat=seat, percent=percent)
        yield Remark(RemarkCode.SCALE, fault, said("Print it at 100 %."), blocks=False, seat=seat)


def covered_cells(view: NDArray[np.uint8]) -> list[str]:
    """Return the names of the covered cells in a view."""
    covered = _covered(view, _FEW_WAYS)
    if (covered > _HARDLY).any():
        covered = _covered(view, WAYS)
    return [cell_name(int(cell)) for cell in np.flatnonzero(covered > _COVERED)]


def is_empty(view: NDArray[np.uint8]) -> bool:
    """Return whether the board in a view is empty: the same result as of `covered_cells`, but faster."""
    covered = _covered(view, _FEW_WAYS)
    if (covered > 1 - _HARDLY).any():
        return False
    return not ((covered > _HARDLY).any() and (_covered(view, WAYS) > _COVERED).any())


def _covered(view: NDArray[np.uint8], ways: int) -> NDArray[np.float64]:
    """Return the probability that each cell is covered, row by row, shape (81,)."""
    return np.asarray(1 - np.exp(look_at_quilt(view, ways).cells[..., BARE]).reshape(-1))


def _residual(board: SeenBoard) -> Remark:
    off_px, off_mm = residuals(board)
    most_mm = limits.MOST_RESIDUAL_CELLS * board.mat.mat.cell_mm
    fault = said(
        "Seat {seat}’s printed grid was found only to {px} px ({mm} mm), but {most} mm are needed.",
        seat=board.mat.seat,
        px=round(off_px, 2),
        mm=round(off_mm, 2),
        most=round(most_mm, 2),
    )
    do = said("Flatten the board, focus the camera, or calibrate a wide-angle lens with --lens.")
    return Remark(RemarkCode.RESIDUAL, fault, do, seat=board.mat.seat)


def residuals(board: SeenBoard) -> tuple[float, float]:
    """Return the median distance of the printed lines from the fit, in pixels and in millimetres."""
    off_cells = board.fit.residual_cells
    return off_cells * board.cell_px, off_cells * board.mat.mat.cell_mm


def _saturation(board: SeenBoard) -> Iterator[Remark]:
    first, last = round(MARGIN_CELLS * CELL_PX), round((MARGIN_CELLS + SIDE) * CELL_PX)
    share = float((reductions.darkest(board.view[first:last, first:last]) >= _FULL).mean())
    seat = board.mat.seat
    if share > limits.MOST_SATURATED:
        fault = said("{percent}% of seat {seat}’s board is overexposed.", seat=seat, percent=round(100 * share))
        do = said("Use less light, or move the lamp that reflects in it.")
        yield Remark(RemarkCode.BRIGHT, fault, do, seat=seat)
    elif share > limits.SOME_SATURATED:
        fault = said("Seat {seat}’s board has a bright spot.", seat=seat)
        yield Remark(RemarkCode.BRIGHT, fault, said("Turn the lamp that reflects in it."), blocks=False, seat=seat)
