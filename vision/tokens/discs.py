"""Detection of round tokens on a table.

All edge points of a token's rim face its middle, on any ground: candidates are searched for in the table's structure
tensor, one ring of each size at a time, and each is then fitted to the edge points around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.geometry import Homography, translation
from vision.table.plane import OverheadView, view_table

RING_PX: Final = 24
"""Pixels a cell of the view for the search: the smallest token is 15 across."""
FINE_PX: Final = 48
"""Pixels a cell of the view for the fit of circles."""
# Radii searched for: buttons of 1 to 20 had 0.33 to 0.56 cells on table recordings; those printed on patches 0.32 at
# most.
_RADII_CELLS: Final = np.arange(6.5, 14.1, 0.5) / RING_PX
# The least share of a ring's edge that faces its middle: of 60 whole tokens each had 0.7 and more.
_LEAST_RING: Final = 0.5
# Margin around a cell that is examined: the fit needs a radius and more beyond a token's rim.
_AROUND_CELLS: Final = 0.75
# The greatest distance between the middles of a token and the cell that it lies in.
_ASIDE_CELLS: Final = 0.3
# The greatest radius of a token in a cell: a larger circle extends over the cell, like the rim of leather.
_WITHIN_CELLS: Final = 0.5
_RING_WIDTH_PX: Final = 0.8
# Squared CIELAB units a pixel that are added to an edge's strength, so that noise has no direction.
_FAINT: Final = 4.0
# Weight of an edge in lightness against one in colour: shadows have edges, too.
_COLOURS: Final = np.array([0.5, 1.0, 1.0], np.float32)
# The greatest distance from a board at which players put their tokens.
_REACH_CELLS: Final = 12.0
# A board's outline in widths of its grid.
_BOARD: Final = 1.06
_DIRECTIONS: Final = np.linspace(0, 2 * np.pi, 64, endpoint=False)
_FIT_CELLS: Final = np.arange(0.2, 1.25, 0.02)
# Standard deviation, in radii, of the distance at which an edge point is expected.
_NEAR: Final = 0.1
# Distance from the circle, in radii, up to which an edge point is on it.
_ON_CIRCLE: Final = 0.07
_CLOSELY: Final = 0.04
# The least edge strength, in CIELAB units between two points of a ray: rims of tokens have 4 to 14, the weave of cloth
# up to 2.
_LEAST_EDGE: Final = 2.0
_ROUNDS: Final = 3
_LEAST_ROUND: Final = 0.6
_ROUND: Final = 0.85
# Thresholds of a whole rim: of whole and bare tokens each had more of both.
_RING: Final = 0.72
# The least variation of a face, in CIELAB units: of 60 tokens each had 7.5 and more, for their well and holes; plain
# fields and chequers had up to 5.
_LEAST_PRINT: Final = 6.0
# Part of a disc, in radii, whose colour is measured: without the holes in its middle and the bevel of its rim.
_FACE: Final = (0.35, 0.8)
# Distances beyond a rim that are sampled: a single token's own side is visible up to 0.08 cells, more of one under it.
_BORDER_CELLS: Final = (0.10, 0.14, 0.18, 0.22)
_GROUND_CELLS: Final = (0.4, 0.5, 0.6)
# Margin around a neighbour that contains its side and its shadow.
_NEIGHBOUR_CELLS: Final = 0.1
# Percentile of directions that is the darkest: a shadow falls on one side, and grain is darker in one or two.
_DARKEST: Final = 12.5
# Difference from the ground, in CIELAB's a and b, that is more than a shadow's.
_BORDERS: Final = 7.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A round object on the table.

    Attributes:
        middle: (x, y) in table space.
        radius_cells: of its rim.
        ring: share of the rim's edge that faces its middle, 0..1.
        round: share of directions with an edge on the fitted circle, 0..1.
        even: the same for a much narrower circle: two tokens almost on one another are a little egg-shaped.
        face: its colour, CIELAB: lightness 0..255, a and b around 0.
        print: variation of the face in CIELAB units, by its print; low for plain cloth.
        beside: share of directions in which something coloured, neither ground nor neighbour, borders on its rim.
        shade: lightness of its shadow beside its rim, relative to the ground; lower for two tokens on one another.
    """

    middle: tuple[float, float]
    radius_cells: float
    ring: float
    round: float
    even: float
    face: tuple[float, float, float]
    print: float
    beside: float
    shade: float

    @property
    def is_whole(self) -> bool:
        """True if its rim is visible all around, as on a token without anything on it."""
        return self.round >= _ROUND and self.ring >= _RING

    def off(self, other: "Disc") -> float:
        """Return the distance between the middles of two discs, in cells."""
        return float(np.hypot(self.middle[0] - other.middle[0], self.middle[1] - other.middle[1]))


