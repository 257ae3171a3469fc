"""The poses of pieces on a quilt board, and the hands, tokens and coins beside it.

Board space: millimetres, origin in the middle of the board, x to the right, y down as the board's owner of cell A1 at
the top left sees it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

import cv2
import numpy as np

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import quarter_turned
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from hardware.simulated.conditions import LEATHER, Conditions
from hardware.simulated.drawing import Mask, Pose, bytes_of
from hardware.simulated.drawing.sprites import CELL_MM, extent, shape_mask, shape_of

BOX: Final[Mapping[int, int]] = MappingProxyType({20: 1, 10: 5, 5: 12, 1: 32})
"""The number of tokens of each value (rulebook, components)."""
# Number of tokens of 1 from which five of them are changed.
_MANY_ONES: Final = 8


@dataclass(frozen=True, slots=True)
class Coin:
    """A button token.

    Attributes:
        value: in buttons.
        spot: index of the player's place that it lies on; tokens on one spot are a stack, the first one lowest.
    """

    value: int
    spot: int


Purse: TypeAlias = tuple[Coin, ...]
"""The tokens of a player."""


def worth(purse: Purse) -> int:
    """Return the total value of tokens."""
    return sum(coin.value for coin in purse)


def purse_of(buttons: int, *, stacks: bool = False) -> Purse:
    """Return a number of buttons in the fewest tokens, side by side or in a stack of each value."""
    return _with((), _in_tokens(buttons, Counter(BOX)), stacks=stacks)


def first_purse(buttons: int) -> Purse:
    """Return a player's initial buttons, in tokens of 1."""
    return _with((), [1] * buttons, stacks=False)


def settled(purse: Purse, other: Purse, due: int, *, stacks: bool = False) -> Purse:
    """Return a player's tokens after paying or taking the difference to `due` buttons.

    Args:
        purse: the player's tokens before.
        other: the other player's tokens; the bank has the rest.
        due: the buttons to have afterwards, at least 0.
        stacks: whether the player stacks tokens of one value.
    """
    surplus = worth(purse) - due
    kept = purse
    if surplus > 0:
        given = _given(purse, surplus)
        kept = tuple(coin for index, coin in enumerate(purse) if index not in given)
    bank = Counter(BOX) - Counter(coin.value for coin in (*kept, *other))
    kept = _with(kept, _in_tokens(due - worth(kept), bank), stacks=stacks)
    return _changed(kept, bank, stacks=stacks)


def _changed(purse: Purse, bank: Counter[int], *, stacks: bool) -> Purse:
    """Return the tokens with five of 1 changed for one of 5, if there are many, and the bank has one."""
    ones = [index for index, coin in enumerate(purse) if coin.value == 1]
    if len(ones) < _MANY_ONES or bank[5] < 1:
        return purse
    return _with(tuple(coin for index, coin in enumerate(purse) if index not in ones[-5:]), [5], stacks=stacks)


def _given(purse: Purse, price: int) -> frozenset[int]:
    """Return the tokens to pay for a price: the exact sum if possible, else the smallest sum above it.

    Upper tokens of a stack go first, and small ones before large ones.
    """
    reached: dict[int, frozenset[int]] = {0: frozenset()}
    for index in sorted(range(len(purse)), key=lambda each: (purse[each].value, -each)):
        # A copy, so that no token is used twice.
        for total, used in list(reached.items()):
            reached.setdefault(total + purse[index].value, used | {index})
    return reached[min(total for total in reached if total >= price)]


