"""The visibility of a page's printed outlines.

Pencil lets print through; what lies on a page, or a lamp's reflection on it, does not. Run by run of each outline the
line is held against the paper, or the pencil, on both sides of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.sheet.page import FLAT_PX_PER_MM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_STEP_MM: Final = 0.5
"""Distance of two points along an outline."""
_LINE_MM: Final = 0.35
"""Width of the printed outlines."""
_FINE_MM: Final = 0.125
"""Step of the shifts across a line: one pixel of flat space."""
_SHIFTS: Final = range(-2, 3)
"""Shifts across a line that are tried, in those steps."""
_MOVES_MM: Final = tuple((across, down) for across in (-0.25, 0.0, 0.25) for down in (-0.25, 0.0, 0.25))
"""A page is laid flat to within that."""
_ACROSS_MM: Final = (-0.1, 0.0, 0.1)
"""Offsets from the line's middle that are sampled on the line."""
_BESIDE_MM: Final = (0.45, 0.575, 0.7)
"""Offsets from the line's middle that are sampled beside it, clear of its width."""
_RUN: Final = 7
"""Points: half of a pencil's thickness, so that one that crosses an outline hides a run of it."""
_LEAST_OF_RUN: Final = 4
"""Points of a run that must be able to tell: about half of it."""
_FLOOR: Final = 0.006
"""Added to linear light before the logarithm, so that noise in the dark counts little."""
_CALM_PX: Final = 0.8
"""Sigma that smooths the camera's noise, less than a line's width."""
_FAINTEST: Final = 0.08
"""Lines that are typically no darker than that, in natural logarithms, tell nothing."""
_PRINTED: Final = 0.5
"""Of what is typical, where a blank page shows that a line is printed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Points along a closed outline in page space, shape (n, 2), unit vectors across, and which points can be used."""

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    telling: NDArray[np.bool_]


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
        self._lines = [_line(np.asarray(outline, np.float64), ink) for outline in outlines]
        if blank is not None:
            self._lines = _shown(self._lines, blank)

    def seen(self, flat: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return how dark each outline is on its faintest run, against what is typical of the page.

        Args:
            flat: the page laid flat, shape (rows, columns, 3), uint8, BGR.

        Returns:
            About 1 for an outline that is seen all round, about 0 for one that something hides somewhere; infinite
            where nothing can be told. Shape (number of outlines,).
        """
        light = _light(flat)
        runs = [_runs(_moved(_darker(light, line), line), line.telling) for line in self._lines]
        told = np.concatenate([run[np.isfinite(run)] for run in runs]) if runs else np.zeros(0)
        typical = float(np.median(told)) if len(told) else 0.0
        if typical < _FAINTEST:
            return np.full(len(runs), np.inf)
        return np.array([run.min(initial=np.inf) / typical for run in runs])


def _ink(outlines: Sequence[ArrayLike], size_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """Return where outlines are printed, in flat space."""
    ink = np.zeros((round(size_mm[1] * FLAT_PX_PER_MM), round(size_mm[0] * FLAT_PX_PER_MM)), np.uint8)
    for outline in outlines:
        points = np.round((np.asarray(outline, np.float64) * FLAT_PX_PER_MM - 0.5) * 16).astype(np.int32)
        cv2.polylines(ink, [points], True, (1,), round(_LINE_MM * FLAT_PX_PER_MM), cv2.LINE_8, 4)
    return np.asarray(ink > 0)


def _line(outline: NDArray[np.float64], ink: NDArray[np.bool_]) -> _Line:
    """Return a closed outline; its points are usable where no other line, nor another side of it, lies beside them."""
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


def _shown(lines: list[_Line], blank: NDArray[np.uint8]) -> list[_Line]:
    """Return the lines, used only where a blank page shows them."""
    light = _light(blank)
    darker = [_darker(light, line).max(axis=1) for line in lines]
    told = np.concatenate([dark[line.telling] for dark, line in zip(darker, lines, strict=True)])
    least = max(_PRINTED * float(np.median(told)), _FAINTEST) if len(told) else _FAINTEST
    return [
        _Line(line.points, line.normals, line.telling & (dark > least))
        for dark, line in zip(darker, lines, strict=True)
    ]


def _light(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithm of the brightest channel, shape (rows, columns).

    Pencil is bright in one of the channels, print in none.
    """
    table = np.log((np.arange(256) / 255) ** 2.2 + _FLOOR).astype(np.float32)
    brightest = np.maximum(np.maximum(flat[..., 0], flat[..., 1]), flat[..., 2])
    return np.asarray(cv2.GaussianBlur(table[brightest], (0, 0), _CALM_PX), np.float32)


def _darker(light: NDArray[np.float32], line: _Line) -> NDArray[np.float64]:
    """Return how much darker each point of a line is than both its sides, for each shift; (points, shifts)."""
    across = {0: _ACROSS_MM, -1: [-far for far in _BESIDE_MM], 1: _BESIDE_MM}
    offsets = np.array([[shift * _FINE_MM + off for way in (0, -1, 1) for off in across[way]] for shift in _SHIFTS])
    places = line.points[:, None, None] + line.normals[:, None, None] * offsets[None, :, :, None]
    maps = (places * FLAT_PX_PER_MM - 0.5).astype(np.float32).reshape(len(line.points), -1, 2)
    found = cv2.remap(light, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(found, np.float64).reshape(len(line.points), len(_SHIFTS), 3, -1).mean(axis=3)
    return np.asarray((values[..., 1] + values[..., 2]) / 2 - values[..., 0])


def _moved(darker: NDArray[np.float64], line: _Line) -> NDArray[np.float64]:
    """Return the darkness for each way in which all of the page may have moved, shape (points, moves)."""
    across = np.round(line.normals @ np.array(_MOVES_MM).T / _FINE_MM).astype(np.intp)
    return np.take_along_axis(darker, np.clip(across, _SHIFTS[0], _SHIFTS[-1]) - _SHIFTS[0], axis=1)


def _runs(darker: NDArray[np.float64], telling: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how dark each run of a closed line is, moved as it is darkest; infinite where too few points tell."""
    counts = _summed(telling[:, None].astype(np.float64))[:, 0]
    sums = _summed(np.where(telling[:, None], darker, 0.0)).max(axis=1)
    return np.where(counts >= min(_LEAST_OF_RUN, len(telling)), sums / np.maximum(counts, 1), np.inf)


def _summed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sums over runs of a closed line, of the same shape."""
    return np.asarray(sum(np.roll(values, shift, axis=0) for shift in range(-(_RUN // 2), _RUN // 2 + 1)))
