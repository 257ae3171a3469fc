"""The places of mats, boards and the circle, and the elbow that disturbs the circle in mid-game.

All poses are in table space (millimetres, x to the right, y towards the near edge); a board's is relative to its mat.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Mask, Points, Pose
from hardware.simulated.drawing.footprint import Room, outline_mm, patch_footprint, patch_squares, rectangle
from hardware.simulated.drawing.painter import silhouette
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.sprites import BOARD_MM, Item, shape_of
from hardware.simulated.prints.boards import TIME_BOARD_MM
from hardware.simulated.prints.dress import sprite_of, the_mat

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
    return replace(
        places,
        mats=(_near(places.mats[0], rng), _near(places.mats[1], rng)),
        boards=(_on_frame(conditions, rng), _on_frame(conditions, rng)),
        time_board=_near(places.time_board, rng),
        paper=mats,
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


HIDDEN: Final = 0.01
"""Hidden share below which a patch counts as uncovered: a token's side may extend over its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class CirclePiece:
    """A patch in the circle.

    Attributes:
        name: its ID.
        outline_px: (n, 2) corners of its upper face in the frame, in order; possibly outside of it.
        in_frame: whether the whole outline is in the frame.
        uncovered: whether no part of it is hidden.
    """

    name: str
    outline_px: Points
    in_frame: bool
    uncovered: bool

    @property
    def whole(self) -> bool:
        """True if all of it is visible."""
        return self.in_frame and self.uncovered


def seen_pieces(places: Mapping[str, Pose], above: Sequence[Item], camera: Pinhole) -> tuple[CirclePiece, ...]:
    """Return the visibility of patches on the table.

    Args:
        places: of the patches by name, in table space.
        above: items that may hide them.
        camera: the camera.
    """
    masks = [silhouette(camera, sprite_of(item), item.pose, item.z_mm) for item in above]
    hidden = np.maximum.reduce(masks) if masks else None
    return tuple(_seen(name, pose, hidden, camera) for name, pose in places.items())


def middle_px(name: str, pose: Pose, camera: Pinhole) -> tuple[float, float]:
    """Return the middle of a patch's bounding box in the frame, (x, y); possibly outside of the frame."""
    corners_px = camera.to_frame(_corners_px(name, pose, camera))
    x, y = (corners_px.min(axis=0) + corners_px.max(axis=0)) / 2
    return float(x), float(y)


def _corners_px(name: str, pose: Pose, camera: Pinhole) -> Points:
    """Return the corners of a patch's upper face on the camera's canvas, (n, 2)."""
    return camera.project(pose.place(outline_mm(shape_of(name, flipped=False))), BOARD_MM)


def _seen(name: str, pose: Pose, hidden: Mask | None, camera: Pinhole) -> CirclePiece:
    canvas_px = _corners_px(name, pose, camera)
    outline_px = camera.to_frame(canvas_px)
    inside = (outline_px >= 0).all() and (outline_px <= np.asarray(camera.size_px) - 1).all()
    return CirclePiece(name, outline_px, bool(inside), hidden is None or _hidden_part(canvas_px, hidden) < HIDDEN)


def _hidden_part(outline_px: Points, hidden: Mask) -> float:
    shape = np.zeros_like(hidden)
    cv2.fillPoly(shape, [outline_px.round().astype(np.int32)], (255,))
    area = int(cv2.countNonZero(shape))
    return cv2.countNonZero(cv2.bitwise_and(shape, hidden)) / area if area else 0.0


# The number of patches that an elbow pushes.
_NEAR: Final = 4
_BY_MM: Final = (14.0, 40.0)
_TURN_DEG: Final = 20.0
# Probability that two neighbours are put back in each other's place.
_SWAPPED: Final = 0.5
_OFF_MM: Final = 2.0
_TRIES: Final = 16


def pushed(lying: Mapping[str, Pose], layout: Layout, rng: np.random.Generator) -> dict[str, Pose]:
    """Return the new places of the pushed patches.

    Args:
        lying: the patches in the circle, clockwise, by name.
        layout: the other objects on the table.
        rng: source of the patches and their motion.
    """
    if len(lying) < _NEAR:
        return {}
    names = list(lying)
    for _ in range(_TRIES):
        first = int(rng.integers(len(names)))
        met = [names[(first + step) % len(names)] for step in range(_NEAR)]
        moved = _moved(met, lying, layout, rng)
        if moved is not None:
            return moved
    return {}


def _moved(
    met: list[str], lying: Mapping[str, Pose], layout: Layout, rng: np.random.Generator
) -> dict[str, Pose] | None:
    """Return the new places of the pushed patches, or None if there is no room for one of them."""
    room = taken(layout)
    for name, pose in lying.items():
        if name not in met:
            room.put(patch_footprint(name, pose))
    away, moved = float(rng.uniform(0, 2 * math.pi)), {}
    for name, place in zip(met, _mixed(met, lying, rng), strict=True):
        found = _found(name, place, away, room, rng)
        if found is None:
            return None
        moved[name] = found
        room.put(patch_footprint(name, found))
    return moved


def _mixed(met: list[str], lying: Mapping[str, Pose], rng: np.random.Generator) -> list[Pose]:
    """Return the places of the patches, with two neighbours' possibly swapped."""
    order = list(met)
    if rng.random() < _SWAPPED:
        at = int(rng.integers(len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
    return [lying[name] for name in order]


def _found(name: str, place: Pose, away: float, room: Room, rng: np.random.Generator) -> Pose | None:
    """Return a new pose of a patch near a place, or None if there is no room."""
    for _ in range(_TRIES):
        angle, by_mm = away + float(rng.normal(0, 0.7)), float(rng.uniform(*_BY_MM))
        x_mm, y_mm = place.x_mm + by_mm * math.cos(angle), place.y_mm + by_mm * math.sin(angle)
        pose = Pose(x_mm, y_mm, place.angle_deg + float(rng.normal(0, _TURN_DEG)))
        squares = patch_squares(name, np.array([[pose.x_mm, pose.y_mm, pose.angle_deg]]))
        if float(room.at_squares_mm(squares)[0]) >= _OFF_MM:
            return pose
    return None
