"""Search for the pieces on a table: their possible shapes, their places, and whether each is wholly in view."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.button_places import find_buttons
from vision.pieces.choice import ONE_PLACE_CELLS, Labels, Slot, Supply, choose
from vision.pieces.fit import Fit, find_fits
from vision.pieces.label_places import label_places
from vision.pieces.maps import MAP_PX, PieceMaps, see_pieces
from vision.pieces.overlap import shared_cells
from vision.pieces.picture_edge import beyond_picture, ends_in, map_pixels
from vision.pieces.polyominoes import all_ways
from vision.pieces.second_look import look_again
from vision.pieces.settling import AT_EDGE_CELLS, sightings_of
from vision.pieces.sightings import Box, Sighting, Sightings, Stray
from vision.pieces.third_look import locate_rest
from vision.progress import Progress, ignore_progress, stretch
from vision.table.plane import OverheadView

# A quilt board's outer edge in cells, with a margin for an inexact grid.
_BOARD_CELLS: Final = 9.6
# Largest gap between two outlines that counts as the seam between two pieces.
_TOUCHING_CELLS: Final = 0.12
# Fits of one shape whose middles are no farther apart are of one piece.
_ONE_CENTRE_CELLS: Final = 0.6
# Weight of the first look's surety against the second's.
_FIRST_LOOK: Final = 0.4
# The least surety with which the first look confirms a shape.
_AGREES: Final = 0.8
# Area of the least stray part: about one cell.
_LEAST_STRAY_CELLS: Final = 0.9
_SEEN, _CHOSEN = 0.28, 0.77
"""Shares of the work that are done after the network's maps, and after the first choice."""
_LOOKED, _CHOSEN_AGAIN, _SETTLED_AGAIN = 0.12, 0.6, 0.79
"""Measured shares of the time at which the steps of the first look, and of the others, end."""
# Share of a choice's time that is spent on finding fits.
_FITTED: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    """The result of the first look at a table: the network's maps, without the boards, and the pieces it suggests."""

    maps: PieceMaps
    pieces: tuple[Sighting, ...]


def first_look(view: OverheadView, box: Box, progress: Progress = ignore_progress) -> FirstLook:
    """Find the pieces on a table whose prints are unknown.

    Args:
        view: the table from straight above, `vision.pieces.maps.CELL_PX` pixels a cell.
        box: prior knowledge of the pieces.
        progress: called with the share of the work done, 0..1.
    """
    maps = see_pieces(view.picture, view.seen, stretch(progress, 0, _SEEN))
    maps = maps.without(_boards(view, maps.piece.shape))
    slots = _chosen(maps, view, box, stretch(progress, _SEEN, _CHOSEN))
    pieces = tuple(sightings_of(maps, view, slots))
    progress(1.0)
    return FirstLook(maps, pieces)


def locate_pieces(
    before: FirstLook, view: OverheadView, fine: OverheadView, box: Box, progress: Progress = ignore_progress
) -> Sightings:
    """Find the pieces on a table by two more looks, with prints learnt from the pieces already found.

    The second look may be worse for prints that are like the ground or have large pictures; if the two looks differ,
    the surer one is taken. The third look is for pieces that neither is sure of.

    Args:
        before: the result of the first look.
        view: the table from straight above, `vision.pieces.maps.CELL_PX` pixels a cell.
        fine: the same, `vision.pieces.prints.LOOK_PX` pixels a cell.
        box: prior knowledge of the pieces.
        progress: called with the share of the work done, 0..1.
    """
    maps, first = before.maps, before.pieces
    finer = look_again(fine, maps, [piece.fits[0] for piece in first]).without(_boards(view, maps.piece.shape))
    progress(_LOOKED)
    slots = _chosen(finer, view, box, stretch(progress, _LOOKED, _CHOSEN_AGAIN))
    second = sightings_of(finer, view, slots)
    progress(_SETTLED_AGAIN)
    best = locate_rest(_most_certain(first, second, box.surety), finer, view, box, find_buttons(fine))
    progress(1.0)
    beside = _touching([piece.fits[0] for piece in best])
    pieces = tuple(replace(piece, touching=touching) for piece, touching in zip(best, beside, strict=True))
    edge = beyond_picture(view, maps.piece.shape, AT_EDGE_CELLS)
    return Sightings(pieces, _strays(maps, [piece.fits[0] for piece in best], edge), maps)


