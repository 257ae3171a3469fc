"""The mats in a picture, and their faults."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from calibration.mat import Mat
from companion.calibrating import limits, remarks
from companion.calibrating.remarks import Remark, RemarkCode
from companion.languages import said
from vision.fiducials import MarkerLook, look_at_marker
from vision.geometry import GRID_CORNERS, FailedFit, Homography, fit_homography, through_corners

# Farther than this from the fit, a marker's corner counts as an outlier: paper curls, and lenses bend lines.
_TOLERANCE_PX: Final = 4.0
_CORNER_CELLS: Final = ("A1", "I1", "I9", "A9")


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


def mat_remarks(seen: Mapping[int, SeenMat], size_px: tuple[int, int]) -> list[Remark]:
    """Return the faults of the mats, of their position in the picture, and of the picture itself.

    Args:
        seen: the mats in the picture, by seat.
        size_px: (width, height) of the picture.
    """
    if not seen:
        return [remarks.no_mats()]
    # A marker may be missing because the picture is dark or blurred, so these faults come first.
    said = [remark for remark in _picture_remarks(seen) if remark.blocks]
    said += [remarks.no_mat(seat) for seat in SEATS if seat not in seen]
    for mat in seen.values():
        said += [*_markers_missing(mat, size_px), *_board_outside(mat, size_px)]
    return [*said, *(remark for remark in _picture_remarks(seen) if not remark.blocks)]


def _markers_missing(seen: SeenMat, size_px: tuple[int, int]) -> Iterator[Remark]:
    for index in range(4):
        if index not in seen.markers:
            yield remarks.no_marker(seen.seat, index, outside=_is_outside(seen, index, size_px))


def _is_outside(seen: SeenMat, index: int, size_px: tuple[int, int]) -> bool:
    if seen.mat_to_image is None:
        return False
    corners = seen.mat_to_image(seen.mat.marker_corners_mm(index))
    return bool(((corners < 0) | (corners > np.array(size_px) - 1)).any())


def _board_outside(seen: SeenMat, size_px: tuple[int, int]) -> Iterator[Remark]:
    if seen.mat_to_image is None:
        return
    corners = seen.mat_to_image(seen.mat.board_corners_mm)
    for name, corner in zip(_CORNER_CELLS, corners, strict=True):
        if ((corner < 0) | (corner > np.array(size_px) - 1)).any():
            yield remarks.board_outside(seen.seat, name)


def _picture_remarks(seen: Mapping[int, SeenMat]) -> Iterator[Remark]:
    """Yield remarks on light, sharpness and size, each once for the table, according to the worse mat."""
    yield from _light_remarks(seen)
    sizes = [cell_px(mat.guess) for mat in seen.values() if mat.guess is not None]
    if not sizes:
        return
    cell, blur = min(sizes), max(mat.blur_px for mat in seen.values())
    if cell < limits.LEAST_CELL_PX:
        least = round(limits.LEAST_CELL_PX)
        fault = said("A cell is {px} px wide, but {least} are needed.", px=round(cell), least=least)
        yield Remark(RemarkCode.FAR, fault, said("Move the camera closer, or set a larger [camera] size."))
    elif cell < limits.SMALL_CELL_PX:
        fault = said("A cell is only {px} px wide.", px=round(cell))
        yield Remark(RemarkCode.SMALL, fault, said("A camera that is closer reads better."), blocks=False)
    if blur > limits.MOST_BLUR_CELLS * cell:
        fault = said("The picture is blurred (by {px} px).", px=round(blur, 1))
        yield Remark(RemarkCode.BLURRED, fault, said("Focus the camera on the table."))
    elif blur > limits.SOFT_BLUR_CELLS * cell:
        fault = said("The picture is a little soft (by {px} px).", px=round(blur, 1))
        yield Remark(RemarkCode.SOFT, fault, said("Focus the camera better."), blocks=False)


def _light_remarks(seen: Mapping[int, SeenMat]) -> Iterator[Remark]:
    paper = min(mat.paper for mat in seen.values())
    if paper < limits.LEAST_PAPER:
        fault = said("It is too dark (white paper is {paper} of 255).", paper=round(paper))
        yield Remark(RemarkCode.DARK, fault, said("Switch on a lamp."))
    elif paper < limits.DIM_PAPER:
        fault = said("It is rather dark (white paper is {paper} of 255).", paper=round(paper))
        yield Remark(RemarkCode.DIM, fault, said("More light helps."), blocks=False)
    for mat in seen.values():
        brightest = max(look.paper for look in mat.looks.values())
        if brightest > limits.UNEVEN * mat.paper:
            fault = said("The light on seat {seat}’s mat is uneven.", seat=mat.seat)
            do = said("Move the lamp so that no shadow falls across it.")
            yield Remark(RemarkCode.UNEVEN, fault, do, blocks=False, seat=mat.seat)