def _in_tokens(buttons: int, bank: Counter[int]) -> list[int]:
    """Return the values of tokens for a number of buttons, largest first; other objects replace missing small ones."""
    values: list[int] = []
    for value in sorted(BOX, reverse=True):
        count = min(buttons // value, bank[value]) if value > 1 else buttons
        values += [value] * count
        buttons -= value * count
    return values


def _with(purse: Purse, values: Sequence[int], *, stacks: bool) -> Purse:
    """Return the tokens with others added: on a stack of their value, or on the first free spot."""
    for value in values:
        same = [coin.spot for coin in purse if coin.value == value]
        used = {coin.spot for coin in purse}
        free = next(spot for spot in range(len(used) + 1) if spot not in used)
        purse = (*purse, Coin(value, same[0] if stacks and same else free))
    return purse


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
        high, wide = extent(shape)
        middles = np.array([[(c + 0.5 - wide / 2) * CELL_MM, (r + 0.5 - high / 2) * CELL_MM] for r, c in shape])
        placed = np.floor(self.pose.place(middles) / CELL_MM + SIDE / 2).astype(int)
        return tuple((int(row), int(column)) for column, row in placed)

    def straight(self) -> "Lying":
        """Return the same piece aligned exactly to those cells."""
        rows, columns = zip(*self.cells(), strict=True)
        middle = [((min(each) + max(each) + 1 - SIDE) / 2 * CELL_MM) for each in (columns, rows)]
        return replace(self, pose=Pose(middle[0], middle[1], round(self.pose.angle_deg / 90) * 90.0))


def piece_shape(name: str, flipped: bool) -> tuple[Cell, ...]:
    """Return the cells of a patch, or of a leather patch."""
    return ((0, 0),) if name == LEATHER else shape_of(name, flipped)


def cells_at(pose: Pose) -> tuple[float, float]:
    """Return where a pose is on its board, x and y in cells from the board's upper left corner."""
    return pose.x_mm / CELL_MM + SIDE / 2, pose.y_mm / CELL_MM + SIDE / 2


def mm_at(x_cells: float, y_cells: float) -> tuple[float, float]:
    """Return a point of a board, given as `cells_at` does, as x and y in mm from the board's middle."""
    return (x_cells - SIDE / 2) * CELL_MM, (y_cells - SIDE / 2) * CELL_MM


@cache
def turned_to(name: str, cells: tuple[Cell, ...]) -> tuple[bool, int]:
    """Return the flip and the clockwise quarter turns with which a piece covers the cells.

    Raises:
        ValueError: the cells do not have the piece's shape.
    """
    wanted = quarter_turned(cells, 0)
    for flipped in (False, True):
        for quarters in range(4):
            if quarter_turned(piece_shape(name, flipped), quarters) == wanted:
                return flipped, quarters
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


def placements_of(decisions: Sequence[Decision]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return, for each seat, the pieces that decisions put on the quilts, and the masks that they cover."""
    laid: tuple[list[tuple[str, int]], list[tuple[str, int]]] = ([], [])
    for decision in decisions:
        if isinstance(decision, TakePatch | PlaceLeather):
            name = decision.patch if isinstance(decision, TakePatch) else LEATHER
            laid[decision.seat - 1].append((name, decision.cells))
    return laid


CARRY_MM: Final = 14.0
"""Height of a carried piece's underside above the table."""
HAND_MM: Final = 22.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table, placed by its fingertips in table space.

    Attributes:
        seat: seat of the player.
        x_mm: x of the fingertips.
        y_mm: y of the fingertips.
        carrying: the piece held below it, if any.
    """

    seat: int
    x_mm: float
    y_mm: float
    carrying: Lying | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """The state of the game as shown by the open pieces beside the quilts.

    Attributes:
        purses: by seat index, the button tokens in front of each player.
        times: by seat index, the space of each time token.
        leather_out: marks with a leather patch on the time board.
        first: the patch at which the neutral token stands; None when the circle is empty.
        bonus: the seat with the 7x7 tile; None while it lies by the time board.
    """

    purses: tuple[Purse, Purse] = field(default_factory=lambda: (first_purse(5), first_purse(5)))
    times: tuple[int, int] = (0, 0)
    leather_out: tuple[int, ...] = ()
    first: str | None = None
    bonus: int | None = None

    @property
    def buttons(self) -> tuple[int, int]:
        """The value of the tokens of each player, by seat index."""
        return worth(self.purses[0]), worth(self.purses[1])