def _most_certain(
    first: Sequence[Sighting], second: Sequence[Sighting], surety: Callable[[Sighting], float]
) -> list[Sighting]:
    """Return the surest of both looks' pieces that do not overlap; the second look has more weight."""
    ranked = [(-surety(piece), replace(piece, agreed=_agreed(piece, first, surety))) for piece in second]
    ranked += [(-_FIRST_LOOK * surety(piece), piece) for piece in first]
    ranked.sort(key=lambda each: each[0])
    shared = shared_cells([piece.fits[0] for _, piece in ranked])
    kept: list[int] = []
    for number in range(len(ranked)):
        if not (shared[number, kept] > ONE_PLACE_CELLS).any():
            kept.append(number)
    return [ranked[number][1] for number in kept]


def _agreed(piece: Sighting, first: Sequence[Sighting], surety: Callable[[Sighting], float]) -> bool:
    fit = piece.fits[0]
    alike = [other for other in first if other.fits[0].shape == fit.shape and surety(other) >= _AGREES]
    return any(np.hypot(*(other.fits[0].centre - fit.centre)) < _ONE_CENTRE_CELLS for other in alike)


def _chosen(maps: PieceMaps, view: OverheadView, box: Box, progress: Progress) -> list[Slot]:
    edge = beyond_picture(view, maps.piece.shape, AT_EDGE_CELLS)
    supply = Supply(box.counts, lambda fit: ends_in(edge, fit))
    labels = Labels.unread(label_places(maps), len(box.shapes))
    fits = find_fits(maps, all_ways(box.shapes), progress=stretch(progress, 0, _FITTED))
    slots = choose(fits, labels, supply)
    progress(1.0)
    return slots


def _boards(view: OverheadView, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    for grid in view.boards:
        middle = grid.mean(axis=0)
        cv2.fillPoly(mask, [map_pixels(middle + (grid - middle) * _BOARD_CELLS / 9)], 1)
    return np.asarray(mask > 0)


def _touching(fits: Sequence[Fit]) -> list[tuple[int, ...]]:
    """Return for each fit the numbers of the fits that it touches (closer than a seam) or overlaps."""
    shared = shared_cells(fits)
    outlines = [fit.outline for fit in fits]
    touching: list[list[int]] = [[] for _ in fits]
    for one, fit in enumerate(fits):
        for other in range(one + 1, len(fits)):
            if np.hypot(*(fit.centre - fits[other].centre)) > 6:
                continue
            if shared[one, other] > 0.3 or _distance(outlines[one], outlines[other]) < _TOUCHING_CELLS:
                touching[one].append(other)
                touching[other].append(one)
    return [tuple(each) for each in touching]


def _distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the least distance between two outlines, at either one's corners, in cells; 0 or less if they cross."""
    distances = [
        -cv2.pointPolygonTest(polygon.astype(np.float32), (float(x), float(y)), True)
        for corners, polygon in ((one, other), (other, one))
        for x, y in corners
    ]
    return min(distances)


def _strays(maps: PieceMaps, fits: Sequence[Fit], beyond: NDArray[np.bool_]) -> tuple[Stray, ...]:
    """Return the parts of pieces that no fit explains: at least about a cell large, with a label."""
    left = ((maps.piece > 0) & (maps.rim < 1)).astype(np.uint8)
    for fit in fits:
        cv2.fillPoly(left, [map_pixels(fit.outline)], 0)
        cv2.polylines(left, [map_pixels(fit.outline)], True, 0, MAP_PX // 2)
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