@dataclass(frozen=True, slots=True, eq=False)
class SeenDiscs:
    """The discs around the boards, and the view in which they were detected.

    Attributes:
        discs: the discs, roundest first; none lies within another.
        view: the table, `FINE_PX` pixels a cell.
    """

    discs: tuple[Disc, ...]
    view: OverheadView


def find_discs(image: NDArray[np.uint8], boards: Sequence[Homography]) -> SeenDiscs:
    """Find round objects of the size of tokens around quilt boards, excluding those on the boards.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        boards: one or two maps from a board's cell space to the photograph.
    """
    view, fine = view_table(image, boards, RING_PX), view_table(image, boards, FINE_PX)
    left, top, right, bottom = _window(view)
    rings, radii = _rings(view.picture[top:bottom, left:right])
    free = _free(view)[top:bottom, left:right]
    peaks = (rings == cv2.dilate(rings, np.ones((9, 9), np.uint8))) & (rings > _LEAST_RING) & free
    table = _Table.of(fine.picture)
    discs: list[Disc] = []
    for row, column in np.argwhere(peaks):
        middle = np.array([column + left + 0.5, row + top + 0.5]) / RING_PX
        disc = _fitted(table, middle, float(radii[row, column]), float(rings[row, column]))
        if disc is not None:
            discs.append(disc)
    found = _without_overlaps(discs)
    return SeenDiscs(tuple(_with_border(disc, found, table) for disc in found), fine)


def token_in_cell(image: NDArray[np.uint8], board: Homography, cell: tuple[int, int]) -> Disc | None:
    """Return the round token in a cell of a quilt board, or None if none is there with certainty.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        board: map from the board's cell space to its pixels.
        cell: (row, column).
    """
    row, column = cell
    corner = translation(column - _AROUND_CELLS, row - _AROUND_CELLS)
    side = 1 + 2 * _AROUND_CELLS
    coarse, fine = (_rectified(image, board.after(corner), side, px) for px in (RING_PX, FINE_PX))
    rings, radii = _rings(coarse)
    low, high = round((side / 2 - _ASIDE_CELLS) * RING_PX), round((side / 2 + _ASIDE_CELLS) * RING_PX)
    inner = rings[low:high, low:high]
    at = np.unravel_index(int(inner.argmax()), inner.shape)
    place = (int(at[0]) + low, int(at[1]) + low)
    middle = np.array([place[1] + 0.5, place[0] + 0.5]) / RING_PX
    disc = _fitted(_Table.of(fine), middle, float(radii[place]), float(rings[place]), least_print=0.0)
    return disc if disc is not None and disc.is_whole and disc.radius_cells < _WITHIN_CELLS else None


def _rectified(image: NDArray[np.uint8], place: Homography, side: float, cell_px: int) -> NDArray[np.uint8]:
    """Return a square of a board from straight above, with a given side in cells."""
    size = round(side * cell_px)
    to_view = np.array([[cell_px, 0, -0.5], [0, cell_px, -0.5], [0, 0, 1.0]])
    matrix = to_view @ place.inverse.matrix
    return np.asarray(cv2.warpPerspective(image, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A table's colours, CIELAB, `FINE_PX` pixels a cell: sharp, and slightly blurred."""

    sharp: NDArray[np.float32]
    smooth: NDArray[np.float32]

    @classmethod
    def of(cls, picture: NDArray[np.uint8]) -> "_Table":
        lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32) - np.array([0, 128, 128], np.float32)
        return cls(lab, np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.5), np.float32))


