"""The places of objects on the table before the first move, in three arrangements.

All poses are in table space (millimetres, x to the right, y towards the near edge); a board's is relative to its mat.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import Room, rectangle
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.prints.boards import TIME_BOARD_MM
from hardware.simulated.prints.looks import the_mat

Spot: TypeAlias = tuple[float, float]
"""(x, y) in table space."""


class Arrangement(StrEnum):
    """The arrangement of players and boards.

    ABOVE: the boards side by side, the time board beyond them. BETWEEN: the time board between the boards.
    OPPOSITE: the players face each other; too close for mats.
    """

    ABOVE = "above"
    BETWEEN = "between"
    OPPOSITE = "opposite"


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of everything that no move changes.

    Attributes:
        mats: by seat index, the middle of each mat, or of the board's place if there are no mats.
        boards: by seat index, the middle of each board relative to its mat.
        time_board: its middle.
        paper: whether printed mats lie under the boards.
        ring_mm: (n, 2) corners of the tightest line of the circle of patches, clockwise.
        ring_growth_mm: (n, 2) motion of each corner per unit of the circle's size.
        brinks_mm: middles, in y, of strips across the table where patches are laid only as a last resort.
        buttons: by seat index, the middle of the place for button tokens.
        shoulders_mm: by seat index, (x, y) of the origin of the player's arm.
    """

    mats: tuple[Pose, Pose]
    boards: tuple[Pose, Pose]
    time_board: Pose
    paper: bool
    ring_mm: tuple[Spot, ...]
    ring_growth_mm: tuple[Spot, ...]
    brinks_mm: tuple[float, ...]
    buttons: tuple[Pose, Pose]
    shoulders_mm: tuple[tuple[float, float], tuple[float, float]]

    def board_pose(self, seat: int) -> Pose:
        """Return a quilt board's pose in table space."""
        return self.boards[seat - 1].on(self.mats[seat - 1])

    def ring(self, size: float) -> NDArray[np.float64]:
        """Return the corners of the circle's line, (n, 2), clockwise; size 0 is the tightest, with no upper limit."""
        return np.array(self.ring_mm) + size * np.array(self.ring_growth_mm)


def taken(layout: Layout) -> Room:
    """Return the room taken by mats, boards, the time board and the places for buttons; a copy that can be extended."""
    return _taken(layout).copy()


@lru_cache(maxsize=1)  # requested again for each kind of object
def _taken(layout: Layout) -> Room:
    mat = the_mat()
    pages = [rectangle(page, *mat.page_mm) for page in layout.mats if layout.paper]
    boards = zip(layout.boards, layout.mats, strict=True)
    squares = [rectangle(board.on(page), mat.board_size_mm, mat.board_size_mm) for board, page in boards]
    coins = [rectangle(Pose(0, 8).on(pose), *_COINS_MM) for pose in layout.buttons]
    room = Room()
    time_board = rectangle(layout.time_board, TIME_BOARD_MM, TIME_BOARD_MM)
    for thing in (*pages, *squares, *coins, time_board):
        room.put(thing)
    return room


def lay_table(conditions: Conditions, mats: bool, rng: np.random.Generator) -> Layout:
    """Set up a table at random, with inexact places."""
    choices = [Arrangement.ABOVE, Arrangement.BETWEEN] if mats else list(Arrangement)
    chosen = choices[int(rng.integers(len(choices)))]
    return arranged(chosen, conditions, rng, mats=mats)


def arranged(arrangement: Arrangement, conditions: Conditions, rng: np.random.Generator, *, mats: bool) -> Layout:
    """Set up a table in a given arrangement."""
    places = _PLACES[arrangement]
    return Layout(
        mats=(_near(places.mats[0], rng), _near(places.mats[1], rng)),
        boards=(_on_frame(conditions, rng), _on_frame(conditions, rng)),
        time_board=_near(places.time_board, rng),
        paper=mats,
        ring_mm=places.ring_mm,
        ring_growth_mm=places.ring_growth_mm,
        brinks_mm=places.brinks_mm,
        buttons=places.buttons,
        shoulders_mm=places.shoulders_mm,
    )


def _near(pose: Pose, rng: np.random.Generator) -> Pose:
    dx, dy, turn = rng.uniform(-1, 1, 3) * (4.0, 5.0, 2.0)
    return pose.moved(float(dx), float(dy), float(turn))


def _on_frame(conditions: Conditions, rng: np.random.Generator) -> Pose:
    dx, dy = rng.uniform(-1, 1, 2) * conditions.board_offset_mm
    return Pose(float(dx), float(dy), float(rng.uniform(-1, 1) * conditions.board_rotation_deg))


_COINS_MM = (112.0, 60.0)
_FLUSH = (Pose(0, 0), Pose(0, 0))

_PLACES = {
    Arrangement.ABOVE: Layout(
        mats=(Pose(-117, 62), Pose(117, 62)),
        boards=_FLUSH,
        time_board=Pose(0, -268),
        paper=True,
        ring_mm=((0, -137), (-230, -137), (-250, -280), (-210, -395), (210, -395), (250, -280), (230, -137)),
        ring_growth_mm=((0, 0), (-150, 10), (-200, 0), (-150, -40), (150, -40), (200, 0), (150, 10)),
        brinks_mm=(),
        buttons=(Pose(-315, 80), Pose(315, 80)),
        shoulders_mm=((-220, 760), (220, 760)),
    ),
    Arrangement.BETWEEN: Layout(
        mats=(Pose(-312, 18), Pose(312, 18)),
        boards=_FLUSH,
        time_board=Pose(0, -36),
        paper=True,
        ring_mm=(
            (0, 165),
            (-155, 182),
            (-150, 40),
            (-150, -95),
            (-190, -165),
            (-190, -222),
            (0, -200),
            (190, -222),
            (190, -165),
            (150, -95),
            (150, 40),
            (155, 182),
        ),
        ring_growth_mm=(
            (0, 10),
            (0, 10),
            (0, 0),
            (0, 0),
            (-80, -12),
            (-80, -8),
            (0, -8),
            (80, -8),
            (80, -12),
            (0, 0),
            (0, 0),
            (0, 10),
        ),
        brinks_mm=(-333, 281),
        buttons=(Pose(-330, 212), Pose(330, 212)),
        shoulders_mm=((-285, 760), (285, 760)),
    ),
    Arrangement.OPPOSITE: Layout(
        mats=(Pose(-60, 108), Pose(-60, -112, 180)),
        boards=_FLUSH,
        time_board=Pose(268, -10),
        paper=True,
        ring_mm=((268, 130), (125, 130), (112, -10), (125, -150), (268, -150), (420, -150), (425, -10), (420, 130)),
        ring_growth_mm=((40, 70), (-30, 70), (-5, 0), (-30, -70), (40, -70), (90, -70), (90, 0), (90, 70)),
        brinks_mm=(),
        buttons=(Pose(-260, 130), Pose(-260, -120, 180)),
        shoulders_mm=((-30, 760), (-90, -760)),
    ),
}
