"""The mats and the empty boards on them in a picture, the fit of their printed grids, and their faults."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from calibration.mat import Mat, load_mat, load_mats
from companion.calibrating.remarks import Remark, RemarkCode, not_empty
from companion.errors import CompanionError
from companion.games.patchwork.cells import cell_name
from companion.languages import said
from vision import reductions
from vision.board.grid import GridFit, fit_grid
from vision.board.quality import picture_blur_px, table_light
from vision.fiducials import FiducialDetector, MarkerLook, look_at_marker
from vision.geometry import (
    CELL_PX,
    GRID_CORNERS,
    MARGIN_CELLS,
    SIDE,
    FailedFit,
    Homography,
    fit_homography,
    rectify,
    through_corners,
    translation,
)
from vision.networks import NoNumbersError
from vision.quilt.network import BARE, WAYS, look_at_quilt, paler

# Limits that a picture must meet for calibrating a table, found on the simulated table, where the truth is known: its
# ordinary picture has 33 pixels per cell, a blur of 0.9 px, and lines within 0.1 px of the fit.
LEAST_CELL_PX: Final = 18.0
"""Printed lines are half a millimetre wide: with fewer pixels per cell they are no longer resolved."""
SMALL_CELL_PX: Final = 24.0
"""The result of a camera one metre above the table, which reads well but without a margin."""
MOST_BLUR_CELLS: Final = 0.060
"""The blur's sigma over a cell's width: at twice the ordinary blur grids fitted well, at three times up to 4 px off."""
SOFT_BLUR_CELLS: Final = 0.046
"""The blur from which the user is advised to focus better; it does not prevent the calibration."""
LEAST_PAPER: Final = 60.0
"""The grey level of white paper, 0..255; an ordinary evening has above 200. Below the limit, noise hides markers."""
DIM_PAPER: Final = 125.0
"""The level below which more light is advised; it does not prevent the calibration."""
FULL_PAPER: Final = 252.0
"""The level from which paper is overexposed, and with it the light parts of patches."""
MOST_PICTURE_BLUR: Final = 0.0022
"""The blur of a picture's edges over its width from which no markers or lines are found; at most 0.0013 in focus."""
MOST_SATURATED: Final = 0.25
"""The share of a board's pixels that are saturated."""
SOME_SATURATED: Final = 0.03
"""The share from which a bright spot is reported: about two of the 81 cells."""
UNEVEN: Final = 1.6
"""The brightest over the darkest paper of one mat; the edge of a shadow across a board causes this much."""
MOST_RESIDUAL_CELLS: Final = 0.018
"""The largest residual of the printed lines, in cells: 0.36 mm. The worst permitted blur causes 0.008."""
LEAST_SUPPORT: Final = 0.55
"""The share of the grid's segments that are seen in line; an empty board has about 0.8."""
PRINT_SCALE: Final = (0.975, 1.025)
"""The measured size of a board's grid on its mat over the nominal size; "fit to page" prints at 0.93 to 0.97; editions
differ by less."""

# Level of the brightest objects below which the lens is covered, or no light is on.
_BLACK: Final = 12.0
# A single marker may be found in a print by chance.
_LEAST_MIRRORED: Final = 2
# Farther than this from the fit, a marker's corner counts as an outlier: paper curls, and lenses bend lines.
_TOLERANCE_PX: Final = 4.0
_CORNER_CELLS: Final = ("A1", "I1", "I9", "A9")
_CORNER_NAMES: Final = (said("top left"), said("top right"), said("bottom right"), said("bottom left"))


@dataclass(frozen=True, slots=True, eq=False)
class SeenMat:
    """One seat's mat in a picture.

    Attributes:
        seat: its seat.
        mat: its geometry.
        markers: by place on the mat (0 top left, clockwise), the corners in pixels, shape (4, 2).
        looks: by place, the sharpness and brightness of each marker.
        mat_to_image: the map from the mat's millimetres to pixels; None if too few markers are seen.
    """

    seat: int
    mat: Mat
    markers: Mapping[int, NDArray[np.float64]]
    looks: Mapping[int, MarkerLook]
    mat_to_image: Homography | None

    @property
    def guess(self) -> Homography | None:
        """The map from cell space to pixels for a board exactly on its frame, or None if too few markers are seen."""
        on_frame = through_corners(GRID_CORNERS, self.mat.grid_corners_mm)
        return None if self.mat_to_image is None else self.mat_to_image.after(on_frame)

    @property
    def blur_px(self) -> float:
        """The blur's sigma at the softest marker, in pixels."""
        return max(look.blur_px for look in self.looks.values())

    @property
    def paper(self) -> float:
        """The grey level of its darkest paper, 0..255."""
        return min(look.paper for look in self.looks.values())


