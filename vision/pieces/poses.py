"""Looks more closely where a shape lies: its place, angle and size, moved until the maps agree with it best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pieces.fit import EDGE_WEIGHT, Fit, Pose
from vision.pieces.maps import MAP_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces.polyominoes import Cells

_STEPS: Final = np.array([0.12, 0.12, 2.5, 0.03, 0.03])
"""Of x, y (cells), the angle (degrees) and both lengths of a cell."""
_ROUNDS: Final = 10
_HALVINGS: Final = 4
"""After so many the steps are finer than the maps tell anything: a hundredth of a cell."""
_ACROSS: Final = (-0.36, -0.18, 0.0, 0.18, 0.36)
_USUAL_STRETCH: Final = 0.04
"""How far a piece's cell differs from a board's: other punch, another height, a lens that bends."""
_STRETCH_COST: Final = 1.0
_SHIFTS: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Of a cell, along each axis of a way: what of a piece is hardly seen may lie so far off from where it seems best."""
_NEIGHBOURS: Final = np.vstack([np.zeros((1, 5)), np.eye(5), -np.eye(5)])


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    """Where a way is compared with the maps: points about its middle, and what each counts for.

    Attributes:
        middle: of the way, seen from its first cell's middle, (x, y) in cells.
        points: on its cells, then on its edges, shape (n + m, 2).
        inside_weights: shape (n,).
        rim_weights: shape (m,); negative between two cells.
    """

    middle: NDArray[np.float64]
    points: NDArray[np.float64]
    inside_weights: NDArray[np.float64]
    rim_weights: NDArray[np.float64]


class _Maps:
    """The maps of pieces and of rims, both clipped, looked up at points of table space; `MAP_PX` pixels a cell."""

    def __init__(self, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> None:
        self._maps = [(each, float(each.min())) for each in (piece, rim)]

    def sampled(self, probe: _Probe, tried: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """On a way's cells, shape (k, n), and on its edges, (k, m), as it lies in each of k poses about its middle."""
        angle = np.radians(tried[:, 2])
        cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
        x, y = probe.points[:, 0] * tried[:, 3:4], probe.points[:, 1] * tried[:, 4:5]
        columns = _map_pixels(x * cos - y * sin + tried[:, 0:1])
        rows = _map_pixels(x * sin + y * cos + tried[:, 1:2])
        parts = (slice(len(probe.inside_weights)), slice(len(probe.inside_weights), None))
        on_cells, on_edges = (
            np.asarray(cv2.remap(each, columns[:, part], rows[:, part], cv2.INTER_LINEAR, borderValue=edge), np.float64)
            for (each, edge), part in zip(self._maps, parts, strict=True)
        )
        return on_cells, on_edges


def _map_pixels(places: NDArray[np.float64]) -> NDArray[np.float32]:
    return (places * MAP_PX - 0.5).astype(np.float32)


def shifted(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> Fit:
    """The same fit, half a cell aside at the most, where it fits best: too far off for `settle` to get there."""
    probe, pose = _probe(fit.cells), fit.pose
    aside = np.array([[x, y] for y in _SHIFTS for x in _SHIFTS])
    tried = np.array([[*at, pose.angle_deg, pose.wide, pose.high] for at in pose.place(probe.middle + aside)])
    best = int(_scores(tried, probe, _Maps(piece, rim), (pose.wide, pose.high)).argmax())
    x, y = pose.place(aside[best])
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)))


def settle(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32], stretch: tuple[float, float]) -> Fit:
    """The same shape where it fits best nearby.

    Args:
        fit: where to begin.
        piece: log-odds that a piece lies there, clipped, shape (height, width), `MAP_PX` pixels a cell.
        rim: likewise of rims.
        stretch: a piece's cell, as large as others are around it, (along x, along y) of table space.
    """
    probe, maps = _probe(fit.cells), _Maps(piece, rim)
    at = fit.pose.place(probe.middle)
    now = np.array([*at, fit.pose.angle_deg, fit.pose.wide, fit.pose.high])
    steps, best, halvings = _STEPS.copy(), -np.inf, 0
    for _ in range(_ROUNDS):
        tried = now + _NEIGHBOURS * steps
        scores = _scores(tried, probe, maps, stretch)
        number = int(scores.argmax())
        now, best = tried[number], float(scores[number])
        if number == 0:
            steps, halvings = steps / 2, halvings + 1
            if halvings == _HALVINGS:
                break
    pose = Pose(0.0, 0.0, *now[2:].tolist())
    x, y = now[:2] - pose.place(probe.middle)
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)), score=best)


def weakest(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> tuple[float, float]:
    """What fits least of a fit: the mean log-odds of its worst cell, and of its worst edge; inner edges count inverted.

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
    angle = np.radians(tried[:, 2])
    cos2, sin2 = np.cos(angle) ** 2, np.sin(angle) ** 2
    usual = np.stack([stretch[0] * cos2 + stretch[1] * sin2, stretch[0] * sin2 + stretch[1] * cos2], axis=1)
    strain = ((tried[:, 3:] / usual - 1) / _USUAL_STRETCH) ** 2
    return np.asarray(inside + EDGE_WEIGHT * rims - _STRETCH_COST * strain.sum(axis=1))


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
        np.concatenate([inside, *rims]) - middle,
        np.full(len(inside), 1 / len(grid)),
        np.repeat(np.array(weights), len(_ACROSS)) / len(_ACROSS),
    )
