"""Refinement of a fit's position, angle and size by local search on the maps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.fit import EDGE_WEIGHT, Cells, Fit, PiecePose
from vision.pieces.maps import MAP_PX

# Initial steps of x, y (cells), the angle (degrees) and both lengths of a cell.
_STEPS: Final = np.array([0.12, 0.12, 2.5, 0.03, 0.03])
# The greatest number of rounds of the search.
_ROUNDS: Final = 10
# The number of halvings after which steps, of a hundredth of a cell, are finer than the maps' resolution.
_HALVINGS: Final = 4
# Offsets of the sample points from a cell's middle in each direction, and from an edge's along it, in cells.
_ACROSS: Final = (-0.36, -0.18, 0.0, 0.18, 0.36)
# Usual relative deviation of a piece's cell from a board's: another die, another height, lens distortion.
_USUAL_STRETCH: Final = 0.04
# Loss in score for a cell whose size differs from those around it by `_USUAL_STRETCH`.
_STRETCH_COST: Final = 1.0
# Shifts along each axis of a pose, in cells: a hardly visible piece may lie so far from its best fit.
_SHIFTS: Final = (-0.5, -0.25, 0.0, 0.25, 0.5)
# Decimals to which scores are compared.
_ALIKE: Final = 3
# Directions of the search: each of the five parameters up and down by a step.
_NEIGHBOURS: Final = np.vstack([np.eye(5), -np.eye(5)])


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    """The sample points of a way relative to its middle, and their weights.

    Attributes:
        middle: of the way, relative to its first cell's middle, (x, y) in cells.
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


@dataclass(frozen=True, slots=True, eq=False)
class _Probes:
    """The sample points of several ways, padded to one number with points of zero weight.

    Attributes:
        inside: points on the ways' cells relative to their middles, each (x, y, 1), shape (ways, 3, n).
        rims: points on their edges, in the same form, shape (ways, 3, m).
        inside_weights: shape (ways, n, 1).
        rim_weights: shape (ways, m, 1).
    """

    inside: NDArray[np.float32]
    rims: NDArray[np.float32]
    inside_weights: NDArray[np.float32]
    rim_weights: NDArray[np.float32]

    @classmethod
    def of(cls, probes: Sequence[_Probe]) -> "_Probes":
        return cls(
            _filled_up([probe.inside for probe in probes]),
            _filled_up([probe.rims for probe in probes]),
            _filled_up([probe.inside_weights for probe in probes])[..., None],
            _filled_up([probe.rim_weights for probe in probes])[..., None],
        )

    def __getitem__(self, chosen: NDArray[np.intp]) -> "_Probes":
        return _Probes(*(each[chosen] for each in (self.inside, self.rims, self.inside_weights, self.rim_weights)))


def _filled_up(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return arrays of different lengths in the last axis as one, padded with zeros."""
    filled = np.zeros((len(rows), *rows[0].shape[:-1], max(row.shape[-1] for row in rows)), np.float32)
    for target, row in zip(filled, rows, strict=True):
        target[..., : row.shape[-1]] = row
    return filled


class _Maps:
    """The clipped maps of pieces and of rims, sampled at points of table space; `MAP_PX` pixels a cell."""

    def __init__(self, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> None:
        self._maps = [(each, float(each.min())) for each in (piece, rim)]

    def sampled(self, probes: _Probes, tried: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the maps at the ways' cells, (ways, k, n), and edges, (ways, k, m), in k poses of their middles."""
        to_columns, to_rows = _to_map_pixels(tried)
        on_cells, on_edges = (
            _at(each, to_columns @ points, to_rows @ points, edge)
            for (each, edge), points in zip(self._maps, (probes.inside, probes.rims), strict=True)
        )
        return on_cells, on_edges


def _at(
    picture: NDArray[np.float32], columns: NDArray[np.float32], rows: NDArray[np.float32], beyond: float
) -> NDArray[np.float32]:
    """Return a picture's interpolated values, in the shape of `columns`."""
    x, y = (each.reshape(-1, each.shape[-1]) for each in (columns, rows))
    values = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderValue=beyond)
    return np.asarray(values, np.float32).reshape(columns.shape)


