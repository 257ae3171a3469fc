"""Tracking of boards that are nudged or moved, by their expected looks."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, QuiltLocator
from calibration.mat import load_mat
from companion.games.patchwork.state import State
from companion.languages import Sentence, said
from hardware.ports import Frame
from vision.board.candidates import overlap
from vision.geometry import (
    CELL_PX,
    CELLS_TO_VIEW,
    GRID_CORNERS,
    SIDE,
    Homography,
    cell_window,
    rectify,
    through_corners,
    translation,
)
from vision.quilt.alignment import BOARD_PX, TRUSTED_SHARE, Alignment, align, carried, far_move, find_pushed, likeness
from vision.quilt.look import Look, is_alike, look_at, thumbnail
from vision.stillness import StabilityGate, Unrest, averaged, is_blank

# The number of frames of one rest to average: half the noise, at the cost of three more warps per look.
_AVERAGED: Final = 4


SETTLE_FRAMES: Final = 2
"""One frame may catch a hand between two movements; more frames only delay each reading."""


class BoardViews:
    """The views of both boards; one is settled after `SETTLE_FRAMES` frames that agree.

    Attributes:
        blank: whether it shows nothing, as with a covered lens.
        places: by seat, the map from cell space to its pixels, for the boards in view.
        settled: the seats whose board is in view and at rest.
    """

    def __init__(self, locator: QuiltLocator) -> None:
        self._locator = locator
        self._gates = {seat: StabilityGate(SETTLE_FRAMES) for seat in SEATS}
        self.frame: Frame | None = None
        self.blank = False
        self.places: Mapping[int, Homography] = {}
        self.settled: frozenset[int] = frozenset()
        self._views: dict[int, NDArray[np.uint8]] = {}
        self._looks: dict[int, Look] = {}
        # The latest frames' images, with the map from cell space to the image's pixels by seat.
        self._recent: deque[tuple[NDArray[np.uint8], dict[int, Homography]]] = deque(maxlen=_AVERAGED)

    def __contains__(self, seat: int) -> bool:
        """Return whether a seat's board is in view."""
        return seat in self._views

    def __getitem__(self, seat: int) -> NDArray[np.uint8]:
        """Return a seat's board from above in the latest frame, as `vision.geometry` does.

        Raises:
            KeyError: the board is not in view.
        """
        return self._views[seat]

    def see(self, frame: Frame) -> None:
        """Process the next frame."""
        self.frame, self.blank = frame, is_blank(frame.image)
        # A locator that holds places returns them even for a frame that shows nothing.
        self.places = {} if self.blank else self._locator.locate(frame.image)
        # A copy, because `adopt` corrects the places of each frame separately.
        self._recent.append((frame.image, dict(self.places)))
        self._views = {seat: rectify(frame.image, place) for seat, place in self.places.items()}
        self._looks = {}
        for seat, view in self._views.items():
            self._gates[seat].watch(view)
        self._settle()

    def rest_on(self, frame: Frame) -> None:
        """Process a frame in which nothing has moved, so that all places are known."""
        self.frame = frame
        self._recent.append((frame.image, dict(self.places)))
        self._looks = {}
        for seat in self._views:
            self._gates[seat].rest_on()
        self._settle()

    def unrest(self, seat: int) -> Unrest | None:
        """Return why a seat's board in view does not come to rest, or None."""
        return self._gates[seat].unrest

    def restart_rest(self, *seats: int) -> None:
        """Restart the count of frames at rest, for some seats or for all."""
        for seat in seats or SEATS:
            self._gates[seat].forget()
        self._settle()

    def look_at(self, seat: int) -> Look:
        """Return the look of a board in view, averaged over the latest frames that agree, which reduces noise."""
        if seat not in self._looks:
            # Only frames of the present rest, but at least the latest: a slice from -0 on would hold them all.
            rest = list(self._recent)[-max(1, self._gates[seat].agreeing) :]
            views = [rectify(image, places[seat]) for image, places in rest if seat in places]
            self._looks[seat] = look_at(averaged(views))
        return self._looks[seat]

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Set a board's place in the latest frame, and correct it in the earlier ones."""
        self._locator.adopt(seat, cells_to_image)
        # A correction rather than the place itself: the board was located in each of these frames separately.
        correction = self.places[seat].inverse.after(cells_to_image)
        for _, places in self._recent:
            if seat in places:
                places[seat] = places[seat].after(correction)
        # A new mapping: observations hold the old one, and `TableWatch.see` iterates over it.
        self.places = {**self.places, seat: cells_to_image}
        self._looks.pop(seat, None)
        self._views[seat] = rectify(self._recent[-1][0], cells_to_image)

    def _settle(self) -> None:
        """Set the boards that are at rest by now."""
        self.settled = frozenset(seat for seat in self._views if self._gates[seat].settled)