def survey(
    image: NDArray[np.uint8], mats: Sequence[Mat], found: Mapping[int, NDArray[np.float64]]
) -> Mapping[int, SeenMat]:
    """Return the mats in a picture, by seat, without those of which no marker is seen.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        mats: the possible mats.
        found: corners by marker id, as from a `FiducialDetector`.
    """
    seen = (_seen(image, seat, mats, found) for seat in SEATS)
    return {each.seat: each for each in seen if each is not None}


def _seen(
    image: NDArray[np.uint8], seat: int, mats: Sequence[Mat], found: Mapping[int, NDArray[np.float64]]
) -> SeenMat | None:
    by_mat = [
        ({index: found[number] for index, number in enumerate(mat.seats[seat]) if number in found}, mat) for mat in mats
    ]
    # The mats differ by their markers' numbers; a stray one of another mat may lie in view.
    markers, mat = max(by_mat, key=lambda each: len(each[0]))
    if not markers:
        return None
    looks = {index: look_at_marker(image, corners) for index, corners in markers.items()}
    return SeenMat(seat, mat, markers, looks, _placed(mat, markers))


def _placed(mat: Mat, markers: Mapping[int, NDArray[np.float64]]) -> Homography | None:
    # One marker determines a homography, too, but so inexactly that the board beside it would be far off.
    if len(markers) < 2:
        return None
    on_mat = np.concatenate([mat.marker_corners_mm(index) for index in markers])
    fitted = fit_homography(on_mat, np.concatenate(list(markers.values())), _TOLERANCE_PX)
    return None if isinstance(fitted, FailedFit) else fitted


def cell_px(cells_to_image: Homography) -> float:
    """Return the mean width of a cell over the grid, in pixels."""
    corners = cells_to_image(GRID_CORNERS)
    sides = np.roll(corners, -1, axis=0) - corners
    return float(np.hypot(*sides.T).mean()) / 9


def mat_figures(seen: Mapping[int, SeenMat]) -> dict[str, float]:
    """Return the number of markers seen, and of the worse mat the blur, the cells' width and the paper's grey level.

    Empty if no mat is seen whole.
    """
    sizes = [cell_px(mat.guess) for mat in seen.values() if mat.guess is not None]
    if not sizes:
        return {}
    return {
        "markers": float(sum(len(mat.markers) for mat in seen.values())),
        "blur_px": max(mat.blur_px for mat in seen.values()),
        "cell_px": min(sizes),
        "paper": min(mat.paper for mat in seen.values()),
    }


def mat_remarks(seen: Mapping[int, SeenMat], image: NDArray[np.uint8]) -> list[Remark]:
    """Return the faults of the mats in a picture, of their position in it, and of the picture itself.

    Args:
        seen: the mats, by seat.
        image: shape (height, width, 3), uint8, BGR.
    """
    if not seen:
        return [_why_no_mat(image)]
    size_px = (image.shape[1], image.shape[0])
    # A marker may be missing because the picture is dark or blurred, so these faults come first.
    faults = [remark for remark in _picture_remarks(seen) if remark.blocks]
    for seat in SEATS:
        if seat not in seen:
            fault = said("The camera does not see seat {seat}’s mat.", seat=seat)
            faults.append(Remark(RemarkCode.NO_MAT, fault, said("Put it under the camera, uncovered."), seat=seat))
    for mat in seen.values():
        faults += [*_markers_missing(mat, size_px), *_board_outside(mat, size_px)]
    return [*faults, *(remark for remark in _picture_remarks(seen) if not remark.blocks)]


