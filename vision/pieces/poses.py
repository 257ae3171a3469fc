"""Refinement of a fit's place, angle and size, moved until the maps agree with it best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pieces.fit import EDGE_WEIGHT, Fit, PiecePose
from vision.pieces.maps import MAP_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces.polyominoes import Cells

_STEPS: Final = np.array([0.12, 0.12, 2.5, 0.03, 0.03])
"""Of x, y (cells), the angle (degrees) and both lengths of a cell."""
_ROUNDS: Final = 10
"""Rounds of the search, at most."""
_HALVINGS: Final = 4
"""After so many the steps are finer than the maps tell anything: a hundredth of a cell."""
_ACROSS: Final = (-0.36, -0.18, 0.0, 0.18, 0.36)
"""Where a cell is probed each way, and an edge along itself, from its middle, in cells."""
_USUAL_STRETCH: Final = 0.04
"""How far a piece's cell differs from a board's: other punch, another height, a lens that bends."""
_STRETCH_COST: Final = 1.0
"""Loss in score for a cell whose size differs from those around it by `_USUAL_STRETCH`."""
_SHIFTS: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Of a cell, along each axis of a way: what of a piece is hardly seen may lie so far off from where it seems best."""
_ALIKE: Final = 3
"""Scores are told apart by so many decimals."""
_NEIGHBOURS: Final = np.vstack([np.eye(5), -np.eye(5)])
"""Poses tried around the present one: each of five parameters up and down by a step."""


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    """The points at which a way is compared with the maps, about its middle, and their weights.

    Attributes:
        middle: of the way, seen from its first cell's middle, (x, y) in cells.
        inside: points on its cells, each (x, y, 1), shape (3, n).
        rims: points on its edges, in the same form, shape (3, m).
        inside_weights: shape (n,).
        rim_weights: shape (m,); negative between two cells.
    """

    middle: NDArray[np.float64]
    inside: NDArray[np.float32]
    rims: NDArray[np.float32]
    inside_weights: NDArray[np.float32]
    rim_weights: NDArray[np.float32]


class _Maps:
    """The maps of pieces and of rims, both clipped, looked up at points of table space; `MAP_PX` pixels a cell."""

    def __init__(self, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> None:
        self._maps = [(each, float(each.min())) for each in (piece, rim)]

    def sampled(self, probe: _Probe, tried: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the maps on a way's cells, (k, n), and on its edges, (k, m), in each of k poses about its middle."""
        to_columns, to_rows = _to_map_pixels(tried)
        on_cells, on_edges = (
            cv2.remap(each, to_columns @ points, to_rows @ points, cv2.INTER_LINEAR, borderValue=edge)
            for (each, edge), points in zip(self._maps, (probe.inside, probe.rims), strict=True)
        )
        return np.asarray(on_cells, np.float32), np.asarray(on_edges, np.float32)


def _to_map_pixels(tried: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the rows that map a probe's points to columns, and to rows, of the maps in k poses, shape (2, k, 3)."""
    x, y, angle_deg, wide, high = tried.T
    angle = np.radians(angle_deg)
    cos, sin = MAP_PX * np.cos(angle), MAP_PX * np.sin(angle)
    terms = [[wide * cos, -high * sin, MAP_PX * x - 0.5], [wide * sin, high * cos, MAP_PX * y - 0.5]]
    return np.array(terms, np.float32).transpose(0, 2, 1)


def shifted(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> Fit:
    """Return the fit moved by half a cell at most to where it fits best, which is too far for `settle`."""
    probe, pose = _probe(fit.cells), fit.pose
    # The nearest first: where several are alike, as in an even part of the maps, it stays where it is.
    aside = np.array(sorted(([x, y] for y in _SHIFTS for x in _SHIFTS), key=lambda at: at[0] ** 2 + at[1] ** 2))
    tried = np.array([[*at, pose.angle_deg, pose.wide, pose.high] for at in pose.place(probe.middle + aside)])
    best = int(_scores(tried, probe, _Maps(piece, rim), (pose.wide, pose.high)).round(_ALIKE).argmax())
    x, y = pose.place(aside[best])
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)))


def settle(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32], stretch: tuple[float, float]) -> Fit:
    """Return the shape moved to where it fits best nearby.

    Args:
        fit: where to begin.
        piece: log-odds that a piece lies there, clipped, shape (height, width), `MAP_PX` pixels a cell.
        rim: the same for rims.
        stretch: a piece's cell, as large as others are around it, (along x, along y) of table space.
    """
    probe, maps = _probe(fit.cells), _Maps(piece, rim)
    at = fit.pose.place(probe.middle)
    now = np.array([*at, fit.pose.angle_deg, fit.pose.wide, fit.pose.high])
    steps, best, halvings = _STEPS.copy(), float(_scores(now[None], probe, maps, stretch)[0]), 0
    for _ in range(_ROUNDS):
        tried = now + _NEIGHBOURS * steps
        scores = _scores(tried, probe, maps, stretch)
        number = int(scores.argmax())
        if scores[number] > best:
            now, best = tried[number], float(scores[number])
            continue
        steps, halvings = steps / 2, halvings + 1
        if halvings == _HALVINGS:
            break
    pose = PiecePose(0.0, 0.0, *now[2:].tolist())
    x, y = now[:2] - pose.place(probe.middle)
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)), score=best)