SLIPPED_PX: Final = 1.5
"""In view pixels; a board that moved further has slipped on its mat or on the table."""
# Likeness of a board (see `vision.quilt.alignment.likeness`) from which it lies where it is expected: three millimetres
# beside it is at most 0.3.
_IN_PLACE: Final = 0.5
# Likeness below which it certainly does not lie there, or is covered: full boards were seen to have 0.14 at most ten
# millimetres beside their places.
_ELSEWHERE: Final = 0.2
# The gain in likeness for which a board counts as pushed.
_BETTER: Final = 0.2
# In view pixels; smaller motions are the noise of finding them.
_LEAST_SHIFT_PX: Final = 0.3
# In view pixels, 3 mm; a camera that was moved moves both boards alike, but for its tilt.
_SAME_MOTION_PX: Final = 5.0
_RIM: Final = np.ones((7, 7), np.uint8)
"""Width of a bare cell's rim beside a patch, 3 view pixels, that shows the patch's edge or its shadow."""
# Every other one is looked for, and six at the least must be found again.
_DISTINCTIVE_CELLS: Final = 24
# A board's four quarter turns, because an outline does not show which of its corners is A1.
_TURNS: Final = tuple(through_corners(GRID_CORNERS, np.roll(GRID_CORNERS, -quarters, axis=0)) for quarters in range(4))


def find_motion(image: NDArray[np.uint8], place: Homography, look: Look, expected: Look) -> Alignment | None:
    """Find how a board moved by up to a cell and a half; return the motion in view space, or None.

    Args:
        image: the frame, shape (height, width, 3), uint8, BGR.
        place: the board's last place; maps cell space to the frame.
        look: the look of the board at that place.
        expected: the look expected there.
    """
    found = _usual_motion(image, place, look, expected)
    here = look.structure if found is None or not moves(found) else carried(look.structure, found.motion)
    alike = likeness(here, expected.structure)
    if alike >= _IN_PLACE:
        # Too few of a plain board's tiles may be found again although it lies there.
        return found or Alignment(translation(0.0, 0.0), 0.0, agreeing=0, share=alike)
    # Its surroundings, in which nothing has moved, may have outvoted a plain board.
    pushed = find_pushed(look.structure, expected.structure)
    if pushed is None:
        return found
    motion, middle = pushed[0], CELLS_TO_VIEW([[SIDE / 2, SIDE / 2]])
    by_px = float(motion.residuals(middle, middle)[0])
    if pushed[1] >= max(_IN_PLACE, alike + _BETTER):
        return Alignment(motion, by_px, agreeing=0, share=pushed[1])
    if found is None and alike >= _ELSEWHERE and by_px < _LEAST_SHIFT_PX:
        # Faint lines, or noise: little is found again of it, but nowhere around more than here.
        return Alignment(translation(0.0, 0.0), 0.0, agreeing=0, share=alike)
    return found


def _usual_motion(image: NDArray[np.uint8], place: Homography, look: Look, expected: Look) -> Alignment | None:
    """Find the common motion of a board and what is around it; arguments as for `find_motion`."""
    near = align(look.luminance, expected.luminance)
    if isinstance(near, Alignment) and near.share >= TRUSTED_SHARE:
        return near
    far = _far_motion(image, place, look, expected)
    if far is None and isinstance(near, Alignment) and near.shift_px <= SLIPPED_PX:
        return near  # An arm covers most of it, and the rest has not moved.
    return far


def find_again(image: NDArray[np.uint8], candidates: Iterable[Homography], expected: Look) -> Homography | None:
    """Return the candidate place that matches a board's expected look best, or None if the board is at none of them.

    Candidates map cell space to the frame, shape (height, width, 3), uint8, BGR, off by up to a quarter of a cell.
    """
    found: list[tuple[float, Homography]] = []
    for candidate in candidates:
        for turn in _TURNS:
            place = candidate.after(turn)
            fine = align(look_at(rectify(image, place)).luminance, expected.luminance)
            if isinstance(fine, Alignment) and fine.share >= TRUSTED_SHARE:
                found.append((fine.share, place.after(in_cells(fine.motion))))
    return max(found, key=lambda each: each[0])[1] if found else None


def in_cells(in_view: Homography) -> Homography:
    """Return a motion of view space as one of cell space."""
    return CELLS_TO_VIEW.inverse.after(in_view).after(CELLS_TO_VIEW)


