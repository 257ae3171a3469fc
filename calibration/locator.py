"""Location of each quilt's grid in a frame, by the mats' fiducials, or by corners given by the user."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.mat import Mat, load_mat
from vision.board.finding import PlaceSearch
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, FailedFit, Homography, fit_homography, through_corners, translation

SEATS: Final = (1, 2)
# Mean motion of fiducials below which a mat is at rest: a covered fiducial is then assumed unmoved, too.
_STILL_PX: Final = 0.8
# Deviation from which marker corners are outliers; those of a curled sheet of paper were 4 px off, at 36 pixels a cell.
_TOLERANCE_PX: Final = 5.0


@cache
def board_cells() -> float:
    """Return a quilt board's outer edge, in cells of its grid."""
    mat = load_mat()
    return mat.board_size_mm / mat.cell_mm


class QuiltLocator(Protocol):
    """A source of the quilts' places in each frame.

    Attributes:
        is_held: whether a moved board must be tracked by its own look, as opposed to its mat.
    """

    is_held: bool

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return, for each seat whose quilt can be located, the map from cell space to pixels of this frame."""

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Adopt a better placement of a seat's quilt in the frame located last."""

    def place(self, seat: int) -> Homography:
        """Return the place of a seat's board in coordinates that remain valid beyond this frame; for `put`."""

    def put(self, seat: int, place: Homography) -> None:
        """Set the place of a seat's board, as returned by `place`."""

    def keep(self, seat: int) -> None:
        """Rely on a seat's board from now on, because it was seen empty and at rest."""

    def search(self, image: NDArray[np.uint8], beside: Homography | None = None) -> Sequence[Homography]:
        """Return possible places of a lost board: maps from cell space to pixels, accurate to a tenth of a cell.

        They may have any orientation. The search takes seconds. `beside` is the place of the other board, if known.
        The result is empty if boards are located by their mats.
        """


class HeldPlaces:
    """Places of boards in the picture, kept until better ones are adopted."""

    is_held = True

    def __init__(self) -> None:
        self._cells_to_image: dict[int, Homography] = {}

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return the stored placements, whatever the image shows."""
        del image
        return dict(self._cells_to_image)

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Store this placement."""
        self._cells_to_image[seat] = cells_to_image

    def place(self, seat: int) -> Homography:
        """Return the map from cell space to pixels."""
        return self._cells_to_image[seat]

    def put(self, seat: int, place: Homography) -> None:
        """Store this placement."""
        self._cells_to_image[seat] = place

    def keep(self, seat: int) -> None:
        """Do nothing: stored places are always relied on."""

    def search(self, image: NDArray[np.uint8], beside: Homography | None = None) -> Sequence[Homography]:
        """Return all places in the picture that look like a board."""
        return PlaceSearch(image, board_cells()).places(beside)


class CornerLocator(HeldPlaces):
    """A locator by given corners, kept until better ones are adopted.

    Args:
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, shape (4, 2).
    """

    def __init__(self, corners: Sequence[ArrayLike]) -> None:
        super().__init__()
        for seat, quad in zip(SEATS, corners, strict=True):
            self.put(seat, through_corners(GRID_CORNERS, quad))