def weakest(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean log-odds of a fit's worst cell, and of its worst edge; inner edges count inverted.

    One cell too many, or too few, shows there, however well the rest fits.
    """
    probe = _probe(fit.cells)
    angle = fit.pose.angle_deg
    now = np.array([[*fit.pose.place(probe.middle), angle, fit.pose.wide, fit.pose.high]])
    on_cells, on_edges = _Maps(piece, rim).sampled(probe, now)
    inside = on_cells.reshape(len(fit.cells), -1).mean(axis=1)
    signs = np.sign(probe.rim_weights).reshape(-1, len(_ACROSS))[:, 0]
    rims = on_edges.reshape(-1, len(_ACROSS)).mean(axis=1)
    return float(inside.min()), float((rims * signs).min())


def _scores(
    tried: NDArray[np.float64], probe: _Probe, maps: _Maps, stretch: tuple[float, float]
) -> NDArray[np.float64]:
    on_cells, on_edges = maps.sampled(probe, tried)
    inside, rims = on_cells @ probe.inside_weights, on_edges @ probe.rim_weights
    cos2 = np.cos(np.radians(tried[:, 2])) ** 2
    wide = tried[:, 3] / (stretch[0] * cos2 + stretch[1] * (1 - cos2)) - 1
    high = tried[:, 4] / (stretch[0] * (1 - cos2) + stretch[1] * cos2) - 1
    strain = (wide * wide + high * high) / _USUAL_STRETCH**2
    return np.asarray(inside + EDGE_WEIGHT * rims - _STRETCH_COST * strain)


@cache
def _probe(cells: Cells) -> _Probe:
    corner = np.array([[column, row] for row, column in cells], np.float64)
    grid = np.array([[x, y] for y in _ACROSS for x in _ACROSS])
    inside = (corner[:, None] + grid[None]).reshape(-1, 2)
    kept, rims, weights = set(cells), [], []
    for row, column in cells:
        for down, right in ((-1, 0), (0, -1), (1, 0), (0, 1)):
            beyond = (row + down, column + right)
            if beyond in kept and (down + right) > 0:
                continue  # an edge between two cells counts once
            along = np.array([[0.0, t] if right else [t, 0.0] for t in _ACROSS])
            rims.append(along + np.array([column + right / 2, row + down / 2]))
            weights.append(-1.0 if beyond in kept else 1.0)
    middle = corner.mean(axis=0)
    return _Probe(
        middle,
        _columns(inside - middle),
        _columns(np.concatenate(rims) - middle),
        np.full(len(inside), 1 / len(grid), np.float32),
        np.repeat(np.array(weights, np.float32), len(_ACROSS)) / np.float32(len(_ACROSS)),
    )


def _columns(points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return points (n, 2) as columns (x, y, 1)."""
    return np.ascontiguousarray(np.column_stack([points, np.ones(len(points))]).T, np.float32)
