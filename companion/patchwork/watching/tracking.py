"""Tracking of boards that are nudged or moved, by their expected looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.patchwork.watching.displacement import Displacements
from companion.patchwork.watching.motion import (
    SLIPPED_PX,
    Searches,
    find_again,
    find_motion,
    in_cells,
    moved_px,
    moves,
)
from vision.board.pairing import overlap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator
    from companion.patchwork.watching.views import BoardViews
    from vision.geometry.homography import Homography
    from vision.quilt.look import Look


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """A board compared with its expected look.

    Attributes:
        aligned: whether the board is seen at its place.
        shift_px: its motion to that place, in view pixels.
        look: its look there.
    """

    aligned: bool
    shift_px: float
    look: Look


class BoardTracker:
    """A tracker that registers both boards with their expected looks.

    Args:
        views: the views of the boards, updated when a board has moved.
        locator: the locator that searches the whole frame for boards.

    Attributes:
        expected: by seat, the look that the board was last compared with.
        displaced: the seats whose board has moved relative to its surroundings, until these are remembered again.
        displacements: the movements not yet reported.
    """

    def __init__(self, views: BoardViews, locator: QuiltLocator) -> None:
        self._views, self._locator = views, locator
        self.expected: dict[int, Look] = {}
        self.displaced: set[int] = set()
        self.displacements = Displacements()
        self._searches = Searches()

    def register(self, seat: int, image: NDArray[np.uint8], expected: Look, *, is_known: bool) -> Registered:
        """Follow a board to its present place, and return its look there.

        Args:
            seat: the board's seat.
            image: the latest frame, shape (height, width, 3), uint8, BGR.
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
        there = self._search(seat, image, expected) if is_known else None
        if there is None:
            return Registered(aligned=False, shift_px=0.0, look=look)
        return self._follow(seat, there, moved_px(place, there))

    def _search(self, seat: int, image: NDArray[np.uint8], expected: Look) -> Homography | None:
        """Return the place, in the whole frame, of a board that is not near its last place, or None."""
        if not self._searches.is_worth_one(seat, image):
            return None
        # Both boards look alike: the place of one that has not moved is no candidate for the other.
        beside = self._views.places[3 - seat] if self._is_in_place(3 - seat, image) else None
        candidates = self._locator.search(image, beside)
        return find_again(image, [each for each in candidates if beside is None or not overlap(each, beside)], expected)

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
        self._views.adopt(seat, there)
        return Registered(aligned=True, shift_px=by_px, look=self._views.look_at(seat))
