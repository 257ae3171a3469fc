"""Patches on a board as laid by hand: rotated to fit, a little off, and pushed against their neighbours.

Board space: millimetres, origin in the middle of the board, x to the right, y down as the board's owner of cell A1 at
the top left sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from companion.games.patchwork import SIDE, Decision, PlaceLeather, TakePatch
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.images import Mask, bytes_of
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import CELL_MM, shape_mask, shape_of
from hardware.simulated.leather import LEATHER

Cell = tuple[int, int]

_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
_RASTER_PX_PER_MM = 2.0
# Side of the raster: 280 mm, a board with pieces that extend over its edge.
_RASTER_PX = 560
# Overlap in raster pixels below which patches merely touch.
_TOUCH_PX = 8


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on a quilt board.

    Attributes:
        name: a patch's id, or `LEATHER`.
        flipped: whether it lies face down.
        pose: in board space.
        layer: number of pieces below it.
    """

    name: str
    flipped: bool
    pose: Pose
    layer: int = 0

    def cells(self) -> tuple[Cell, ...]:
        """Return the (row, column) cells nearest to its parts; some may be off the board."""
        shape = piece_shape(self.name, self.flipped)
        high, wide = _extent(shape)
        middles = np.array([[(c + 0.5 - wide / 2) * CELL_MM, (r + 0.5 - high / 2) * CELL_MM] for r, c in shape])
        placed = np.floor(self.pose.place(middles) / CELL_MM + SIDE / 2).astype(int)
        return tuple((int(row), int(column)) for column, row in placed)

    def straight(self) -> Lying:
        """Return the same piece aligned exactly to those cells."""
        rows, columns = zip(*self.cells(), strict=True)
        middle = [((min(each) + max(each) + 1 - SIDE) / 2 * CELL_MM) for each in (columns, rows)]
        return replace(self, pose=Pose(middle[0], middle[1], round(self.pose.angle_deg / 90) * 90.0))


def piece_shape(name: str, flipped: bool) -> tuple[Cell, ...]:
    """Return the cells of a patch, or of a leather patch."""
    return ((0, 0),) if name == LEATHER else shape_of(name, flipped)


@cache
def turned_to(name: str, cells: tuple[Cell, ...]) -> tuple[bool, int]:
    """Return the flip and the clockwise quarter turns with which a piece covers the cells.

    Raises:
        ValueError: the cells do not have the piece's shape.
    """
    wanted = _cornered(cells)
    for flipped in (False, True):
        shape = _cornered(piece_shape(name, flipped))
        for quarters in range(4):
            if shape == wanted:
                return flipped, quarters
            shape = _cornered((column, -row) for row, column in shape)
    raise ValueError(f"{name} does not have the shape of {cells}")


