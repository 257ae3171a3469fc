"""Calibration from a page: the user sees the picture, moves wrong corners, and saves the result."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.boards import FoundLocator, Seating
from calibration.lensfit import LensFit
from calibration.locator import SEATS
from calibration.mat import MATS, load_mat, load_mats
from calibration.stored import BoardCalibration, Profile, TableCalibration
from companion.calibrating.boards import LEAST_SUPPORT, SeenMat, cell_px, covered_cells, survey
from companion.calibrating.configured import ONE_PLACE, is_convex, is_one_place
from companion.calibrating.guide import INSTRUCTIONS, CalibrationStep, Guide, Progress
from companion.calibrating.remarks import CalibrationRefusedError, Remark, RemarkCode, not_empty
from companion.calibrating.result import Calibrated, draw_grids, save_calibrated
from companion.languages import in_turn, said
from hardware.ports import Frame
from vision.board.grid import GridFit, fit_grid
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, Homography, rectify, through_corners, translation


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
    """Return a calibration by boards that were placed in one frame, which is undistorted if the lens is known."""
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


_NO_PICTURE: Final = said("The camera has not sent a picture yet.")


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The state of a calibration, for display.

    Attributes:
        step: the current step.
        says: the current instruction, one sentence.
        remarks: the obstacles and possible improvements.
        share: the completed part of the step, 0..1.
        size_px: (width, height) of the picture; (0, 0) before the first.
        corners: by seat the outer corners A1, I1, I9, A9 of the grid, in the picture's pixels, shape (4, 2).
        by_hand: the seats whose corners the user has moved.
    """

    step: CalibrationStep
    says: str
    remarks: tuple[Remark, ...]
    share: float
    size_px: tuple[int, int]
    corners: Mapping[int, NDArray[np.float64]]
    by_hand: frozenset[int]


