"""Location of the quilts without mats, by the two empty boards in the first frames, which keep their places.

The boards themselves show neither their seats nor which corner is A1. The rule: if the boards lie side by side, both
players sit at the near edge of the picture, and the left board is seat 1's. If one lies above the other, the players
sit opposite each other, and the near board is seat 1's. A1 is the upper left cell as seen by the board's owner.
`Seating` overrides the rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, HeldPlaces, board_cells
from vision.board.finding import find_empty_boards, is_empty_board
from vision.geometry import GRID_CORNERS, SIDE, Homography, through_corners
from vision.stillness import StabilityGate

# Number of frames after which a picture that does not come to rest is searched anyway: people lay out patches.
_RESTLESS_FRAMES: Final = 20
# The same for a picture without motion: light and noise change.
_AGAIN_FRAMES: Final = 60
# Number of frames without a board that has not been relied on yet, after which it is searched for again.
_GONE_FRAMES: Final = 3


class Side(StrEnum):
    """An edge of the picture, at which a player sits."""

    NEAR = "near"
    FAR = "far"
    LEFT = "left"
    RIGHT = "right"


# From the middle of the picture, (x, y).
_TOWARDS: Final = {Side.NEAR: (0.0, 1.0), Side.FAR: (0.0, -1.0), Side.LEFT: (-1.0, 0.0), Side.RIGHT: (1.0, 0.0)}
# Clockwise quarter turns from the picture's upper left corner to that seen by the owner.
_QUARTERS: Final = {Side.NEAR: 0, Side.LEFT: 1, Side.FAR: 2, Side.RIGHT: 3}


@dataclass(frozen=True, slots=True)
class Seating:
    """The side of the table that each player sits at.

    Attributes:
        sides: sides of seat 1 and seat 2; None for the rule by the boards' places.
        swap: whether the boards are exchanged, each still seen from its own side.
    """

    sides: tuple[Side, Side] | None = None
    swap: bool = False

    def seats(self, places: Sequence[Homography]) -> dict[int, Homography]:
        """Return the given boards by seat.

        Args:
            places: two maps from cell space to pixels, cell (0, 0) at the picture's upper left.

        Returns:
            Each seat's board, cell (0, 0) being A1.
        """
        middles = [place([SIDE / 2, SIDE / 2]) for place in places]
        sides = self.sides or _sides_of(middles)
        along = _towards_first(sides)
        first, second = sorted((0, 1), key=lambda index: -float(middles[index] @ along))
        boards = [turned(places[index], _QUARTERS[side]) for index, side in zip((first, second), sides, strict=True)]
        return dict(zip(SEATS, boards[::-1] if self.swap else boards, strict=True))


def _sides_of(middles: Sequence[NDArray[np.float64]]) -> tuple[Side, Side]:
    across, down = np.abs(middles[1] - middles[0])
    return (Side.NEAR, Side.NEAR) if across >= down else (Side.NEAR, Side.FAR)


def _towards_first(sides: tuple[Side, Side]) -> NDArray[np.float64]:
    """Return the direction from seat 2's board to seat 1's: towards its player, or to the left of both."""
    first, second = (np.array(_TOWARDS[side]) for side in sides)
    return first - second if sides[0] != sides[1] else np.array([-first[1], first[0]])


def turned(place: Homography, quarters: int) -> Homography:
    """Return the same board with cells named from another corner, by clockwise quarter turns in the picture."""
    return place.after(through_corners(GRID_CORNERS, np.roll(GRID_CORNERS, -quarters, axis=0)))


class FoundLocator(HeldPlaces):
    """A locator that finds both empty boards without aid, and keeps their places once they are relied on.

    Args:
        seating: the players' sides.
    """

    def __init__(self, seating: Seating | None = None) -> None:
        super().__init__()
        self._seating = seating or Seating()
        self._confirmed: set[int] = set()
        self._gone: dict[int, int] = {}
        self._schedule = _SearchSchedule()
        self._found = 0

    @property
    def found_count(self) -> int:
        """Number of empty boards found in the latest search."""
        return self._found

    @property
    def relied_upon(self) -> bool:
        """True if both boards have been seen at rest, now or earlier."""
        return len(self._confirmed) == len(SEATS)

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return the boards that are still where they were found; none before both are found."""
        # Pieces hide the empty boards from now on, so that there is nothing left to search or to check.
        if self.relied_upon:
            return super().locate(image)
        if self._schedule.is_on(image) and self._is_missing():
            self._look_for(image)
        # One that is hidden may as well have been taken away: it is located again when it is seen empty.
        held = super().locate(image)
        return {
            seat: place for seat, place in held.items() if seat in self._confirmed or self._is_there(image, seat, place)
        }

    def keep(self, seat: int) -> None:
        """Rely on a board that was seen at rest, because pieces will hide it from now on."""
        self._confirmed.add(seat)

    def put(self, seat: int, place: Homography) -> None:
        """Rely on a board's place from an earlier occasion."""
        super().put(seat, place)
        self.keep(seat)

    def _is_missing(self) -> bool:
        return len(self._cells_to_image) < len(SEATS) or max(self._gone.values(), default=0) >= _GONE_FRAMES

    def _look_for(self, image: NDArray[np.uint8]) -> None:
        self._schedule.record_search()
        places = find_empty_boards(image, board_cells())
        self._found = len(places)
        # Which seat a board belongs to follows from the other one's place.
        if len(places) == len(SEATS):
            for seat, place in self._seating.seats(places).items():
                # Its place was refined at rest; what the search found now may be rougher.
                if seat not in self._confirmed:
                    self.adopt(seat, place)
            self._gone.clear()

    def _is_there(self, image: NDArray[np.uint8], seat: int, place: Homography) -> bool:
        there = is_empty_board(image, place)
        self._gone[seat] = 0 if there else self._gone.get(seat, 0) + 1
        return there


class _SearchSchedule:
    """The schedule of searches for boards, which take too long for every frame, and are useless in an unchanged one."""

    def __init__(self) -> None:
        self._gate = StabilityGate()
        # The very first picture is searched.
        self._moved, self._since = True, _RESTLESS_FRAMES

    def is_on(self, image: NDArray[np.uint8]) -> bool:
        """Process the next frame, and return whether it is worth a search."""
        settled = self._gate.watch(image)
        self._since += 1
        self._moved = self._moved or not settled
        return self._since > _AGAIN_FRAMES or (self._moved and (settled or self._since > _RESTLESS_FRAMES))

    def record_search(self) -> None:
        """Record that a search of this frame begins."""
        self._moved, self._since = False, 0
