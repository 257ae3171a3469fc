"""Search for shapes: each orientation of each polyomino, at every angle, is compared with the maps of pieces and rims.

The score of an orientation ("way") is a sum over its cells (is there a piece?) and over its edges (does a rim run along
its outline, and none between its cells?). It is computed by one matrix product for each angle; the best fits are
examined more closely later.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.maps import MAP_PX, PieceMaps, Progress, ignore_progress

Cells = tuple[tuple[int, int], ...]
"""(row, column) pairs."""

REACH: Final = 5
"""The longest side of a shape, in cells."""
ROWS: Final = range(REACH)
COLUMNS: Final = range(1 - REACH, REACH)
"""Columns that a shape's cells may have, relative to the leftmost cell of its upper row."""


def ways_of(cells: Iterable[tuple[int, int]]) -> tuple[Cells, ...]:
    """Return the distinct orientations ("ways") of a shape under quarter turns and reflections.

    Each starts with the leftmost cell of its upper row, which is (0, 0).
    """
    ways: list[Cells] = []
    turned = list(cells)
    for _ in range(2):
        for _ in range(4):
            turned = [(column, -row) for row, column in turned]
            first = min(turned)
            way = tuple(sorted((row - first[0], column - first[1]) for row, column in turned))
            if way not in ways:
                ways.append(way)
        turned = [(row, -column) for row, column in turned]
    return tuple(ways)


@cache
def outline_of(cells: Cells) -> NDArray[np.float64]:
    """Return the corners (n, 2) of a shape's outline, (x, y) in cells, clockwise with y down.

    A shape without holes has one outline; the patches have no holes.
    """
    inside = set(cells)
    ahead: dict[tuple[int, int], tuple[int, int]] = {}
    for row, column in cells:
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        beyond = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side in range(4):
            if beyond[side] not in inside:
                ahead[corners[side]] = corners[(side + 1) % 4]
    start = min(ahead)
    path = [start, ahead[start]]
    while path[-1] != start:
        path.append(ahead[path[-1]])
    return np.array(_bends(path[:-1]), np.float64)