def _why_no_mat(image: NDArray[np.uint8]) -> Remark:
    """Return the remark on a picture without a marker: first on what would hide them from the camera."""
    white, blur_px = table_light(image, ()).white, picture_blur_px(image)
    if white < _BLACK:
        return Remark(RemarkCode.NOTHING, said("The camera sees nothing: uncover its lens, or switch on a lamp."))
    if white < LEAST_PAPER:
        return _dark(white)
    if blur_px > MOST_PICTURE_BLUR * image.shape[1]:
        return _blurred(blur_px)
    mirrored = FiducialDetector(load_mat().dictionary).detect(np.ascontiguousarray(image[:, ::-1]))
    ids = {number for mat in load_mats() for numbers in mat.seats.values() for number in numbers}
    if len(ids & set(mirrored)) >= _LEAST_MIRRORED:
        do = said("Switch mirroring off in the camera, or set {key}.", key="[camera] flip = true")
        return Remark(RemarkCode.MIRRORED, said("The picture is mirrored."), do)
    do = said("Print the mats with companion print mats and put them under the camera.")
    return Remark(RemarkCode.NO_MATS, said("The camera sees no mat."), do)


def _markers_missing(seen: SeenMat, size_px: tuple[int, int]) -> Iterator[Remark]:
    seat = seen.seat
    for index, corner in enumerate(_CORNER_NAMES):
        if index in seen.markers:
            continue
        if (
            seen.mat_to_image is not None
            and _outside(seen.mat_to_image(seen.mat.marker_corners_mm(index)), size_px).any()
        ):
            fault = said("Seat {seat}’s mat: its {corner} marker is outside the picture.", seat=seat, corner=corner)
            yield Remark(RemarkCode.MARKER_OUTSIDE, fault, said("Move the mat or the camera."), seat=seat)
        else:
            fault = said("Seat {seat}’s mat: the camera does not see its {corner} marker.", seat=seat, corner=corner)
            do = said("Remove whatever covers it, or move the lamp that glares on it.")
            yield Remark(RemarkCode.NO_MARKER, fault, do, seat=seat)


