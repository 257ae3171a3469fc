"""The visibility of a page's printed outlines.

Print shows through pencil; objects on a page, and a lamp's reflection on it, hide it. Run by run, each outline is
compared with the paper, or the pencil, on both of its sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision import reductions
from vision.sheet.page import FLAT_PX_PER_MM

# Distance of two points along an outline.
_STEP_MM: Final = 0.5
# Width of the printed outlines.
_LINE_MM: Final = 0.35
# Step of the shifts across a line: one pixel of flat space.
_FINE_MM: Final = 0.125
# Shifts across a line that are tried, in steps of `_FINE_MM`.
_SHIFTS: Final = range(-2, 3)
# Shifts of the whole page that are tried, the accuracy of rectification.
_MOVES_MM: Final = tuple((across, down) for across in (-0.25, 0.0, 0.25) for down in (-0.25, 0.0, 0.25))
# Offsets from the line's middle that are sampled on the line.
_ACROSS_MM: Final = (-0.1, 0.0, 0.1)
# Offsets from the line's middle that are sampled beside it, clear of its width.
_BESIDE_MM: Final = (0.45, 0.575, 0.7)
# Points per run: half of a pencil's thickness, so that a pencil across an outline hides a whole run.
_RUN: Final = 7
# The least number of usable points of a run: about half of it.
_LEAST_OF_RUN: Final = 4
# Points sampled in one call: OpenCV remaps at most 32,767 pixels a side.
_BATCH: Final = 16384
# Added to linear light before the logarithm, so that noise in the dark counts little.
_FLOOR: Final = 0.006
# Sigma that reduces the camera's noise; less than a line's width.
_CALM_PX: Final = 0.8
# Typical darkness of lines, in natural logarithms, below which nothing can be judged.
_FAINTEST: Final = 0.08
# Share of the typical darkness from which a line counts as printed on a blank page.
_PRINTED: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Points along a closed outline in page space, shape (n, 2), unit normals, and which points can be used."""

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    informative: NDArray[np.bool_]