def _bends(path: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the points of a closed path at which its direction changes."""
    pairs = zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True)
    return [at for before, at, after in pairs if (before[0] - after[0]) and (before[1] - after[1])]


@cache
def edges_of(cells: Cells) -> int:
    """Return the number of a shape's edges; an edge between two of its cells counts once."""
    joined = sum((row, column + 1) in cells for row, column in cells)
    joined += sum((row + 1, column) in cells for row, column in cells)
    return 4 * len(cells) - joined


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """All orientations of several shapes, with the weights for their comparison with the maps.

    Cells are counted in `CELL_SLOTS`, upper edges in `UPPER_SLOTS`, left edges in `LEFT_SLOTS`; `weights` says for each
    slot whether it is a cell of the way (1), an edge of its outline (1) or an edge between two of its cells (-1).

    Attributes:
        cells: each way's cells.
        shapes: number of each way's shape, shape (ways,).
        sizes: number of cells of each, shape (ways,).
        middles: of each, (x, y) from its first cell's middle, shape (ways, 2).
        weights: shape (slots, ways), float32.
    """

    cells: tuple[Cells, ...]
    shapes: NDArray[np.intp]
    sizes: NDArray[np.intp]
    middles: NDArray[np.float64]
    weights: NDArray[np.float32]

    def only(self, shapes: Collection[int]) -> "Ways":
        """Return the ways of some of the shapes, which keep their numbers."""
        kept = np.flatnonzero(np.isin(self.shapes, list(shapes)))
        return Ways(
            tuple(self.cells[way] for way in kept.tolist()),
            self.shapes[kept],
            self.sizes[kept],
            self.middles[kept],
            np.ascontiguousarray(self.weights[:, kept]),
        )


CELL_SLOTS: Final = tuple((row, column) for row in ROWS for column in COLUMNS)
"""Places of a way's cells, (row, column) from its first one."""
UPPER_SLOTS: Final = tuple((row, column) for row in range(REACH + 1) for column in COLUMNS)
"""Cells whose upper edges a way may touch."""
LEFT_SLOTS: Final = tuple((row, column) for row in ROWS for column in range(1 - REACH, REACH + 1))
"""Cells whose left edges a way may touch."""


@cache
def all_ways(shapes: tuple[Cells, ...]) -> Ways:
    """Return every way of every shape, in order."""
    ways = [(number, way) for number, shape in enumerate(shapes) for way in ways_of(shape)]
    weights = np.stack([_weights(way) for _, way in ways], axis=1)
    return Ways(
        tuple(way for _, way in ways),
        np.array([number for number, _ in ways], np.intp),
        np.array([len(way) for _, way in ways], np.intp),
        np.array([np.mean(way, axis=0)[::-1] for _, way in ways], np.float64),
        weights,
    )


def _weights(way: Cells) -> NDArray[np.float32]:
    inside = set(way)
    cells = [float(slot in inside) for slot in CELL_SLOTS]
    upper = [_edge(slot in inside, (slot[0] - 1, slot[1]) in inside) for slot in UPPER_SLOTS]
    left = [_edge(slot in inside, (slot[0], slot[1] - 1) in inside) for slot in LEFT_SLOTS]
    return np.array([*cells, *upper, *left], np.float32)


def _edge(one: bool, other: bool) -> float:
    if one and other:
        return -1.0
    return 1.0 if one or other else 0.0


# Step of the angle; half of it moves the end of a bar of five cells by a twelfth of a cell.
_STEP_DEG: Final = 3.75
# Limit of log-odds, so that one pixel cannot outweigh a whole piece.
_LIMIT: Final = 4.0
EDGE_WEIGHT: Final = 0.5
"""Weight of an edge's log-odds against a cell's."""
# Fits of one shape whose middles are nearer than this, in cells, count as one.
_SAME_CELLS: Final = 0.6
_SAME_SPOT: Final = 0.2
# Number of `_SAME_SPOT` units that exceeds any table's width.
_SPOTS: Final = 1 << 12
# The number of poses kept for each first cell and angle: those furthest above the least score.
_MOST: Final = 12
# The number of fits examined for each shape: a small shape never scores as high as a large one that fits half.
_MOST_OF_SHAPE: Final = 1000


@dataclass(frozen=True, slots=True)
class Demands:
    """The minimum requirements on a fit.

    Attributes:
        quality: of the whole fit.
        cell: log-odds that a piece lies in its first cell.
        rims: summed log-odds of outlines above and to the left of its first cell.
    """

    quality: float
    cell: float
    rims: float


USUAL: Final = Demands(0.25, 0.5, -2.0)
"""The requirements in the first look at a table."""
FAINT: Final = Demands(0.0, -2.0, -4.0)
"""The requirements for pieces that are hardly visible, if few shapes and places are possible."""


@dataclass(frozen=True, slots=True)
class PiecePose:
    """The position, angle and cell size of a way in table space.

    Attributes:
        x: of its first cell's middle, in cells.
        y: of its first cell's middle, in cells.
        angle_deg: clockwise rotation.
        wide: length of a cell along its rows.
        high: length of a cell along its columns.
    """

    x: float
    y: float
    angle_deg: float
    wide: float = 1.0
    high: float = 1.0

    def place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (..., 2) of the way, (x, y) from its first cell's middle in cells, in table space."""
        across, down = cos(radians(self.angle_deg)), sin(radians(self.angle_deg))
        turn = np.array([[across * self.wide, down * self.wide], [-down * self.high, across * self.high]])
        return np.asarray(points @ turn + (self.x, self.y))


@dataclass(frozen=True)  # without slots, because cached properties need a dictionary
class Fit:
    """A candidate shape in a pose.

    Attributes:
        shape: its number.
        way: number of its orientation.
        cells: the way's cells, the first is (0, 0).
        pose: its position, angle and cell size.
        score: higher is better; comparable between shapes.
    """

    shape: int
    way: int
    cells: Cells
    pose: PiecePose
    score: float

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """The cells' middles in table space, shape (n, 2)."""
        return self.pose.place(_columns_and_rows(self.cells))

    @cached_property
    def outline(self) -> NDArray[np.float64]:
        """The corners of its outline in table space, shape (n, 2)."""
        return self.pose.place(outline_of(self.cells) - 0.5)

    @property
    def squares(self) -> list[NDArray[np.float64]]:
        """The corners of each cell in table space, each (4, 2)."""
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        return [self.pose.place(corners + np.array([column, row])) for row, column in self.cells]

    @property
    def quality(self) -> float:
        """The score as a share of the shape's perfect score, at most 1."""
        return self.score / _perfect(self.cells)

    @cached_property
    def centre(self) -> NDArray[np.float64]:
        """The mean of its cells' middles, (x, y) in table space."""
        return np.asarray(self.middles.mean(axis=0))


@cache
def _columns_and_rows(cells: Cells) -> NDArray[np.float64]:
    """Return the cells' middles, (x, y) from the first one's, shape (n, 2)."""
    return np.array([[column, row] for row, column in cells], np.float64)


@cache
def _perfect(cells: Cells) -> float:
    """Return the score of a way in a perfect picture."""
    return _LIMIT * (len(cells) + EDGE_WEIGHT * edges_of(cells))


def clipped(maps: PieceMaps) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the maps of pieces and of rims, clipped to `_LIMIT` in either direction."""
    return (
        np.asarray(np.clip(maps.piece, -_LIMIT, _LIMIT), np.float32),
        np.asarray(np.clip(maps.rim, -_LIMIT, _LIMIT), np.float32),
    )


def find_fits(maps: PieceMaps, ways: Ways, demands: Demands = USUAL, progress: Progress = ignore_progress) -> list[Fit]:
    """Return all fits that meet the requirements, best first; many of them overlap.

    Args:
        maps: the network's maps of the table.
        ways: all orientations of the shapes.
        demands: the minimum requirements.
        progress: called with the share of the angles done, 0..1.
    """
    piece, rim = clipped(maps)
    weights = ways.weights.copy()
    weights[len(CELL_SLOTS) :] *= EDGE_WEIGHT
    least = _floats([demands.quality * _perfect(cells) for cells in ways.cells])
    raw = []
    for angle in np.arange(-45.0, 45.0, _STEP_DEG):
        raw.append(_at_angle(piece, rim, weights, least, demands, angle))
        progress((angle + 45.0 + _STEP_DEG) / 90.0)
    columns = zip(*((each.x, each.y, each.angle_deg, each.way, each.score) for each in raw), strict=True)
    found = _Found(*(np.concatenate(column) for column in columns))
    return [
        Fit(
            int(ways.shapes[found.way[n]]),
            int(found.way[n]),
            ways.cells[found.way[n]],
            PiecePose(float(found.x[n]), float(found.y[n]), float(found.angle_deg[n])),
            float(found.score[n]),
        )
        for n in _distinct(found, ways)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Fits in arrays, each of shape (n,): first cells in table space, angles, numbers of ways, scores."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    angle_deg: NDArray[np.float64]
    way: NDArray[np.intp]
    score: NDArray[np.float32]


def _at_angle(
    piece: NDArray[np.float32],
    rim: NDArray[np.float32],
    weights: NDArray[np.float32],
    least: NDArray[np.float32],
    demands: Demands,
    angle_deg: float,
) -> _Found:
    """Return the fits at one angle; `least` is the least score of each way, shape (ways,)."""
    matrix, size = _levelling(piece.shape, angle_deg)
    level_piece, level_rim = (
        cv2.warpAffine(each, matrix, size, flags=cv2.INTER_LINEAR, borderValue=-_LIMIT) for each in (piece, rim)
    )
    inner = MAP_PX - 1
    cell = _floats(cv2.blur(level_piece, (inner, inner)))
    upper, left = _floats(cv2.blur(level_rim, (inner, 1))), _floats(cv2.blur(level_rim, (1, inner)))
    rows, columns = np.nonzero(_corner(cell, upper, left, demands))
    scores = _slots(cell, upper, left, rows, columns) @ weights
    above = scores - least
    hopeful = np.flatnonzero(above.max(axis=1, initial=0.0) > 0)
    rows, columns, scores, above = rows[hopeful], columns[hopeful], scores[hopeful], above[hopeful]
    best = np.argpartition(-above, min(_MOST, len(least)) - 1, axis=1)[:, :_MOST]
    which, rank = np.nonzero(np.take_along_axis(above, best, axis=1) > 0)
    ways = best[which, rank]
    back = cv2.invertAffineTransform(matrix)
    at = np.stack([columns[which], rows[which]], axis=1) @ back[:, :2].T + back[:, 2]
    x, y = (at.T + 0.5) / MAP_PX
    return _Found(x, y, np.full(len(x), angle_deg), ways, scores[which, ways])


def _floats(values: object) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def _levelling(shape: tuple[int, ...], angle_deg: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Return the affine map that rotates pieces at this angle level, and the size of a picture for the result."""
    height, width = shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0)
    along, across = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (int(np.ceil(width * along + height * across)), int(np.ceil(width * across + height * along)))
    level = np.asarray(matrix, np.float64)
    level[:, 2] += (np.array(size) - (width, height)) / 2
    return level, size


