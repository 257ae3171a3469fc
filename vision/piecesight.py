"""The pieces that lie on a table: which shapes each may have, where it lies, and whether all of it is in view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pictureend import beyond_picture, borders_on, cut_off, ends_in, leaves, map_pixels, outline_in_table
from vision.piecechoice import Supply, choose, shared_cells
from vision.piecefit import clipped, find_fits
from vision.piecelook import look_again
from vision.pieceposes import settle, weakest
from vision.pieces import MAP_PX, see_pieces
from vision.polyominoes import all_ways

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.piecechoice import Slot
    from vision.piecefit import Fit
    from vision.pieces import PieceMaps
    from vision.polyominoes import Cells
    from vision.tableplane import TableView

_BOARD_CELLS: Final = 9.6
"""A quilt board's outer edge in cells, with a little room for a grid that was not found exactly."""
_CLOSE_LOOKS: Final = 7
_BEYOND_CELLS, _AT_EDGE_CELLS = -0.15, 0.35
"""How far from where the picture ends, inwards, a piece ends that goes on beyond, and one that may do so."""
_TOUCHING_CELLS: Final = 0.12
_ONE_PLACE_CELLS: Final = 0.6
"""Pieces of two looks that share so much are in one place."""
_FIRST_LOOK: Final = 0.4
"""What the first look's surety counts beside the second's."""
_AGREES: Final = 0.8
"""A look that is less sure of a shape does not speak for it."""
_LEAST_STRAY_CELLS: Final = 0.9
_LEAST_LABEL_CELLS: Final = 0.12
_NEARBY_CELLS: Final = 8.0
_GOOD_A_CELL: Final = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One piece.

    Attributes:
        fits: the best fit of each shape that it may have, the best first.
        margin: by how much the neighbourhood is explained worse if it is no piece of the first shape.
        label: log-odds that a label is printed on it.
        cell: log-odds that a piece lies in its worst cell.
        edge: log-odds that its worst edge is one, or is none between two cells.
        spill: how much around it looks like a piece that is none of the others, 0..1.
        whole: whether it ends within the picture on all sides.
        at_edge: whether it ends so near where the picture ends, or borders on what does, that it may go on beyond.
        touching: numbers of the pieces that it touches or lies upon.
        agreed: whether the other look, too, saw this shape here: a print like the ground makes the second too sure.
    """

    fits: tuple[Fit, ...]
    margin: float
    label: float
    cell: float
    edge: float
    spill: float
    whole: bool
    at_edge: bool
    touching: tuple[int, ...]
    agreed: bool = True

    @property
    def outline(self) -> NDArray[np.float64]:
        """The corners of the likeliest shape, (n, 2) in table space."""
        return outline_in_table(self.fits[0])


def _quality(piece: Sighting) -> float:
    return piece.fits[0].quality


@dataclass(frozen=True, slots=True, eq=False)
class Stray:
    """What looks like a part of a piece, but fits no shape: its outline (n, 2) in table space, and if all is seen."""

    outline: NDArray[np.float64]
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """All that lies there.

    Attributes:
        pieces: what fits a shape.
        strays: what does not.
        maps: what both come from, for whoever wants to look for more in them.
    """

    pieces: tuple[Sighting, ...]
    strays: tuple[Stray, ...]
    maps: PieceMaps


def sight_pieces(
    view: TableView,
    fine: TableView,
    shapes: tuple[Cells, ...],
    counts: Sequence[int] = (),
    surety: Callable[[Sighting], float] = _quality,
) -> Sightings:
    """Find the pieces on a table, by two looks: once the first pieces are found, their prints tell more.

    Where prints are like the ground, or have large pictures, the second look may see worse: of what both see
    otherwise, the surer is taken.

    Args:
        view: the table from straight above, `vision.pieces.CELL_PX` pixels a cell.
        fine: the same, `vision.prints.LOOK_PX` pixels a cell.
        shapes: the shapes that pieces may have.
        counts: how many pieces of each there are; where none are given, any number.
        surety: how likely it is that the likeliest shape of a piece is right, 0..1.
    """
    maps = see_pieces(view.picture, view.seen)
    boards = _boards(view, maps.piece.shape)
    maps = maps.without(boards)
    first = _sighted(maps, view, _chosen(maps, view, shapes, counts))
    finer = look_again(fine, maps, [piece.fits[0] for piece in first]).without(boards)
    second = _sighted(finer, view, _chosen(finer, view, shapes, counts))
    best = _surest(first, second, surety)
    beside = _touching([piece.fits[0] for piece in best])
    pieces = tuple(replace(piece, touching=touching) for piece, touching in zip(best, beside, strict=True))
    edge = beyond_picture(view, maps.piece.shape, _AT_EDGE_CELLS)
    return Sightings(pieces, _strays(maps, [piece.fits[0] for piece in best], edge), maps)


def _surest(
    first: Sequence[Sighting], second: Sequence[Sighting], surety: Callable[[Sighting], float]
) -> list[Sighting]:
    """Of both looks' pieces the surest, as far as none lies where another does; the second look is trusted more."""
    ranked = [(-surety(piece), replace(piece, agreed=_agreed(piece, first, surety))) for piece in second]
    ranked += [(-_FIRST_LOOK * surety(piece), piece) for piece in first]
    ranked.sort(key=lambda each: each[0])
    shared = shared_cells([piece.fits[0] for _, piece in ranked])
    kept: list[int] = []
    for number in range(len(ranked)):
        if not (shared[number, kept] > _ONE_PLACE_CELLS).any():
            kept.append(number)
    return [ranked[number][1] for number in kept]