def _window(view: OverheadView) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom, in pixels, of the area around the boards."""
    corners = np.concatenate(view.boards)
    height, width = view.seen.shape
    low = np.floor((corners.min(axis=0) - _REACH_CELLS) * RING_PX).astype(int).clip(0)
    high = np.ceil((corners.max(axis=0) + _REACH_CELLS) * RING_PX).astype(int).clip(0, [width, height])
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _free(view: OverheadView) -> NDArray[np.bool_]:
    """Return the mask of the table in a view, without the quilt boards."""
    boards = np.zeros(view.seen.shape, np.uint8)
    for corners in view.boards:
        middle = corners.mean(axis=0)
        outline = np.round((middle + _BOARD * (corners - middle)) * view.cell_px).astype(np.int32)
        cv2.fillConvexPoly(boards, outline, 1)
    return np.asarray(view.seen & (boards == 0))


def _rings(picture: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return for each pixel the share of the likeliest ring around it that is an edge facing it, and its radius."""
    lab = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.0)
    across, down = (cv2.Sobel(lab, cv2.CV_32F, dx, 1 - dx, ksize=3) / 8 for dx in (1, 0))
    xx, xy, yy = (reductions.total(_COLOURS * product) for product in (across**2, across * down, down**2))
    strength = xx + yy + _FAINT
    twice_cos, twice_sin = (xx - yy) / strength, 2 * xy / strength
    best, radii = np.full(xx.shape, -1.0, np.float32), np.zeros(xx.shape, np.float32)
    for radius in _RADII_CELLS:
        along, aslant = _ring_kernels(radius * RING_PX)
        faced = cv2.filter2D(twice_cos, -1, along) + cv2.filter2D(twice_sin, -1, aslant)
        better = faced > best
        best, radii = np.where(better, faced, best), np.where(better, np.float32(radius), radii)
    return best, radii


