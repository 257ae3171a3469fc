"""The look of a quilt, as seen and as expected, on a lattice of small windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX, cell_window

SQUARES: Final = VIEW_PX // (CELL_PX // 2)
"""Squares along a view's side, of half a cell each: a single leather patch fills four."""
# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK_THUMBNAIL: Final = 8.0
# Log-ratio beyond which a square has changed, after a global change of light is removed. It errs towards changed:
# another look costs a moment, while a missed patch would keep the players waiting.
_CHANGED: Final = 0.06
# Log-ratio beyond which a square is covered by something else.
_COVERED: Final = 0.2
# Log-ratio beyond which a square of a quilt shows that something was laid, taken or pushed: twice the effect of a
# camera's noise and the neighbours' shadows at rest, and half the effect of a pale patch on an empty square.
_LAID: Final = 0.15
# The number of squares that may exceed it although nothing was moved: glare wanders.
_GLARES: Final = 1
# Squares from a view's edge to the quilt.
_MARGIN: Final = round(MARGIN_CELLS * 2)
# Squares from a view's edge inwards that no patch on the quilt reaches, even one that overhangs by a third.
_BAND: Final = 2


def thumbnail(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the log of the mean brightness of each square of a view, for each colour.

    Args:
        view: a quilt from straight above, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    Returns:
        Shape (SQUARES, SQUARES, 3), float32.
    """
    small = cv2.resize(view, (SQUARES, SQUARES), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(np.log(small + _DARK_THUMBNAIL), np.float32)


def is_alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether two coarse pictures, shape (SQUARES, SQUARES, 3), are equal apart from the light."""
    ratio = one - other
    return float(np.abs(ratio - np.median(ratio, axis=(0, 1))).max()) <= _CHANGED


def is_untouched(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether nothing was laid, taken or pushed on a quilt between two coarse pictures, (SQUARES, SQUARES, 3).

    It tolerates noise, and changes around the quilt, which `is_alike` does not.
    """
    return int(np.count_nonzero(changed_squares(one, other))) <= _GLARES


def changed_squares(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the changed squares of a quilt, apart from a global change of the light.

    Args:
        one: a coarse picture, shape (SQUARES, SQUARES, 3).
        other: another of the same quilt.

    Returns:
        Shape (18, 18), bool: two squares by two for each cell.
    """
    quilt = (one - other)[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
    return np.asarray((np.abs(quilt - np.median(quilt, axis=(0, 1))) > _LAID).any(axis=2))


def covered_around(one: NDArray[np.float32], other: NDArray[np.float32]) -> int:
    """Return the number of squares around the quilt that are covered by something that reaches over to it; 0 for none.

    Arms come from outside: an arm that reaches over a quilt, or holds a patch above it, covers some squares from the
    edge of the view to the quilt. An object put down beside a board, or removed from there, does not reach the quilt.

    Args:
        one: a coarse picture, shape (SQUARES, SQUARES, 3).
        other: another of the same quilt.
    """
    ratio = one - other
    return reaching((np.abs(ratio - np.median(ratio[_band()], axis=0)) > _COVERED).any(axis=2))


def reaching(covered: NDArray[np.bool_]) -> int:
    """Return the number of covered squares around the quilt, shape (SQUARES, SQUARES), that reach over to it."""
    band = _band()
    covered = covered.copy()
    covered[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = False
    count, parts = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    return max((_within(parts == part, band) for part in range(1, count) if (parts == part)[~band].any()), default=0)


def _band() -> NDArray[np.bool_]:
    """Return the mask of the squares along a view's edge, shape (SQUARES, SQUARES)."""
    band = np.ones((SQUARES, SQUARES), np.bool_)
    band[_BAND:-_BAND, _BAND:-_BAND] = False
    return band


def _within(part: NDArray[np.bool_], band: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(part & band))


# Added to each channel before the logarithm: below it is sensor noise.
_DARK: Final = 6.0
# The logarithm of each grey level.
_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)
# Edge of the box whose mean is subtracted: about half a cell, which removes light and preserves a print.
_SURROUNDINGS_PX: Final = 15
# Limit of a single edge's contribution, as a log-ratio.
_STEEPEST: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view with the derived images that comparisons need.

    Attributes:
        view: the rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        log: its logarithm, slightly blurred against noise, same shape, float32.
        luminance: mean of the three channels of `log`, shape (VIEW_PX, VIEW_PX), float32.
        detail: luminance less the mean of its surroundings, same shape.
        structure: detail, clipped so that no single edge dominates, same shape.
    """

    view: NDArray[np.uint8]
    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    detail: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Prepare a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, for comparison."""
    log = np.asarray(cv2.LUT(cv2.GaussianBlur(view, (3, 3), 0.8), _LOGARITHMS), np.float32)
    luminance = np.asarray(cv2.transform(log, _MEAN), np.float32)
    detail = luminance - cv2.blur(luminance, (_SURROUNDINGS_PX, _SURROUNDINGS_PX))
    return Look(view, log, luminance, detail, np.clip(detail, -_STEEPEST, _STEEPEST))


_Number = TypeVar("_Number", bound=np.generic)

RING: Final = SIDE + 2
"""Cells a side of the lattice of evidence: the grid and one ring around it."""

WINDOW_PX: Final = 8
"""Edge of a window: a quarter of a cell, so that a patch laid a quarter of a cell beside the grid covers whole ones."""
PER_CELL: Final = CELL_PX // WINDOW_PX
"""Windows along a cell's edge."""
WINDOWS: Final = VIEW_PX // WINDOW_PX
"""Windows along a view's edge."""

_FIRST: Final = round(MARGIN_CELLS * PER_CELL)
_GRID: Final = slice(_FIRST, _FIRST + SIDE * PER_CELL)


def own_windows(values: NDArray[_Number]) -> NDArray[_Number]:
    """Return the windows of the quilt itself, without those around it, shape (SIDE * PER_CELL, SIDE * PER_CELL)."""
    return values[_GRID, _GRID]


def by_cell(values: NDArray[_Number], down: int = 0, right: int = 0) -> NDArray[_Number]:
    """Return the windows of each cell of the lattice, shape (PER_CELL, PER_CELL, RING, RING).

    Args:
        values: one a window, shape (WINDOWS, WINDOWS).
        down: shift of the lattice downwards, in windows, -2..2.
        right: shift of the lattice to the right, in windows, -2..2.
    """
    top, left = _FIRST - PER_CELL + down, _FIRST - PER_CELL + right
    part = values[top : top + RING * PER_CELL, left : left + RING * PER_CELL]
    return part.reshape(RING, PER_CELL, RING, PER_CELL).transpose(1, 3, 0, 2)


Windows: TypeAlias = Mapping[tuple[int, int], NDArray[np.uint8]]
"""Parts of a view by cell of the lattice (row, column from 0), shape (CELL_PX, CELL_PX, 3), uint8; never written to."""


@dataclass(frozen=True, slots=True, eq=False)
class QuiltMemory:
    """The expected appearance of one quilt: its empty board, and every patch when it was laid.

    Neither is refreshed by later views: that would mix the light of other moments into it cell by cell, and each
    registration would depend on the one before. Memories are values that share what they have in common, so that one
    can be stored for each decision.

    Attributes:
        empty: view of the empty board, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        laid: each patch's cells when it was laid.
        crept: cells of patches that have crept since, as they look now.
        believed: bare cells as players insisted on them.
        surroundings: the ring around the grid where the board lies now; empty while it lies where it was seen empty.
    """

    empty: NDArray[np.uint8]
    laid: Windows = field(default_factory=dict)
    crept: Windows = field(default_factory=dict)
    believed: Windows = field(default_factory=dict)
    surroundings: Windows = field(default_factory=dict)

    def expected(self, covered: NDArray[np.bool_]) -> Look:
        """Return the look to compare with; a patch that was never seen looks as the board does below it.

        Args:
            covered: shape (RING, RING), bool: cells that a patch covers; false in the ring around the grid.
        """
        return look_at(self._painted(_only({**self.laid, **self.crept}, covered)))

    def otherwise(self, covered: NDArray[np.bool_]) -> Look:
        """Return the alternative look: bare cells as players insisted on them, patches as they were first laid."""
        return look_at(self._painted({**_only(self.believed, ~covered), **_only(self.laid, covered)}))

    def differs(self, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the cells, shape (RING, RING), whose look differs between `otherwise` and `expected`."""
        return np.where(covered, _lattice(self.crept), _lattice(self.believed))

    def unseen(self, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the covered cells, shape (RING, RING), whose patch was never seen to lie there."""
        return covered & ~_lattice(self.laid)

    def lay(self, view: NDArray[np.uint8], covered: NDArray[np.bool_]) -> QuiltMemory:
        """Return the memory with the look of the patches laid since, and without removed ones.

        Args:
            view: the current view, registered like the empty one.
            covered: shape (RING, RING), bool: the cells that patches cover now.
        """
        fresh = self.unseen(covered)
        laid = {**_only(self.laid, covered), **_cut(view, fresh)}
        return replace(self, laid=laid, crept=_only(self.crept, covered & ~fresh))

    def follow(self, view: NDArray[np.uint8], crept: NDArray[np.bool_]) -> QuiltMemory:
        """Return the memory with the look of cells whose patch has crept, shape (RING, RING), bool."""
        return replace(self, crept={**self.crept, **_cut(view, crept & _lattice(self.laid))})

    def believe(self, view: NDArray[np.uint8], cells: NDArray[np.bool_]) -> QuiltMemory:
        """Return the memory with the current look of cells, shape (RING, RING), bool, accepted as correct."""
        believed = {**self.believed, **_cut(view, cells & ~_lattice(self.laid))}
        return replace(self.follow(view, cells), believed=believed)

    def surround(self, view: NDArray[np.uint8]) -> QuiltMemory:
        """Return the memory with the grid's present surroundings, after the board has moved on the table."""
        grid = np.pad(np.ones((SIDE, SIDE), np.bool_), 1)
        return replace(self, believed=_only(self.believed, grid), surroundings=_cut(view, ~grid))

    def back_to(self, earlier: QuiltMemory, covered: NDArray[np.bool_]) -> QuiltMemory:
        """Return an earlier memory, from before decisions that were undone, with what does not depend on them.

        That is the board's surroundings, and patches that were taken before it but seen only afterwards.

        Args:
            earlier: the memory as it was; this one if it is unknown.
            covered: shape (RING, RING), bool: the cells that patches cover without those decisions.
        """
        laid, crept = _only({**self.laid, **earlier.laid}, covered), _only(earlier.crept, covered)
        return replace(earlier, laid=laid, crept=crept, surroundings=self.surroundings)

    def _painted(self, windows: Windows) -> NDArray[np.uint8]:
        """Return the empty board in its present surroundings, with these windows on it."""
        view = self.empty.copy()
        for (row, column), window in (*self.surroundings.items(), *windows.items()):
            view[cell_window(row - 1, column - 1, 0)] = window
        return view


def _cut(view: NDArray[np.uint8], cells: NDArray[np.bool_]) -> Windows:
    """Return copies of a view's cells, shape (RING, RING), bool."""
    places = [(int(row), int(column)) for row, column in np.argwhere(cells)]
    return {(row, column): view[cell_window(row - 1, column - 1, 0)].copy() for row, column in places}


def _only(windows: Windows, cells: NDArray[np.bool_]) -> Windows:
    """Return the windows of some cells, shape (RING, RING), bool."""
    return {cell: window for cell, window in windows.items() if cells[cell]}


def _lattice(windows: Windows) -> NDArray[np.bool_]:
    """Return the cells of the windows on the lattice, shape (RING, RING), bool."""
    cells = np.zeros((RING, RING), np.bool_)
    for cell in windows:
        cells[cell] = True
    return cells


REACH_PX: Final = 11
"""Largest nudge, in view pixels, of a patch that counts as unmoved: a third of a cell."""

# Margin excluded along a cell's edge, in view pixels: what lies beside it may not have moved along.
_INSET_PX: Final = 5
# The least correlation with the expected print in its place.
_RECOGNISED: Final = 0.75
# Additional correlation required per pixel beside the place: another print, or a part of it, matches somewhere if the
# search goes far enough.
_PER_PX: Final = 0.01


def _needed() -> NDArray[np.float64]:
    """Return the correlation required at each shift, shape (2 * REACH_PX + 1,) * 2; infinite beyond the reach."""
    shifts = np.arange(-REACH_PX, REACH_PX + 1.0)
    away_px = np.hypot(shifts[:, None], shifts)
    return np.where(away_px <= REACH_PX, _RECOGNISED + _PER_PX * away_px, np.inf)


_NEEDED: Final = _needed()


def is_recognised_nearby(current: Look, expected: Look, row: int, column: int, reach_px: int = REACH_PX) -> bool:
    """Return whether the expected print of a cell (row, column from 0) is seen within reach of its place.

    Args:
        current: the look in which it is searched for.
        expected: the look that shows it in its place.
        row: the cell's row.
        column: the cell's column.
        reach_px: how far to search, in view pixels, `REACH_PX` at most.
    """
    rows, columns = cell_window(row, column, _INSET_PX)
    around = current.structure[
        rows.start - reach_px : rows.stop + reach_px, columns.start - reach_px : columns.stop + reach_px
    ]
    scores = cv2.matchTemplate(around, expected.structure[rows, columns], cv2.TM_CCOEFF_NORMED)
    reached = slice(REACH_PX - reach_px, REACH_PX + reach_px + 1)
    return bool((scores >= _NEEDED[reached, reached]).any())