def is_elsewhere(look: Look, expected: Look) -> bool:
    """Return whether a board certainly does not lie where this look was taken, or is covered there."""
    return likeness(look.structure, expected.structure) < _ELSEWHERE


def moves(motion: Alignment) -> bool:
    """Return whether a motion is more than the noise of finding it."""
    corners = CELLS_TO_VIEW(GRID_CORNERS)
    return float(motion.motion.residuals(corners, corners).max()) > _LEAST_SHIFT_PX


def moved_px(before: Homography, now: Homography) -> float:
    """Return how far a board's middle moved, in view pixels of the earlier pose; both map cell space to the frame."""
    in_view = CELLS_TO_VIEW.after(before.inverse)
    middle = [[SIDE / 2, SIDE / 2]]
    return float(in_view.residuals(now(middle), CELLS_TO_VIEW(middle))[0])


def without(look: Look, covered: NDArray[np.bool_]) -> Look:
    """Return an empty board's look with the cells that patches cover, less a rim, and its surroundings made flat.

    The board is then recognised by its other cells and its border; `covered` is of shape (RING, RING), bool.
    """
    flat = np.empty_like(look.view)
    flat[:] = np.rint(look.view.mean(axis=(0, 1)))
    known = np.zeros(flat.shape[:2], np.uint8)
    known[BOARD_PX, BOARD_PX] = 1
    for row in range(SIDE):
        for column in range(SIDE):
            window = cell_window(row, column, 0)
            if covered[row + 1, column + 1]:
                known[window] = 0
            else:
                flat[window] = look.view[window]
    # The edges of what is made flat are not the board's, and those of a patch are there instead.
    return replace(look_at(flat), structure=np.where(cv2.erode(known, _RIM) > 0, look.structure, np.float32(0)))


def is_distinctive(covered: NDArray[np.bool_]) -> bool:
    """Return whether enough cells are bare to recognise a board by; `covered` is of shape (RING, RING)."""
    return SIDE * SIDE - int(np.count_nonzero(covered)) >= _DISTINCTIVE_CELLS


def _far_motion(image: NDArray[np.uint8], place: Homography, look: Look, expected: Look) -> Alignment | None:
    """Find the motion of a board that moved beyond the range of the usual search."""
    guess = far_move(look.luminance, expected.luminance)
    if guess is None:
        return None
    moved = translation(*guess)
    there = rectify(image, place.after(in_cells(moved)))
    fine = align(look_at(there).luminance, expected.luminance)
    if not isinstance(fine, Alignment) or fine.share < TRUSTED_SHARE:
        return None
    motion, middle = moved.after(fine.motion), CELLS_TO_VIEW([[SIDE / 2, SIDE / 2]])
    return replace(fine, motion=motion, shift_px=float(motion.residuals(middle, middle)[0]))


# The shortest displacement worth a notice: boards are brushed by less all the time.
_WORTH_A_WORD_MM: Final = 1.0


@dataclass(frozen=True, slots=True)
class Displacement:
    """A seat's board that has moved; the distance is None if it cannot be followed."""

    seat: int
    by_mm: float | None


class Displacements:
    """A collector of movements of the boards; a board that stays lost is reported once.

    Attributes:
        unannounced: the movements not announced yet, the first on the left; who announces one removes it.
        known: the seats whose board was ever aligned with its expected look, or lay here on an earlier occasion.
        lost: the known seats whose board was not where it was expected.
    """

    def __init__(self) -> None:
        self.unannounced: deque[Displacement] = deque()
        self.known: set[int] = set()
        self.lost: set[int] = set()

    def followed(self, seat: int, shift_px: float) -> None:
        """Record a board that was found again `shift_px` view pixels from its place."""
        by_mm = shift_px / CELL_PX * _cell_mm()
        self.lost.discard(seat)
        if by_mm >= _WORTH_A_WORD_MM:
            self.unannounced.append(Displacement(seat, by_mm))

    def seen(self, seat: int, *, aligned: bool) -> None:
        """Record a comparison of a board with its memory; a known board that is no longer aligned is lost."""
        if aligned:
            self.known.add(seat)
            self.lost.discard(seat)
        elif seat in self.known - self.lost:
            self.lost.add(seat)
            self.unannounced.append(Displacement(seat, None))


def sentence(displacement: Displacement, state: State) -> Sentence:
    """Return a displacement in the players' words."""
    name = state.name_of(displacement.seat)
    if displacement.by_mm is None:
        return said(
            "{name}’s quilt board is covered, or was moved too far to follow: clear the view, or put it back where "
            "it was.",
            name=name,
        )
    return said(
        "{name}’s quilt board was moved by {mm} mm; the companion has adjusted.",
        name=name,
        mm=round(displacement.by_mm),
    )