class MatLocator:
    """A locator that finds the mats in every frame; a board keeps its last adopted place on its mat.

    Args:
        mats: the possible mats, which are identified by their markers. Places are in millimetres of the first one,
            whichever is on the table.

    Raises:
        ValueError: there are none, or their markers are of several dictionaries.
    """

    is_held = False

    def __init__(self, *mats: Mat) -> None:
        if len({mat.dictionary for mat in mats}) != 1:
            raise ValueError(f"{len(mats)} mats whose markers are not of one dictionary")
        self._mats = mats
        self._detector = FiducialDetector(mats[0].dictionary)
        on_outline = through_corners(GRID_CORNERS, mats[0].grid_corners_mm)
        self._cells_to_mat = dict.fromkeys(SEATS, on_outline)
        self._sighted: dict[int, _Sighting] = {}

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return the placements by the detected fiducials, or by the last place of a covered mat."""
        found = self._find(image)
        for seat in SEATS:
            held = self._sighted.get(seat)
            mat, seen = self._seen(seat, found, held)
            same = held is not None and held.mat is mat
            sighting = held.followed_by(seen) if held is not None and same else _Sighting.of(mat, seen)
            if sighting is not None:
                self._sighted[seat] = sighting
        return {seat: self._first_to_image(seat).after(self._cells_to_mat[seat]) for seat in self._sighted}

    def _seen(
        self, seat: int, found: Mapping[int, NDArray[np.float64]], held: "_Sighting | None"
    ) -> tuple[Mat, Mapping[int, NDArray[np.float64]]]:
        """Return the mat under a seat's board, and its detected markers by their places on it.

        The mat of the previous frame is preferred as long as any of its markers is detected.
        """
        detected = [
            (mat, {index: found[number] for index, number in enumerate(mat.seats[seat]) if number in found})
            for mat in self._mats
        ]
        best = max(detected, key=lambda each: len(each[1]))
        held_too = [each for each in detected if held is not None and each[0] is held.mat]
        return held_too[0] if held_too and (held_too[0][1] or not best[1]) else best

    def _first_to_image(self, seat: int) -> Homography:
        """Return the map from the first mat's millimetres to pixels, shifted so that both mats' boards coincide."""
        sighted = self._sighted[seat]
        shift_mm = np.subtract(sighted.mat.board_centre_mm, self._mats[0].board_centre_mm)
        return sighted.mat_to_image.after(translation(float(shift_mm[0]), float(shift_mm[1])))

    def _find(self, image: NDArray[np.uint8]) -> Mapping[int, NDArray[np.float64]]:
        """Return the fiducials: searched for near their places first, then in the whole frame if one is missing."""
        expected = {
            sighted.mat.seats[seat][index]: corners
            for seat, sighted in self._sighted.items()
            for index, corners in sighted.corners.items()
        }
        if len(expected) == len(SEATS) * len(self._mats[0].marker_centres_mm):
            near = self._detector.detect_near(image, expected)
            if len(near) == len(expected):
                return near
        return self._detector.detect(image)

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Store the board's place on its mat."""
        self._cells_to_mat[seat] = self._first_to_image(seat).inverse.after(cells_to_image)

    def place(self, seat: int) -> Homography:
        """Return the map from cell space to the first mat's millimetres."""
        return self._cells_to_mat[seat]

    def put(self, seat: int, place: Homography) -> None:
        """Set the board's place on its mat."""
        self._cells_to_mat[seat] = place

    def keep(self, seat: int) -> None:
        """Do nothing: mats are found in every frame."""

    def search(self, image: NDArray[np.uint8], beside: Homography | None = None) -> Sequence[Homography]:
        """Return no places: a board moves with its mat."""
        del image, beside
        return ()


class _Sighting:
    """A mat detected in one frame.

    Args:
        mat: its geometry.
        corners: by marker (0 top left, clockwise) its four corners in pixels, shape (4, 2), at the time when the mat
            came to rest, or when the marker was first detected afterwards.
        mat_to_image: maps the mat's millimetres to pixels.
    """

    def __init__(self, mat: Mat, corners: Mapping[int, NDArray[np.float64]], mat_to_image: Homography) -> None:
        self.mat = mat
        self.corners = corners
        self.mat_to_image = mat_to_image

    @classmethod
    def of(cls, mat: Mat, corners: Mapping[int, NDArray[np.float64]]) -> "_Sighting | None":
        """Return a sighting by these markers alone, or None if they do not determine the mat's place."""
        if len(corners) < 2:
            return None  # One marker's corners, extended across the whole mat, are centimetres off at its other end.
        on_mat = np.concatenate([mat.marker_corners_mm(index) for index in corners])
        fitted = fit_homography(on_mat, np.concatenate(list(corners.values())), _TOLERANCE_PX)
        return None if isinstance(fitted, FailedFit) else cls(mat, corners, fitted)

    def followed_by(self, seen: Mapping[int, NDArray[np.float64]]) -> "_Sighting | None":
        """Return the mat in the next frame: a marker covered by a hand is unmoved if the others are."""
        both = [index for index in seen if index in self.corners]
        if len(seen) == 4 or not both:
            return _Sighting.of(self.mat, seen)
        moves = [np.hypot(*(seen[index] - self.corners[index]).T).mean() for index in both]
        # A marker that a hand covers, or that one blurred picture does not show, has moved as the others have.
        motion = translation(0.0, 0.0) if max(moves) <= _STILL_PX else _motion(self.corners, seen, both)
        carried = {index: motion(corners) for index, corners in self.corners.items()}
        sighting = _Sighting.of(self.mat, {**carried, **seen})
        # The next frame is compared with the mat's first place: otherwise a mat that creeps by less than that in every
        # frame leaves its covered markers behind.
        first = {index: motion.inverse(corners) for index, corners in seen.items()}
        return None if sighting is None else _Sighting(self.mat, {**first, **self.corners}, sighting.mat_to_image)


def _motion(
    before: Mapping[int, NDArray[np.float64]], now: Mapping[int, NDArray[np.float64]], both: Sequence[int]
) -> Homography:
    """Return the motion of the picture that some markers show: a similarity, or a shift if there is only one."""
    # Complex numbers, because a similarity is a product and a sum of them.
    then, here = (np.concatenate([each[index] for index in both]) @ [1, 1j] for each in (before, now))
    middle_then, middle = then.mean(), here.mean()
    turn = (
        1 + 0j
        if len(both) == 1
        else np.vdot(then - middle_then, here - middle) / np.vdot(then - middle_then, then - middle_then)
    )
    shift = middle - turn * middle_then
    return Homography(
        np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0.0, 0.0, 1.0]])
    )