def _ring_kernels(radius_px: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    reach = int(np.ceil(radius_px)) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    away = np.hypot(x, y) + 1e-6
    ring = np.exp(-(((away - radius_px) / _RING_WIDTH_PX) ** 2) / 2)
    ring /= ring.sum()
    return np.asarray(ring * (x * x - y * y) / away**2), np.asarray(ring * 2 * x * y / away**2)


def _fitted(
    table: _Table, middle: NDArray[np.float64], radius: float, ring: float, least_print: float = _LEAST_PRINT
) -> Disc | None:
    """Return the disc whose rim fits the edges around a point, or None if they form no circle, or it is plain."""
    share = even = 0.0
    if _face(table, middle, radius)[1] < least_print:
        return None
    for _ in range(_ROUNDS):
        fit = _circle(table.smooth, middle, radius)
        if fit is None:
            return None
        offset, radius, share, even = fit
        middle = middle + offset
    colour, varied = _face(table, middle, radius)
    if share < _LEAST_ROUND or varied < least_print:
        return None
    return Disc(_pair(middle), radius, ring, share, even, colour, varied, 1.0, 0.0)


def _face(table: _Table, middle: NDArray[np.float64], radius: float) -> tuple[tuple[float, float, float], float]:
    """Return the colour of a disc's face, and its variation."""
    face = _at(table.sharp, middle, radius * np.linspace(*_FACE, 8))
    colour = np.median(face.reshape(-1, 3), axis=0)
    varied = np.linalg.norm((face - colour) * _COLOURS, axis=-1)
    light, green_red, blue_yellow = colour.tolist()
    return (light, green_red, blue_yellow), float(np.percentile(varied, 75))


def _pair(point: NDArray[np.float64]) -> tuple[float, float]:
    x, y = point.tolist()
    return x, y


def _circle(
    table: NDArray[np.float32], middle: NDArray[np.float64], radius: float
) -> tuple[NDArray[np.float64], float, float, float] | None:
    """Return the offset of a circle's middle, its radius, and the shares of directions that agree (closely)."""
    rays = _at(table, middle, _FIT_CELLS)
    edges = np.linalg.norm(np.diff(rays, axis=0) * np.array([0.7, 1, 1]), axis=2)
    steps = (_FIT_CELLS[1:] + _FIT_CELLS[:-1]) / 2
    likeliest = (edges * np.exp(-(((steps - radius) / (_NEAR * radius)) ** 2) / 2)[:, None]).argmax(axis=0)
    strong = edges[likeliest, np.arange(len(_DIRECTIONS))] > _LEAST_EDGE
    away = steps[likeliest] + (steps[1] - steps[0]) * _peak(edges, likeliest)
    x, y = away * np.cos(_DIRECTIONS), away * np.sin(_DIRECTIONS)
    agrees, off, fitted, a, b = strong, np.zeros_like(x), radius, 0.0, 0.0
    for _ in range(_ROUNDS + 1):
        if np.count_nonzero(agrees) < len(_DIRECTIONS) // 4:
            return None
        terms = np.stack([x, y, np.ones_like(x)], axis=1)[agrees]
        (a, b, c), *_ = np.linalg.lstsq(terms, (x * x + y * y)[agrees], rcond=None)
        fitted = float(np.sqrt(max(c + (a * a + b * b) / 4, 1e-6)))
        off = np.abs(np.hypot(x - a / 2, y - b / 2) / fitted - 1)
        agrees = strong & (off < _ON_CIRCLE)
    if not _RADII_CELLS[0] * 0.8 < fitted < _RADII_CELLS[-1] * 1.2:
        return None
    return np.array([a / 2, b / 2]), fitted, float(agrees.mean()), float((strong & (off < _CLOSELY)).mean())


def _peak(edges: NDArray[np.floating], at: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for each direction the subpixel offset of the strongest edge, -0.5..0.5 steps, by a parabola."""
    inner, every = at.clip(1, len(edges) - 2), np.arange(edges.shape[1])
    before, middle, after = (edges[inner + offset, every] for offset in (-1, 0, 1))
    bend = np.maximum(2 * middle - before - after, 1e-6)
    return np.asarray(((after - before) / (2 * bend)).clip(-0.5, 0.5), np.float64)


def _with_border(disc: Disc, discs: Sequence[Disc], table: _Table) -> Disc:
    """Return a disc with `beside` and `shade` measured, without the influence of its neighbours."""
    middle, radius = np.array(disc.middle), disc.radius_cells
    free = np.logical_and.reduce([np.ones_like(_DIRECTIONS, bool), *(_beyond(disc, other) for other in discs)])
    if np.count_nonzero(free) < len(_DIRECTIONS) // 2:
        return disc
    around = _at(table.smooth, middle, radius + np.array(_GROUND_CELLS))[:, free]
    ground = np.median(around.reshape(-1, 3), axis=0)
    border = _at(table.smooth, middle, radius + np.array(_BORDER_CELLS))[:, free]
    away = np.median(np.linalg.norm((border - ground)[..., 1:], axis=-1), axis=0)
    light = border[1:3, :, 0] / max(float(ground[0]), 1.0)
    shade = float(np.percentile(light, _DARKEST, axis=1).min())
    return replace(disc, beside=float((away > _BORDERS).mean()), shade=shade)


def _beyond(disc: Disc, other: Disc) -> NDArray[np.bool_]:
    """Return the mask of directions from a disc in which another is not near its rim."""
    away = disc.off(other)
    reach = other.radius_cells + _NEIGHBOUR_CELLS
    if disc is other or away > disc.radius_cells + reach + _GROUND_CELLS[-1] or away <= reach:
        return np.ones_like(_DIRECTIONS, bool)
    towards = np.arctan2(other.middle[1] - disc.middle[1], other.middle[0] - disc.middle[0])
    turn = np.abs((_DIRECTIONS - towards + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(turn > np.arcsin(reach / away))


def _at(table: NDArray[np.float32], middle: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a table's colours around a point, shape (radii, directions, 3); lengths are in cells."""
    x = middle[0] + np.outer(radii, np.cos(_DIRECTIONS))
    y = middle[1] + np.outer(radii, np.sin(_DIRECTIONS))
    across, down = ((each * FINE_PX - 0.5).astype(np.float32) for each in (x, y))
    return np.asarray(cv2.remap(table, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _without_overlaps(discs: Sequence[Disc]) -> tuple[Disc, ...]:
    """Return the discs without those that lie within a rounder one."""
    kept: list[Disc] = []
    for disc in sorted(discs, key=lambda each: -(each.round + each.ring)):
        if all(disc.off(other) > 0.6 * max(disc.radius_cells, other.radius_cells) for other in kept):
            kept.append(disc)
    return tuple(kept)
