"""The result of a calibration, and its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Framing, Lens, framing_between
from calibration.lensfit import LensFit
from calibration.locator import SEATS
from calibration.mat import MATS, load_mat, load_mats
from calibration.stored import (
    BoardCalibration,
    CalibrationError,
    Profile,
    ProfileError,
    TableCalibration,
    save_calibration,
    save_profile,
)
from companion.calibrating.boards import MOST_RESIDUAL_CELLS, SeenBoard, see_board, survey
from companion.durable import write_whole
from companion.errors import CompanionError
from companion.languages import reason, unwritable
from companion.ownership import as_owner_of
from companion.pictures import polyline
from hardware.ports import Frame
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, SIDE, Homography, rectify, through_corners

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
    """Return the boards in a still of a table that was seen at rest in a frame, or None if the still is of no use.

    The still is undistorted like the frame; `watched` are the boards in the frame, by seat.
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
    return apart_px <= _APART_CELLS * watched.cell_px and board.fit.residual_cells <= MOST_RESIDUAL_CELLS


# Blue for seat 1, orange for seat 2, as on their mats; in BGR.
_INKS: Final = ((200, 120, 20), (0, 110, 235))
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
# The width of an ordinary frame; in a larger picture lines and text are enlarged in proportion.
_ORDINARY_PX: Final = 1536
# A still of twelve megapixels would be a file of twenty megabytes, without visible benefit.
_WIDEST_PX: Final = 3072


def draw_calibration(
    image: NDArray[np.uint8], seen: Mapping[int, SeenBoard], measured: Mapping[int, BoardCalibration]
) -> NDArray[np.uint8]:
    """Return a copy of a picture, shape (height, width, 3), uint8, BGR, with grids, markers, cell names and figures.

    The copy is scaled down if it is wider than `_WIDEST_PX`.
    """
    drawn = image.copy()
    for seat, board in seen.items():
        ink = _INKS[seat - 1]
        for corners in board.mat.markers.values():
            polyline(drawn, corners, (round(2 * _enlarged(drawn)), ink))
        _grid_picture(drawn, board.fit.cells_to_image, ink)
        _figures(drawn, seat, board, measured[seat], ink)
    smaller = _WIDEST_PX / drawn.shape[1]
    if smaller >= 1:
        return drawn
    return np.asarray(cv2.resize(drawn, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA), np.uint8)


def draw_grids(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> NDArray[np.uint8]:
    """Return a copy of a frame, shape (height, width, 3), uint8, BGR, with the grids at their places."""
    drawn = image.copy()
    for seat, place in places.items():
        _grid_picture(drawn, place, _INKS[seat - 1])
    return drawn


def _grid_picture(drawn: NDArray[np.uint8], to_image: Homography, ink: tuple[int, int, int]) -> None:
    along = np.linspace(0, SIDE, 2 * SIDE + 1)
    for line in range(SIDE + 1):
        across = np.full_like(along, line)
        for points in (np.column_stack([across, along]), np.column_stack([along, across])):
            polyline(drawn, to_image(points), (round(_enlarged(drawn)), (255, 255, 255)), closed=False)
    polyline(drawn, to_image(GRID_CORNERS), (round(2 * _enlarged(drawn)), ink))
    for name, cell in (("A1", (0.5, 0.5)), ("I1", (8.5, 0.5)), ("A9", (0.5, 8.5)), ("I9", (8.5, 8.5))):
        _words(drawn, name, to_image([cell])[0], 0.42, ink)


def _figures(
    drawn: NDArray[np.uint8], seat: int, board: SeenBoard, measured: BoardCalibration, ink: tuple[int, int, int]
) -> None:
    """Write the residual above the board, where the mat shows the seat's name."""
    middle = board.fit.cells_to_image([(SIDE / 2, -0.95)])[0]
    says = f"seat {seat}: {measured.residual_mm:.2f} mm"
    _words(drawn, says, middle, 0.5, ink)


def _words(
    drawn: NDArray[np.uint8], text: str, middle: NDArray[np.float64], scale: float, ink: tuple[int, int, int]
) -> None:
    """Write text on a light plate, so that it is readable on any print."""
    enlarged = _enlarged(drawn)
    stroke, edge, letters = round(enlarged), round(4 * enlarged), scale * enlarged
    (width, height), below = cv2.getTextSize(text, _FONT, letters, stroke)
    left, foot = round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2)
    plate = ((left - edge, foot - height - edge), (left + width + edge, foot + below + 1))
    cv2.rectangle(drawn, *plate, (250, 250, 250), -1)
    # Darker than the lines, for contrast with the plate.
    dark = tuple(round(value * 0.75) for value in ink)
    cv2.putText(drawn, text, (left, foot), _FONT, letters, dark, stroke, cv2.LINE_AA)


def _enlarged(drawn: NDArray[np.uint8]) -> float:
    return max(1.0, float(drawn.shape[1]) / _ORDINARY_PX)


def png_of(image: NDArray[np.uint8]) -> bytes:
    """Return the picture encoded as a PNG file."""
    return bytes(cv2.imencode(".png", image)[1].tobytes())


PICTURE_SUFFIX: Final = ".png"
EMPTY_SUFFIX: Final = ".npz"
"""The files beside calibration.toml: the fitted grid drawn over a frame, and the views of the empty boards."""


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
        CompanionError: a file cannot be written.
    """
    picture = path.with_suffix(PICTURE_SUFFIX)
    try:
        # The calibration first: views that do not belong to it, after a power cut in between, are recognised and not
        # used.
        with as_owner_of(path.parent):
            kept = save_calibration(found.table, path)
            save_profile(found.empty, path.with_suffix(EMPTY_SUFFIX))
            write_whole(picture, png_of(found.picture))
    except (CalibrationError, ProfileError) as error:
        raise CompanionError(reason(error)) from error
    except OSError as error:
        raise CompanionError(unwritable(picture, error)) from error
    return kept