class CalibrationDesk:
    """A sequence of calibrations, written to `path`; methods may be called from any thread.

    The lens of an earlier calibration, `known`, undistorts the pictures.
    """

    def __init__(self, path: Path, seating: Seating | None = None, known: TableCalibration | None = None) -> None:
        self.path = path
        self._seating = seating
        self._lens = None
        if known is not None and known.lens is not None:
            self._lens = LensFit(known.lens, known.lens_residual_px or 0.0, 0, 0.0)
        self._lock = Lock()
        self._frame: Frame | None = None
        self._found: Mapping[int, NDArray[np.float64]] = {}
        self._laid: dict[int, LaidBoard] = {}
        self._begin()

    def begin(self) -> None:
        """Begin again, discarding all measurements and moved corners."""
        with self._lock:
            self._begin()

    def see(self, frame: Frame | None) -> View:
        """Process the newest frame, unless it was already processed, and return the state of the calibration."""
        with self._lock:
            # A page asks more often than pictures come, and the same picture again would count as one at rest.
            if frame is not None and (self._frame is None or frame.name != self._frame.name):
                self._frame = frame
                self._progress = self._look(frame)
            return self._view()

    @property
    def wants_still(self) -> bool:
        """True if a picture at the camera's full resolution would improve the measurement; requested only once."""
        with self._lock:
            return self._guide.step is CalibrationStep.DONE and not self._laid and not self._is_refined

    def refine(self, still: Frame | None) -> None:
        """Refine the measurement by an undistorted still of the table at rest, or note that there is none (None)."""
        with self._lock:
            # Without a usable still, too: taking one holds up the frames, and the next one would be no better.
            self._is_refined = True
            if still is not None:
                self._guide.refine(still)

    def move(self, seat: int, corners: NDArray[np.float64]) -> View:
        """Place a board at the corners that the user has set, refined by nearby printed lines.

        Args:
            seat: the seat of the board.
            corners: A1, I1, I9, A9 in pixels of the picture, shape (4, 2).

        Raises:
            CalibrationRefusedError: there is no picture yet, or the corners cross over.
        """
        with self._lock:
            if self._frame is None:
                raise CalibrationRefusedError(_NO_PICTURE)
            if not is_convex(corners):
                raise CalibrationRefusedError.said("The corners must go around the board, not across it.")
            self._laid[seat] = lay(self._frame.image, seat, corners)
            return self._view()

    def save(self, *, anyway: bool = False) -> Path | None:
        """Save the calibration.

        Args:
            anyway: whether to accept corners that no printed lines confirm.

        Returns:
            The path to which an older calibration was moved; None if there was none.

        Raises:
            CalibrationRefusedError: it is not finished; the message names the obstacle.
            CompanionError: it cannot be written.
        """
        with self._lock:
            return save_calibrated(self._result(anyway=anyway), self.path)

    def _begin(self) -> None:
        self._guide = Guide(self._lens)
        self._locator = None if self._seating is None else FoundLocator(self._seating)
        self._frame, self._found, self._laid = None, {}, {}
        self._is_refined = False
        self._progress = Progress(CalibrationStep.MATS, _NO_PICTURE, (), 0.0)

    def _look(self, frame: Frame) -> Progress:
        if self._locator is None:
            progress = self._guide.see(frame)
            # While a hand covers a marker, the page goes on showing the boards' last places.
            self._found = {
                seat: board.fit.cells_to_image(GRID_CORNERS) for seat, board in self._guide.boards.items()
            } or self._found
            return progress
        self._found = {seat: place(GRID_CORNERS) for seat, place in self._locator.locate(frame.image).items()}
        missing = tuple(_not_found(seat) for seat in SEATS if seat not in self._found)
        step = CalibrationStep.BOARDS if missing else CalibrationStep.DONE
        return Progress(step, _LAY_BOARDS if missing else INSTRUCTIONS[step], missing, 0.0)

    def _view(self) -> View:
        height, width = (0, 0) if self._frame is None else self._frame.image.shape[:2]
        corners = {**self._found, **{seat: board.corners for seat, board in self._laid.items()}}
        faults = [remark for remark in self._progress.remarks if not self._is_settled_by_hand(remark)]
        faults += [remark for board in self._laid.values() for remark in board.remarks]
        progress = self._progress
        step = CalibrationStep.DONE if self._laid and len(corners) == len(SEATS) else progress.step
        says = INSTRUCTIONS[step] if step is not progress.step else progress.says
        return View(step, says, tuple(faults), progress.share, (width, height), corners, frozenset(self._laid))

    def _is_settled_by_hand(self, remark: Remark) -> bool:
        """Return whether corners moved by the user have resolved the remark."""
        if remark.code not in _FINDING:
            return False
        return len(self._laid) == len(SEATS) if remark.seat is None else remark.seat in self._laid

    def _result(self, *, anyway: bool) -> Calibrated:
        if self._frame is None:
            raise CalibrationRefusedError(_NO_PICTURE)
        taken = datetime.now(UTC)
        if not self._laid and self._locator is None:
            return self._guide.result(taken)
        boards = {seat: self._board(seat) for seat in SEATS}
        if is_one_place(*(board.corners for board in boards.values())):
            raise CalibrationRefusedError(ONE_PLACE)
        doubts = [remark.says for board in boards.values() for remark in board.remarks if remark.blocks]
        if doubts and not anyway:
            raise CalibrationRefusedError(in_turn(doubts))
        return by_hand(self._frame, boards, self._lens, taken)

    def _board(self, seat: int) -> LaidBoard:
        """Return a seat's board as it was moved, or otherwise as it was found."""
        if self._frame is None or (seat not in self._laid and seat not in self._found):
            raise CalibrationRefusedError.said(
                "Seat {seat}’s board is not marked yet: move its four corners into place.", seat=seat
            )
        return self._laid.get(seat) or lay(self._frame.image, seat, self._found[seat])


_LAY_BOARDS: Final = said("Put the two empty quilt boards in view, or move their corners into place.")
# Faults in finding a board, which may remain when the user can see the board.
_FINDING: Final = frozenset(
    {
        RemarkCode.NO_MATS,
        RemarkCode.NO_MAT,
        RemarkCode.NO_MARKER,
        RemarkCode.MARKER_OUTSIDE,
        RemarkCode.NO_BOARD,
        RemarkCode.RESIDUAL,
    }
)


def lay(image: NDArray[np.uint8], seat: int, corners: NDArray[np.float64]) -> LaidBoard:
    """Return a board placed at the corners that the user has set.

    If printed lines are near them, it is fitted to these lines.
    """
    guess = through_corners(GRID_CORNERS, corners)
    fitted = fit_grid(image, guess)
    if not isinstance(fitted, GridFit) or fitted.support < LEAST_SUPPORT:
        fault = said("There is no printed grid at seat {seat}’s corners.", seat=seat)
        do = said("Move them onto the outer lines of the empty board.")
        return LaidBoard(corners, guess, None, (Remark(RemarkCode.NO_LINES, fault, do, seat=seat),))
    cells = covered_cells(rectify(image, fitted.cells_to_image))
    faults = (not_empty(seat, cells),) if cells else ()
    return LaidBoard(fitted.cells_to_image(GRID_CORNERS), fitted.cells_to_image, fitted.residual_cells, faults)


def _not_found(seat: int) -> Remark:
    do = said("Put the empty board in view, or move its corners into place.")
    return Remark(RemarkCode.NO_BOARD, said("Seat {seat}’s board was not found.", seat=seat), do, seat=seat)