class Layer:
    """A player who lays pieces on one board with the accuracy of the conditions.

    Args:
        conditions: offsets, rotations and creep.
        rng: source of inaccuracies.
    """

    def __init__(self, conditions: Conditions, rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._rng = rng
        # The direction of a full row's slack is the same for the whole evening: players push one way.
        self._lean = rng.uniform(-0.5, 0.5, 2) * conditions.creep_mm

    def under(self, conditions: Conditions) -> None:
        """Use the accuracy of these conditions from now on; the slack of full rows is unchanged."""
        self._conditions = conditions

    def lay(self, name: str, cells: Iterable[Cell], lying: Sequence[Lying], unsteady: float = 1.0) -> Lying:
        """Return a piece laid on the cells, against those already there.

        Args:
            name: a patch's id, or `LEATHER`.
            cells: (row, column); may extend over the edge.
            lying: the pieces on the board.
            unsteady: factor on the conditions' offset and rotation.

        Raises:
            ValueError: the cells do not have the piece's shape.
        """
        wanted = tuple(sorted(cells))
        flipped, quarters = turned_to(name, wanted)
        ideal = self._ideal(wanted).moved(turn_deg=90.0 * quarters)
        offsets = self._rng.normal(0, self._conditions.offset_mm * unsteady, 2)
        limit_mm = CELL_MM / 3
        dx, dy = np.clip(offsets, -limit_mm, limit_mm)
        turn = float(np.clip(self._rng.normal(0, self._conditions.rotation_deg * unsteady), -3, 3))
        others = _raster(lying)
        pose = _pushed(name, flipped, ideal, (float(dx), float(dy), turn), others)
        covered = _overlap(Lying(name, flipped, pose), others)
        # An eighth of a cell: less is a rim on a rim.
        below = max((piece.layer for piece in lying if covered > 200 and _meet(piece, wanted)), default=-1)
        return Lying(name, flipped, pose, below + 1)

    def _ideal(self, cells: tuple[Cell, ...]) -> Pose:
        rows, columns = [row for row, _ in cells], [column for _, column in cells]
        pitch = CELL_MM + self._conditions.creep_mm / SIDE
        x_mm = ((min(columns) + max(columns) + 1) / 2 - SIDE / 2) * pitch + self._lean[0] * 0.5
        y_mm = ((min(rows) + max(rows) + 1) / 2 - SIDE / 2) * pitch + self._lean[1] * 0.5
        return Pose(float(x_mm), float(y_mm))


def nudged(piece: Lying, others: Sequence[Lying], by_mm: float, rng: np.random.Generator) -> Pose:
    """Return the pose of a brushed piece, moved `by_mm` in the direction of the least overlap."""
    lain = _raster(others)
    poses = []
    for angle in rng.uniform(0, 2 * np.pi) + np.linspace(0, 2 * np.pi, 12, endpoint=False):
        turn = float(rng.normal(0, 0.4))
        pose = piece.pose.moved(float(by_mm * np.cos(angle)), float(by_mm * np.sin(angle)), turn)
        poses.append((_overlap(Lying(piece.name, piece.flipped, pose), lain), pose))
    return min(poses, key=lambda pair: pair[0])[1]


def pushed_aside(piece: Lying, laid: Lying, others: Sequence[Lying], by_mm: float) -> Pose:
    """Return the pose of a piece pushed away by another one laid against it, as far as there is room."""
    away = np.array([piece.pose.x_mm - laid.pose.x_mm, piece.pose.y_mm - laid.pose.y_mm])
    away /= max(float(np.linalg.norm(away)), 1e-6)
    lain = _raster([laid, *others])
    pressed = _overlap(piece, lain)
    for part in (1.0, 0.6, 0.3):
        pose = piece.pose.moved(float(part * by_mm * away[0]), float(part * by_mm * away[1]))
        if _overlap(Lying(piece.name, piece.flipped, pose), lain) <= max(_TOUCH_PX, pressed):
            return pose
    return piece.pose


def touch(one: Lying, other: Lying) -> bool:
    """Return whether two pieces are adjacent."""
    beside = {(row + down, column + right) for row, column in one.cells() for down, right in _SIDES}
    return bool(beside & set(other.cells()))


def _pushed(name: str, flipped: bool, ideal: Pose, slip: tuple[float, float, float], others: Mask) -> Pose:
    """Return the pose nearest to the intended one that does not overlap the neighbours.

    A piece intended to overlap is unchanged.
    """
    best, least = ideal, None
    for pose in _tries(ideal, slip):
        overlap = _overlap(Lying(name, flipped, pose), others)
        if overlap <= _TOUCH_PX:
            return pose
        if least is None or overlap < least:
            best, least = pose, overlap
    return best


def _tries(ideal: Pose, slip: tuple[float, float, float]) -> Iterable[Pose]:
    dx, dy, turn = slip
    for part in (1.0, 0.7, 0.4, 0.2):
        yield ideal.moved(dx * part, dy * part, turn * part)
    # Even without an offset it would overlap: other places nearby, nearest first.
    for far_mm in (0.0, 0.5, 1.0, 1.6, 2.5, 4.0, 5.5):
        for east, south in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            yield ideal.moved(east * far_mm, south * far_mm)


def _raster(pieces: Sequence[Lying]) -> Mask:
    picture = np.zeros((_RASTER_PX, _RASTER_PX), np.uint8)
    for piece in pieces:
        window, mask = _drawn(piece)
        picture[window] = np.maximum(picture[window], mask)
    return picture


def _overlap(piece: Lying, others: Mask) -> int:
    """Return the number of pixels that a piece shares with others."""
    window, mask = _drawn(piece)
    return int((np.minimum(mask, others[window]) > 127).sum())


def _drawn(piece: Lying) -> tuple[tuple[slice, slice], Mask]:
    """Return the part of the raster that contains a piece, and the piece's mask there."""
    mask = _piece_mask(piece.name, piece.flipped)
    height, width = mask.shape
    scale = 1 / _RASTER_PX_PER_MM
    to_mm = np.array([[scale, 0, -(width - 1) / 2 * scale], [0, scale, -(height - 1) / 2 * scale], [0, 0, 1]])
    middle = _RASTER_PX / 2
    to_px = np.array([[_RASTER_PX_PER_MM, 0, middle], [0, _RASTER_PX_PER_MM, middle], [0, 0, 1]])
    transform = (to_px @ piece.pose.matrix @ to_mm)[:2]
    corners = transform @ np.array([[-1, width, width, -1], [-1, -1, height, height], [1, 1, 1, 1]])
    left, top = np.clip(np.floor(corners.min(axis=1)), 0, _RASTER_PX).astype(int).tolist()
    right, bottom = np.clip(np.ceil(corners.max(axis=1)) + 1, (left, top), _RASTER_PX).astype(int).tolist()
    window = slice(top, bottom), slice(left, right)
    if right == left or bottom == top:
        return window, np.zeros((bottom - top, right - left), np.uint8)
    transform[:, 2] -= (left, top)
    return window, bytes_of(cv2.warpAffine(mask, transform, (right - left, bottom - top)))


@cache
def _piece_mask(name: str, flipped: bool) -> Mask:
    return shape_mask(piece_shape(name, flipped), _RASTER_PX_PER_MM)


def _meet(piece: Lying, cells: tuple[Cell, ...]) -> bool:
    return bool(set(piece.cells()) & set(cells))


def _extent(cells: Iterable[Cell]) -> tuple[int, int]:
    pairs = list(cells)
    return 1 + max(row for row, _ in pairs), 1 + max(column for _, column in pairs)


def _cornered(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    pairs = list(cells)
    top, left = min(row for row, _ in pairs), min(column for _, column in pairs)
    return tuple(sorted((row - top, column - left) for row, column in pairs))


def placements_of(decisions: Sequence[Decision]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return, for each seat, the pieces that decisions put on the quilts, and the masks that they cover."""
    laid: tuple[list[tuple[str, int]], list[tuple[str, int]]] = ([], [])
    for decision in decisions:
        if isinstance(decision, TakePatch | PlaceLeather):
            name = decision.patch if isinstance(decision, TakePatch) else LEATHER
            laid[decision.seat - 1].append((name, decision.cells))
    return laid