def _corner(
    cell: NDArray[np.float32], upper: NDArray[np.float32], left: NDArray[np.float32], demands: Demands
) -> NDArray[np.bool_]:
    """Return the mask of possible first cells: on a piece, with rims above and to the left."""
    half = MAP_PX // 2
    rims = np.roll(upper, half, axis=0) + np.roll(left, half, axis=1)
    return np.asarray((cell > demands.cell) & (rims > demands.rims))


def _slots(
    cell: NDArray[np.float32],
    upper: NDArray[np.float32],
    left: NDArray[np.float32],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float32]:
    """Return the maps' values in each slot around some first cells, shape (first cells, slots)."""
    half, margin = MAP_PX // 2, 6 * MAP_PX
    parts = []
    shifted = ((cell, CELL_SLOTS, (0, 0)), (upper, UPPER_SLOTS, (-half, 0)), (left, LEFT_SLOTS, (0, -half)))
    for picture, slots, shift in shifted:
        padded = np.pad(picture, margin, constant_values=-_LIMIT)
        width = padded.shape[1]
        offsets = (np.array(slots) * MAP_PX + shift + margin) @ (width, 1)
        parts.append(padded.ravel().take((rows * width + columns)[:, None] + offsets))
    return np.concatenate(parts, axis=1)