class _Points:
    """The points of closed lines in one array, so that all lines are sampled together.

    Args:
        lines: the lines, one after the other.

    Attributes:
        lines: slice of each line's points.
        informative: which points can be used, shape (n,).
        runs: indices of the points of the run around each point, shape (points of a run, n).
        least: the least number of usable points of each point's run, shape (n,).
    """

    def __init__(self, lines: Sequence[_Line]) -> None:
        counts = [len(line.points) for line in lines]
        self.lines = [slice(int(end) - count, int(end)) for count, end in zip(counts, np.cumsum(counts), strict=True)]
        self.informative = np.concatenate([np.zeros(0, np.bool_), *(line.informative for line in lines)])
        self.least = np.minimum(_LEAST_OF_RUN, np.repeat(counts, counts)) if counts else np.zeros(0, np.intp)
        self.runs = np.concatenate([np.zeros((_RUN, 0), np.intp), *map(_runs_of, self.lines)], axis=1)
        points, normals = (
            np.concatenate([np.zeros((0, 2)), *each])
            for each in ([line.points for line in lines], [line.normals for line in lines])
        )
        self._maps = [
            _sampled_at(points[first : first + _BATCH], normals[first : first + _BATCH])
            for first in range(0, len(points), _BATCH)
        ]
        across = np.round(normals @ np.array(_MOVES_MM).T / _FINE_MM).astype(np.intp)
        self._moves = np.clip(across, _SHIFTS[0], _SHIFTS[-1]) - _SHIFTS[0]

    def darker(self, light: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the darkness of each point relative to both sides, for each shift across the line, (n, shifts)."""
        values = [np.zeros((0, len(_SHIFTS), 3))]
        for maps in self._maps:
            found = cv2.remap(light, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            values.append(np.asarray(found, np.float64).reshape(len(maps), len(_SHIFTS), 3, -1).mean(axis=3))
        middle, before, behind = np.moveaxis(np.concatenate(values), 2, 0)
        return np.asarray((before + behind) / 2 - middle)

    def moved(self, darker: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the darkness for each shift of the whole page, shape (n, moves)."""
        return np.take_along_axis(darker, self._moves, axis=1)

    def summed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums over the run around each point, of the same shape."""
        return np.asarray(sum(values[places] for places in self.runs))


class PrintedLines:
    """The printed outlines of a page.

    Args:
        outlines: closed printed lines, polygons in page space, each shape (n, 2).
        size_mm: width and height of the page.
        blank: the page before anything was coloured, in flat space, shape (rows, columns, 3), uint8, BGR; outlines
            count only where it shows them. None if all of them are printed.
    """

    def __init__(
        self, outlines: Sequence[ArrayLike], size_mm: tuple[float, float], blank: NDArray[np.uint8] | None = None
    ) -> None:
        ink = _ink(outlines, size_mm)
        self._points = _Points([_line(np.asarray(outline, np.float64), ink) for outline in outlines])
        if blank is not None:
            self._points.informative &= _visible(self._points, blank)

    def seen(self, flat: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the darkness of each outline on its faintest run, relative to the page's median.

        Args:
            flat: the rectified page, shape (rows, columns, 3), uint8, BGR.

        Returns:
            About 1 for an outline that is visible all round, about 0 for one that is hidden somewhere; infinite if it
            cannot be judged. Shape (number of outlines,).
        """
        points = self._points
        runs = _runs(points, points.moved(points.darker(_light(flat))))
        informative_darker = runs[np.isfinite(runs)]
        typical = float(np.median(informative_darker)) if len(informative_darker) else 0.0
        if typical < _FAINTEST:
            return np.full(len(points.lines), np.inf)
        return np.array([runs[line].min(initial=np.inf) / typical for line in points.lines])


def _ink(outlines: Sequence[ArrayLike], size_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """Return the mask of the printed outlines, in flat space."""
    ink = np.zeros((round(size_mm[1] * FLAT_PX_PER_MM), round(size_mm[0] * FLAT_PX_PER_MM)), np.uint8)
    for outline in outlines:
        points = np.round((np.asarray(outline, np.float64) * FLAT_PX_PER_MM - 0.5) * 16).astype(np.int32)
        cv2.polylines(ink, [points], True, (1,), round(_LINE_MM * FLAT_PX_PER_MM), cv2.LINE_8, 4)
    return np.asarray(ink > 0)


def _line(outline: NDArray[np.float64], ink: NDArray[np.bool_]) -> _Line:
    """Return a closed outline; points beside another line, or another side of it, are unusable."""
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.maximum(np.hypot(*sides.T), 1e-9)
    ends = np.cumsum(lengths)
    along = np.arange(_STEP_MM / 2, ends[-1], _STEP_MM)
    side = np.minimum(np.searchsorted(ends, along, side="right"), len(outline) - 1)
    direction = (sides / lengths[:, None])[side]
    points = outline[side] + direction * (along - ends[side] + lengths[side])[:, None]
    normals = np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    beside = [_sampled(ink, points + normals * (way * far)) for way in (-1, 1) for far in _BESIDE_MM]
    return _Line(points, normals, ~np.any(beside, axis=0))


def _sampled(ink: NDArray[np.bool_], points_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    columns, rows = np.floor(points_mm.T * FLAT_PX_PER_MM).astype(np.intp)
    inside = (columns >= 0) & (columns < ink.shape[1]) & (rows >= 0) & (rows < ink.shape[0])
    found = ink[np.clip(rows, 0, ink.shape[0] - 1), np.clip(columns, 0, ink.shape[1] - 1)]
    return np.asarray(found | ~inside)


def _visible(points: _Points, blank: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of points at which a blank page shows the lines."""
    darker = points.darker(_light(blank)).max(axis=1)
    informative_darker = darker[points.informative]
    least = max(_PRINTED * float(np.median(informative_darker)), _FAINTEST) if len(informative_darker) else _FAINTEST
    return np.asarray(darker > least)


def _light(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithm of the brightest channel, shape (rows, columns).

    Pencil is bright in one of the channels, print in none.
    """
    table = np.log((np.arange(256) / 255) ** 2.2 + _FLOOR).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(cv2.LUT(reductions.brightest(flat), table), (0, 0), _CALM_PX), np.float32)


def _sampled_at(points: NDArray[np.float64], normals: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the sample positions for each point: pixels (x, y), shape (n, shifts times samples of a shift, 2)."""
    across = {0: _ACROSS_MM, -1: [-far for far in _BESIDE_MM], 1: _BESIDE_MM}
    offsets = np.array([[shift * _FINE_MM + off for way in (0, -1, 1) for off in across[way]] for shift in _SHIFTS])
    places = points[:, None, None] + normals[:, None, None] * offsets[None, :, :, None]
    return np.asarray((places * FLAT_PX_PER_MM - 0.5).astype(np.float32).reshape(len(points), -1, 2))


def _runs_of(line: slice) -> NDArray[np.intp]:
    """Return the indices of the points of the run around each point of a closed line, shape (points of a run, n)."""
    count = line.stop - line.start
    shifts = np.arange(-(_RUN // 2), _RUN // 2 + 1)
    return np.asarray(line.start + (np.arange(count) - shifts[:, None]) % max(count, 1))


def _runs(points: _Points, darker: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the darkness of the run around each point, at the darkest shift; infinite with too few usable points."""
    informative = points.informative[:, None]
    counts = points.summed(informative.astype(np.float64))[:, 0]
    sums = points.summed(np.where(informative, darker, 0.0)).max(axis=1)
    return np.where(counts >= points.least, sums / np.maximum(counts, 1), np.inf)