def _to_map_pixels(tried: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return matrix rows that map sample points to columns and rows of the maps; poses (..., 5) give (2, ..., 3)."""
    x, y, angle_deg, wide, high = np.moveaxis(tried, -1, 0)
    angle = np.radians(angle_deg)
    cos, sin = MAP_PX * np.cos(angle), MAP_PX * np.sin(angle)
    terms = [[wide * cos, -high * sin, MAP_PX * x - 0.5], [wide * sin, high * cos, MAP_PX * y - 0.5]]
    return np.moveaxis(np.array(terms, np.float32), 1, -1)


def shifted(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> Fit:
    """Return the fit moved by at most half a cell to its best place; `settle` does not reach so far."""
    probe, pose = _probe(fit.cells), fit.pose
    # Nearest first: among equal scores, as in an even part of the maps, the fit stays where it is.
    aside = np.array(sorted(([x, y] for y in _SHIFTS for x in _SHIFTS), key=lambda at: at[0] ** 2 + at[1] ** 2))
    tried = np.array([[*at, pose.angle_deg, pose.wide, pose.high] for at in pose.place(probe.middle + aside)])
    scores = _scores(tried[None], _Probes.of([probe]), _Maps(piece, rim), (pose.wide, pose.high))[0]
    best = int(scores.round(_ALIKE).argmax())
    x, y = pose.place(aside[best])
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)))


def settle(
    fits: Sequence[Fit], piece: NDArray[np.float32], rim: NDArray[np.float32], stretch: tuple[float, float]
) -> list[Fit]:
    """Return fits, each moved independently to its local optimum.

    Args:
        fits: the initial fits; at least one.
        piece: log-odds that a piece lies there, clipped, shape (height, width), `MAP_PX` pixels a cell.
        rim: the same for rims.
        stretch: expected size of a cell, by the pieces around it, (along x, along y) of table space.
    """
    each, maps = [_probe(fit.cells) for fit in fits], _Maps(piece, rim)
    probes = _Probes.of(each)
    now = np.array([_about(fit.pose, probe) for fit, probe in zip(fits, each, strict=True)]).reshape(-1, 5)
    best = _scores(now[:, None], probes, maps, stretch)[:, 0]
    steps, halvings = np.tile(_STEPS, (len(fits), 1)), np.zeros(len(fits), np.intp)
    for _ in range(_ROUNDS):
        moving = np.flatnonzero(halvings < _HALVINGS)
        if not len(moving):
            break
        tried = now[moving, None] + _NEIGHBOURS * steps[moving, None]
        scores = _scores(tried, probes[moving], maps, stretch)
        number = scores.argmax(axis=1)
        highest = scores[np.arange(len(moving)), number]
        better = highest > best[moving]
        ahead, behind = moving[better], moving[~better]
        now[ahead], best[ahead] = tried[better, number[better]], highest[better]
        steps[behind] /= 2
        halvings[behind] += 1
    return [_posed(fit, probe, at, score) for fit, probe, at, score in zip(fits, each, now, best.tolist(), strict=True)]


def _about(pose: PiecePose, probe: _Probe) -> list[float]:
    """Return x, y (of the way's middle), angle and both lengths of a cell."""
    return [*pose.place(probe.middle).tolist(), pose.angle_deg, pose.wide, pose.high]


def _posed(fit: Fit, probe: _Probe, at: NDArray[np.float64], score: float) -> Fit:
    """Return the fit with its way's middle, angle and lengths of a cell as given, shape (5,)."""
    pose = PiecePose(0.0, 0.0, *at[2:].tolist())
    x, y = at[:2] - pose.place(probe.middle)
    return replace(fit, pose=replace(pose, x=float(x), y=float(y)), score=score)


def weakest(fit: Fit, piece: NDArray[np.float32], rim: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean log-odds of a fit's worst cell, and of its worst edge; inner edges count inverted.

    A cell too many or too few is detected by this, however well the rest fits.
    """
    probe = _probe(fit.cells)
    now = np.array([[_about(fit.pose, probe)]])
    on_cells, on_edges = _Maps(piece, rim).sampled(_Probes.of([probe]), now)
    inside = on_cells.reshape(len(fit.cells), -1).mean(axis=1)
    signs = np.sign(probe.rim_weights).reshape(-1, len(_ACROSS))[:, 0]
    rims = on_edges.reshape(-1, len(_ACROSS)).mean(axis=1)
    return float(inside.min()), float((rims * signs).min())


def _scores(
    tried: NDArray[np.float64], probes: _Probes, maps: _Maps, stretch: tuple[float, float]
) -> NDArray[np.float64]:
    """Return the scores of ways in the poses tried for each, (ways, k, 5), as (ways, k)."""
    on_cells, on_edges = maps.sampled(probes, tried)
    inside, rims = (on_cells @ probes.inside_weights)[..., 0], (on_edges @ probes.rim_weights)[..., 0]
    cos2 = np.cos(np.radians(tried[..., 2])) ** 2
    wide = tried[..., 3] / (stretch[0] * cos2 + stretch[1] * (1 - cos2)) - 1
    high = tried[..., 4] / (stretch[0] * (1 - cos2) + stretch[1] * cos2) - 1
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