def _distinct(found: _Found, ways: Ways) -> list[int]:
    """Return the numbers of the fits, best first, with only the best of each shape in nearly the same place."""
    angle = np.radians(found.angle_deg)
    offset = ways.middles[found.way]
    x = found.x + offset[:, 0] * np.cos(angle) - offset[:, 1] * np.sin(angle)
    y = found.y + offset[:, 0] * np.sin(angle) + offset[:, 1] * np.cos(angle)
    order = _candidates(found, ways, x, y)
    shapes = ways.shapes[found.way[order]]
    of_shape = [np.flatnonzero(shapes == shape) for shape in np.unique(shapes)]
    kept = [ranks[_spaced(x[order[ranks]], y[order[ranks]])] for ranks in of_shape]
    return order[np.sort(np.concatenate(kept))].tolist() if kept else []


def _spaced(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[int]:
    """Return the numbers of middles, given best first, without those near a better one."""
    kept: list[int] = []
    left = np.arange(len(x))
    while len(left):
        kept.append(int(left[0]))
        left = left[np.hypot(x[left] - x[left[0]], y[left] - y[left[0]]) >= _SAME_CELLS]
    return kept


def _candidates(found: _Found, ways: Ways, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the numbers of the fits worth a closer look, best first.

    They are the best `_MOST_OF_SHAPE` of each shape, with one for each spot of `_SAME_SPOT`.
    """
    order = _best_first(found.score)
    shapes = ways.shapes[found.way[order]]
    columns, rows = ((each[order] // _SAME_SPOT).astype(np.int64) % _SPOTS for each in (x, y))
    first = _firsts((shapes * _SPOTS + columns) * _SPOTS + rows)
    order, shapes = order[first], shapes[first]
    kept = [np.flatnonzero(shapes == shape)[:_MOST_OF_SHAPE] for shape in np.unique(shapes)]
    return np.asarray(order[np.sort(np.concatenate(kept))] if kept else order, np.intp)


def _best_first(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the order of scores above 0, best first; equal ones keep their order."""
    # There are a million: sorting integers, with each one's index in the lower half, takes a fraction of the time
    # of a stable `argsort`. Positive floats sort like their bits.
    bits = np.asarray(scores, np.float32).view(np.int32).astype(np.int64)
    numbered = (-bits << 32) + np.arange(len(bits))
    numbered.sort()
    return np.asarray(numbered & 0xFFFFFFFF, np.int64)


def _firsts(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of the first occurrence of each integer, 0..2 ** 31, in order; sorted as in `_best_first`."""
    numbered = (keys << 32) + np.arange(len(keys))
    numbered.sort()
    sorted_keys = numbered >> 32
    is_first = np.append(True, sorted_keys[1:] != sorted_keys[:-1])[: len(keys)]
    return np.sort(numbered[is_first] & 0xFFFFFFFF)
