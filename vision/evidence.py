"""How much each cell of a quilt looks changed, compared with how it is expected to look.

Light and patches both change a picture. What tells them apart: light multiplies (so views are compared as logarithms),
it is smooth over a cell, and it leaves the print's structure alone; a patch brings a structure of its own. Three cues
are taken for each cell, after the best of a few pixels' shift: how well the structure correlates, how much is left
over once the cell's mean light is divided out, and how the colour moved against the whole board's drift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rectify import CELL_PX, SIDE, cell_window

if TYPE_CHECKING:
    from numpy.typing import NDArray

RING: Final = SIDE + 2
"""Cells a side of the lattice of evidence: the grid and one ring around it."""

_INSET_PX: Final = 5
_SIDE_PX: Final = 6
_SEARCH_PX: Final = 3
"""A printed cell stays where the board is; this much is left over from registering it."""
_RECOGNISED: Final = 0.75
_ROAM_PX: Final = 11
"""A patch may be nudged by a third of a cell and is still where it was."""
_DARK: Final = 6.0
"""Added to each channel before the logarithm: below it is sensor noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view made ready for comparison.

    Attributes:
        log: logarithm of the view, shape (VIEW_PX, VIEW_PX, 3), float32, channels blue, green, red.
        luminance: mean of the three, shape (VIEW_PX, VIEW_PX), float32.
        structure: luminance less its surroundings, limited so that no single edge rules, same shape.
    """

    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Make a rectified view (VIEW_PX, VIEW_PX, 3), uint8, ready for comparison."""
    calm = cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32)
    return look_of_log(np.log(calm + _DARK))


def look_of_log(log: NDArray[np.float32]) -> Look:
    """The look whose logarithm is given, shape (VIEW_PX, VIEW_PX, 3), float32."""
    luminance = log.mean(axis=2)
    detail = luminance - cv2.GaussianBlur(luminance, (0, 0), 5.0)
    return Look(log, luminance, np.clip(detail, -0.15, 0.15))


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """What was measured of each cell, each of shape (RING, RING), float32; [0, 0] is the ring's corner beside A1.

    Attributes:
        correlation: of the structure, at the best shift, -1..1.
        leftover: standard deviation of the log-luminance ratio within the cell.
        colour: how far the cell's colour moved against the board's drift, in log units.
        brightness: likewise its luminance, signed.
        frame: leftover along the cell's four sides, where lines are printed and seams lie: the second smallest of the
            four, for a neighbour's patch spoils one or two of them, a patch on the cell all.
        texture: standard deviation of the expected structure.
        new_texture: standard deviation of the structure seen.
    """

    correlation: NDArray[np.float32]
    leftover: NDArray[np.float32]
    colour: NDArray[np.float32]
    brightness: NDArray[np.float32]
    frame: NDArray[np.float32]
    texture: NDArray[np.float32]
    new_texture: NDArray[np.float32]


def measure(current: Look, expected: Look, patched: NDArray[np.bool_]) -> Cues:
    """Compare a look with the expected one, cell by cell.

    Args:
        current: what is seen.
        expected: what is remembered.
        patched: shape (RING, RING), bool: cells that show a patch, which may have been nudged a little.
    """
    rows = np.array(
        [
            _measure_cell(current, expected, row, column, bool(patched[row + 1, column + 1]))
            for row in range(-1, SIDE + 1)
            for column in range(-1, SIDE + 1)
        ],
        np.float32,
    )
    correlation, leftover, red_green, blue_green, brightness, frame, texture, new_texture = (
        column.reshape(RING, RING) for column in rows.T
    )
    steady = _steadiest(leftover)
    colour = np.hypot(red_green - _drift(red_green, steady), blue_green - _drift(blue_green, steady))
    return Cues(correlation, leftover, colour, brightness - _drift(brightness, steady), frame, texture, new_texture)


def _measure_cell(current: Look, expected: Look, row: int, column: int, patched: bool) -> tuple[float, ...]:
    rows, columns = cell_window(row, column, _INSET_PX)
    pattern = expected.structure[rows, columns]
    correlation, down, right = _find(pattern, current.structure, rows, columns, _SEARCH_PX)
    if patched and correlation < _RECOGNISED:
        nudged = _find(pattern, current.structure, rows, columns, _ROAM_PX)
        # A plain print correlates with anything somewhere; only a print that is recognised has been nudged.
        if nudged[0] >= _RECOGNISED:
            correlation, down, right = nudged
    here = (
        slice(rows.start + down, rows.stop + down),
        slice(columns.start + right, columns.stop + right),
    )
    ratio = current.log[here] - expected.log[rows, columns]
    blue, green, red = cv2.mean(ratio)[:3]
    leftover = cv2.meanStdDev(current.luminance[here] - expected.luminance[rows, columns])[1][0, 0]
    frame = _frame_leftover(current.luminance, expected.luminance, row, column, (down, right))
    texture = cv2.meanStdDev(pattern)[1][0, 0]
    new_texture = cv2.meanStdDev(current.structure[here])[1][0, 0]
    return correlation, leftover, red - green, blue - green, (red + green + blue) / 3, frame, texture, new_texture


def _find(
    pattern: NDArray[np.float32], image: NDArray[np.float32], rows: slice, columns: slice, reach_px: int
) -> tuple[float, int, int]:
    """The pattern's best correlation around its place, and how far (down, right) from it that is."""
    around = image[rows.start - reach_px : rows.stop + reach_px, columns.start - reach_px : columns.stop + reach_px]
    _, correlation, _, (right, down) = cv2.minMaxLoc(cv2.matchTemplate(around, pattern, cv2.TM_CCOEFF_NORMED))
    return correlation, down - reach_px, right - reach_px


def _frame_leftover(
    current: NDArray[np.float32], expected: NDArray[np.float32], row: int, column: int, shift: tuple[int, int]
) -> float:
    rows, columns = cell_window(row, column, 0)
    down, right = shift
    ratio = (
        current[rows.start + down : rows.stop + down, columns.start + right : columns.stop + right]
        - expected[rows, columns]
    )
    along = slice(_SIDE_PX, CELL_PX - _SIDE_PX)
    sides = (ratio[:_SIDE_PX, along], ratio[-_SIDE_PX:, along], ratio[along, :_SIDE_PX], ratio[along, -_SIDE_PX:])
    return float(sorted(cv2.meanStdDev(side)[1][0, 0] for side in sides)[1])


def _steadiest(leftover: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The third of the grid's cells that changed least; the board's drift of light is taken from them."""
    grid = np.zeros((RING, RING), np.bool_)
    grid[1:-1, 1:-1] = leftover[1:-1, 1:-1] <= np.quantile(leftover[1:-1, 1:-1], 1 / 3)
    return grid


def _drift(values: NDArray[np.float32], steady: NDArray[np.bool_]) -> float:
    return float(np.median(values[steady]))