def _agreed(piece: Sighting, first: Sequence[Sighting], surety: Callable[[Sighting], float]) -> bool:
    fit = piece.fits[0]
    alike = [other for other in first if other.fits[0].shape == fit.shape and surety(other) >= _AGREES]
    return any(np.hypot(*(other.fits[0].centre - fit.centre)) < _ONE_PLACE_CELLS for other in alike)


def _chosen(maps: PieceMaps, view: TableView, shapes: tuple[Cells, ...], counts: Sequence[int]) -> list[Slot]:
    edge = beyond_picture(view, maps.piece.shape, _AT_EDGE_CELLS)
    supply = Supply(tuple(counts), lambda fit: ends_in(edge, fit))
    return choose(find_fits(maps, all_ways(shapes)), _labels(maps), supply)


def _sighted(maps: PieceMaps, view: TableView, slots: Sequence[Slot]) -> list[Sighting]:
    beyond, edge = (beyond_picture(view, maps.piece.shape, reach) for reach in (_BEYOND_CELLS, _AT_EDGE_CELLS))
    settled = _all_settled([(slot.best, *slot.others[: _CLOSE_LOOKS - 1]) for slot in slots], maps)
    best = [fits[0] for fits in settled]
    piece, rim = clipped(maps)
    cut = cut_off(maps, best, edge)
    return [
        Sighting(
            fits,
            slot.margin,
            _label(maps, fits[0]),
            *weakest(fits[0], piece, rim),
            spill,
            not leaves(beyond, outline_in_table(fits[0])),
            leaves(edge, outline_in_table(fits[0])) or borders_on(cut, fits[0]),
            (),
        )
        for slot, fits, spill in zip(slots, settled, _spills(maps, best), strict=True)
    ]


def _all_settled(begun: Sequence[Sequence[Fit]], maps: PieceMaps) -> list[tuple[Fit, ...]]:
    """Every piece's fits where they fit best, first each by itself, then by what size the others are."""
    piece, rim = clipped(maps)
    best = [fits[0] for fits in begun]
    first = [_settled(fits, _alone(n, best, piece), rim, (1.0, 1.0)) for n, fits in enumerate(begun)]
    best = [fits[0] for fits in first]
    return [_settled(fits, _alone(n, best, piece), rim, _stretch_near(fits[0], first)) for n, fits in enumerate(first)]