@cache
def _cell_mm() -> float:
    """Edge of a cell of the printed grid."""
    return load_mat().cell_mm


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """A board compared with its expected look: its motion to its place, in view pixels, and its look there."""

    aligned: bool
    shift_px: float
    look: Look


class BoardTracker:
    """A tracker that registers both boards with their expected looks, and updates their views when they have moved.

    Attributes:
        expected: by seat, the look that the board was last compared with.
        displaced: the seats whose board has moved relative to its surroundings, until these are remembered again.
    """

    def __init__(self, views: BoardViews, locator: QuiltLocator) -> None:
        self._views, self._locator = views, locator
        self.expected: dict[int, Look] = {}
        self.displaced: set[int] = set()
        self.displacements = Displacements()
        self._searched: dict[int, NDArray[np.float32]] = {}
        # By seat the latest motion of a board in the picture, from pixels to pixels.
        self._motions: dict[int, Homography] = {}

    def register(self, seat: int, image: NDArray[np.uint8], expected: Look, *, is_known: bool) -> Registered:
        """Follow a board to its present place in the latest frame, and return its look there.

        Args:
            seat: the board's seat.
            image: the frame, shape (height, width, 3), uint8, BGR.
            expected: the board's expected look.
            is_known: whether the look suffices to find the board in the whole frame.

        Raises:
            KeyError: the board is not in view.
        """
        self.expected[seat] = expected
        place, look = self._views.places[seat], self._views.look_at(seat)
        motion = find_motion(image, place, look, expected)
        if motion is not None and not moves(motion):
            return Registered(aligned=True, shift_px=motion.shift_px, look=look)
        if motion is not None:
            return self._follow(seat, place.after(in_cells(motion.motion)), motion.shift_px)
        there = self._search(seat, image, expected) if is_known else self._beside(seat, image, expected)
        if there is None:
            return Registered(aligned=False, shift_px=0.0, look=look)
        return self._follow(seat, there, moved_px(place, there))

    def _search(self, seat: int, image: NDArray[np.uint8], expected: Look) -> Homography | None:
        """Return the place, in the whole frame, of a board that is not near its last place, or None."""
        # A search takes a second: once for each frame that differs from the last one searched.
        now, before = thumbnail(image), self._searched.get(seat)
        if before is not None and is_alike(now, before):
            return None
        self._searched[seat] = now
        # Both boards look alike: the place of one that has not moved is no candidate for the other.
        beside = self._views.places[3 - seat] if self._is_in_place(3 - seat, image) else None
        candidates = self._locator.search(image, beside)
        return find_again(image, [each for each in candidates if beside is None or not overlap(each, beside)], expected)

    def _beside(self, seat: int, image: NDArray[np.uint8], expected: Look) -> Homography | None:
        """Return where a board of which little is known lies if it has moved as the other did, or None.

        A camera that was moved moves both in the picture.
        """
        if 3 - seat not in self._motions:
            return None
        place = self._motions[3 - seat].after(self._views.places[seat])
        structure = look_at(rectify(image, place)).structure
        found = [(likeness(structure, expected.structure), place)]
        if (pushed := find_pushed(structure, expected.structure)) is not None:
            found.append((pushed[1], place.after(in_cells(pushed[0]))))
        alike, there = max(found, key=lambda each: each[0])
        here = likeness(self._views.look_at(seat).structure, expected.structure)
        return there if alike >= here + _BETTER and moved_px(place, there) < _SAME_MOTION_PX else None

    def _is_in_place(self, seat: int, image: NDArray[np.uint8]) -> bool:
        """Return whether a board still lies at its last place, by the look last expected of it."""
        if seat not in self.expected or seat not in self._views:
            return False
        return find_motion(image, self._views.places[seat], self._views.look_at(seat), self.expected[seat]) is not None

    def _follow(self, seat: int, there: Homography, by_px: float) -> Registered:
        """Adopt a board's new place, `by_px` view pixels away, and return its look there."""
        if by_px > SLIPPED_PX:
            # The board's surroundings have not moved with it; they are no evidence until they are remembered again.
            self.displaced.add(seat)
            self.displacements.followed(seat, by_px)
        self._motions[seat] = there.after(self._views.places[seat].inverse)
        self._views.adopt(seat, there)
        return Registered(aligned=True, shift_px=by_px, look=self._views.look_at(seat))