def _outside(points: NDArray[np.float64], size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Return whether each point, shape (n, 2), is outside a picture of (width, height)."""
    return np.asarray(((points < 0) | (points > np.array(size_px) - 1)).any(axis=1))


def _board_outside(seen: SeenMat, size_px: tuple[int, int]) -> Iterator[Remark]:
    if seen.mat_to_image is None:
        return
    outside = _outside(seen.mat_to_image(seen.mat.board_corners_mm), size_px)
    for name in (name for name, is_outside in zip(_CORNER_CELLS, outside, strict=True) if is_outside):
        fault = said("Seat {seat}’s board: its corner {corner} is outside the picture.", seat=seen.seat, corner=name)
        yield Remark(RemarkCode.BOARD_OUTSIDE, fault, said("Move the mat or the camera."), seat=seen.seat)


def _picture_remarks(seen: Mapping[int, SeenMat]) -> Iterator[Remark]:
    """Yield remarks on light, sharpness and size, each once for the table, according to the worse mat."""
    yield from _light_remarks(seen)
    figures = mat_figures(seen)
    if not figures:
        return
    cell, blur = figures["cell_px"], figures["blur_px"]
    if cell < LEAST_CELL_PX:
        least = round(LEAST_CELL_PX)
        fault = said("A square is {px} px wide, but {least} are needed.", px=round(cell), least=least)
        yield Remark(RemarkCode.FAR, fault, said("Move the camera closer, or set a larger [camera] size."))
    elif cell < SMALL_CELL_PX:
        fault = said("A square is only {px} px wide.", px=round(cell))
        yield Remark(RemarkCode.SMALL, fault, said("A camera that is closer reads better."), blocks=False)
    if blur > MOST_BLUR_CELLS * cell:
        yield _blurred(blur)
    elif blur > SOFT_BLUR_CELLS * cell:
        fault = said("The picture is a little soft (by {px} px).", px=round(blur, 1))
        yield Remark(RemarkCode.SOFT, fault, said("Focus the camera better."), blocks=False)


def _light_remarks(seen: Mapping[int, SeenMat]) -> Iterator[Remark]:
    paper = min(mat.paper for mat in seen.values())
    if paper < LEAST_PAPER:
        yield _dark(paper)
    elif paper < DIM_PAPER:
        fault = said("It is rather dark (white paper is {paper} of 255).", paper=round(paper))
        yield Remark(RemarkCode.DIM, fault, said("More light helps."), blocks=False)
    elif paper >= FULL_PAPER:
        says = said(
            "It is too bright: white areas are overexposed. Dim the lamp, or set a shorter exposure ({key}).",
            key="[camera] exposure_us",
        )
        yield Remark(RemarkCode.OVEREXPOSED, says, blocks=False)
    for mat in seen.values():
        brightest = max(look.paper for look in mat.looks.values())
        if brightest > UNEVEN * mat.paper:
            fault = said("The light on seat {seat}’s mat is uneven.", seat=mat.seat)
            do = said("Move the lamp so that no shadow falls across it.")
            yield Remark(RemarkCode.UNEVEN, fault, do, blocks=False, seat=mat.seat)


def _dark(paper: float) -> Remark:
    fault = said("It is too dark (white paper is {paper} of 255).", paper=round(paper))
    return Remark(RemarkCode.DARK, fault, said("Switch on a lamp."))


def _blurred(blur_px: float) -> Remark:
    fault = said("The picture is blurred (by {px} px).", px=round(blur_px, 1))
    return Remark(RemarkCode.BLURRED, fault, said("Focus the camera on the table."))


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
    if not isinstance(fitted, GridFit) or fitted.support < LEAST_SUPPORT:
        fault = said("The camera does not see seat {seat}’s board on its mat.", seat=mat.seat)
        return Remark(RemarkCode.NO_BOARD, fault, said("Put the empty board on the frame."), seat=mat.seat)
    return SeenBoard(mat, fitted, rectify(image, fitted.cells_to_image))


def emptiness_remarks(board: SeenBoard) -> Iterator[Remark]:
    """Yield a remark on objects on a board; this takes longer than all other checks."""
    cells = covered_cells(board.view)
    if cells:
        yield not_empty(board.mat.seat, cells)


def board_remarks(board: SeenBoard) -> Iterator[Remark]:
    """Yield remarks on the faults of a fitted board."""
    seat = board.mat.seat
    if board.fit.residual_cells > MOST_RESIDUAL_CELLS:
        yield _residual(board)
    yield from _saturation(board)
    low, high = PRINT_SCALE
    if not low <= board.print_scale <= high:
        percent = round(100 / board.print_scale)
        fault = said("Seat {seat}’s mat seems to have been printed at {percent} %.", seat=seat, percent=percent)
        yield Remark(RemarkCode.SCALE, fault, said("Print it at 100 %."), blocks=False, seat=seat)


def covered_cells(view: NDArray[np.uint8]) -> list[str]:
    """Return the names of the covered cells in a view.

    Raises:
        CompanionError: this machine cannot compute them.
    """
    try:
        covered = _covered(view, _FEW_WAYS)
        if (covered > _HARDLY).any():
            covered = _covered(view, WAYS)
    except NoNumbersError as error:
        raise CompanionError.said(
            "this machine cannot do the calculations for reading the quilts: {command} tells more",
            command="companion doctor",
        ) from error
    return [cell_name(int(cell)) for cell in np.flatnonzero(covered > _COVERED)]


def is_empty(view: NDArray[np.uint8]) -> bool:
    """Return whether the board in a view is certainly empty: by `covered_cells`, but faster."""
    try:
        covered = _covered(view, _FEW_WAYS)
        if (covered > 1 - _HARDLY).any():
            return False
        return not ((covered > _HARDLY).any() and (_covered(view, WAYS) > _COVERED).any())
    except NoNumbersError:
        return False


def _covered(view: NDArray[np.uint8], ways: int) -> NDArray[np.float64]:
    """Return the probability that each cell is covered, row by row, shape (81,).

    Stains of a bare board that look like a print fade with the colours, while a patch remains one: a cell counts as
    covered only if it also does in paler colours.
    """
    covered = _not_bare(view, ways)
    return np.minimum(covered, _not_bare(paler(view), ways)) if (covered > _HARDLY).any() else covered


def _not_bare(view: NDArray[np.uint8], ways: int) -> NDArray[np.float64]:
    return np.asarray(1 - np.exp(look_at_quilt(view, ways).cells[..., BARE]).reshape(-1))


def _residual(board: SeenBoard) -> Remark:
    off_px, off_mm = residuals(board)
    most_mm = MOST_RESIDUAL_CELLS * board.mat.mat.cell_mm
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
    if share > MOST_SATURATED:
        fault = said("{percent}% of seat {seat}’s board is overexposed.", seat=seat, percent=round(100 * share))
        do = said("Use less light, or move the lamp that reflects in it.")
        yield Remark(RemarkCode.BRIGHT, fault, do, seat=seat)
    elif share > SOME_SATURATED:
        fault = said("Seat {seat}’s board has a bright spot.", seat=seat)
        yield Remark(RemarkCode.BRIGHT, fault, said("Turn the lamp that reflects in it."), blocks=False, seat=seat)