def _boards(view: TableView, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for grid in view.boards:
        middle = grid.mean(axis=0)
        cv2.fillPoly(mask, [map_pixels(middle + (grid - middle) * _BOARD_CELLS / 9)], 1)
    return np.asarray(mask > 0)


def _settled(
    fits: Sequence[Fit], piece: NDArray[np.float32], rim: NDArray[np.float32], stretch: tuple[float, float]
) -> tuple[Fit, ...]:
    return tuple(sorted((settle(fit, piece, rim, stretch) for fit in fits), key=lambda fit: -fit.score))


def _alone(number: int, fits: Sequence[Fit], piece: NDArray[np.float32]) -> NDArray[np.float32]:
    """The map of pieces as one piece may claim it: what others lie on is theirs."""
    claimed = np.zeros(piece.shape, np.uint8)
    for other, fit in enumerate(fits):
        if other != number and np.hypot(*(fit.centre - fits[number].centre)) < _NEARBY_CELLS:
            cv2.fillPoly(claimed, [map_pixels(outline_in_table(fit))], 1)
    return np.asarray(np.where(claimed > 0, piece.min(), piece), np.float32)


def _stretch_near(fit: Fit, settled: Sequence[tuple[Fit, ...]]) -> tuple[float, float]:
    """How large a cell looks around there, (along x, along y), by the pieces that fit well."""
    good = [fits[0] for fits in settled if fits[0].score > _GOOD_A_CELL * len(fits[0].cells)]
    if not good:
        return 1.0, 1.0
    apart = np.array([np.hypot(*(other.centre - fit.centre)) for other in good])
    weights = np.exp(-0.5 * (apart / _NEARBY_CELLS) ** 2) + 1e-3
    sizes = np.array([_sizes(other) for other in good])
    # As if one more piece of the usual size lay there: few pieces say little.
    along = (weights @ sizes + 1.0) / (weights.sum() + 1.0)
    return float(along[0]), float(along[1])


def _sizes(fit: Fit) -> tuple[float, float]:
    cos2 = float(np.cos(np.radians(fit.pose.angle_deg)) ** 2)
    wide, high = fit.pose.wide, fit.pose.high
    return wide * cos2 + high * (1 - cos2), wide * (1 - cos2) + high * cos2


def _touching(fits: Sequence[Fit]) -> list[tuple[int, ...]]:
    """For each fit the numbers of those whose outlines come nearer than a seam to its own, or that it lies upon."""
    shared = shared_cells(fits)
    outlines = [outline_in_table(fit) for fit in fits]
    touching: list[list[int]] = [[] for _ in fits]
    for one, fit in enumerate(fits):
        for other in range(one + 1, len(fits)):
            if np.hypot(*(fit.centre - fits[other].centre)) > 6:
                continue
            if shared[one, other] > 0.3 or _apart(outlines[one], outlines[other]) < _TOUCHING_CELLS:
                touching[one].append(other)
                touching[other].append(one)
    return [tuple(each) for each in touching]


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The least distance of the corners of either outline from the other one, in cells; 0 or less where they cross."""
    distances = [
        -cv2.pointPolygonTest(polygon.astype(np.float32), (float(x), float(y)), True)
        for corners, polygon in ((one, other), (other, one))
        for x, y in corners
    ]
    return min(distances)


def _labels(maps: PieceMaps) -> NDArray[np.float64]:
    """Where labels are, shape (n, 2), table space."""
    count, _, stats, middles = cv2.connectedComponentsWithStats((maps.label > 0).astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= _LEAST_LABEL_CELLS * MAP_PX**2
    large[0] = False
    return np.asarray((middles[large] + 0.5) / MAP_PX if count > 1 else np.zeros((0, 2)), np.float64)


def _label(maps: PieceMaps, fit: Fit) -> float:
    """The log-odds of the likeliest place of a label on a piece, a third of a cell wide."""
    mask = np.zeros(maps.label.shape, np.uint8)
    cv2.fillPoly(mask, [map_pixels(outline_in_table(fit))], 1)
    calm = cv2.blur(maps.label, (3, 3))
    return float(calm[mask > 0].max(initial=-4.0))


def _spills(maps: PieceMaps, fits: Sequence[Fit]) -> list[float]:
    """For each fit the likeliness of pieces in a band around it, other fits left out."""
    covered = np.zeros(maps.piece.shape, np.uint8)
    for fit in fits:
        cv2.fillPoly(covered, [map_pixels(outline_in_table(fit))], 1)
        cv2.polylines(covered, [map_pixels(outline_in_table(fit))], True, 1, 2)
    likely = 1 / (1 + np.exp(-maps.piece))
    spills = []
    for fit in fits:
        band = np.zeros(maps.piece.shape, np.uint8)
        cv2.polylines(band, [map_pixels(outline_in_table(fit))], True, 1, MAP_PX)
        inside = (band > 0) & (covered == 0)
        spills.append(float(likely[inside].mean()) if inside.any() else 0.0)
    return spills


def _strays(maps: PieceMaps, fits: Sequence[Fit], beyond: NDArray[np.bool_]) -> tuple[Stray, ...]:
    """Parts of pieces that no fit explains: at least about a cell, with a label on it."""
    left = ((maps.piece > 0) & (maps.rim < 1)).astype(np.uint8)
    for fit in fits:
        cv2.fillPoly(left, [map_pixels(outline_in_table(fit))], 0)
        cv2.polylines(left, [map_pixels(outline_in_table(fit))], True, 0, MAP_PX // 2)
    calm = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(calm, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    strays = []
    for contour in contours:
        if cv2.contourArea(contour) < _LEAST_STRAY_CELLS * MAP_PX**2:
            continue
        filled = np.zeros(left.shape, np.uint8)
        cv2.fillPoly(filled, [contour], 1)
        inside = filled > 0
        if maps.label[inside].max() > 0:
            outline = (cv2.approxPolyDP(contour, 1.0, True).reshape(-1, 2) + 0.5) / MAP_PX
            strays.append(Stray(outline, not (inside & beyond).any()))
    return tuple(strays)
