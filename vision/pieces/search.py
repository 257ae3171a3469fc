"""Search for the pieces on a table: their possible shapes, their places, and whether each is wholly in view.

It looks three times: by the network's maps, by the prints learnt from the pieces found, and once more after the sure
pieces are removed from the table, and their shapes from the box: few alternatives remain then, so that even a hardly
visible piece is found.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.buttons import Buttons, find_buttons
from vision.pieces.choice import ONE_PLACE_CELLS, ONE_TOO_MANY, Labels, Slot, Supply, choose, shared_cells
from vision.pieces.fit import FAINT, Fit, all_ways, clipped, find_fits
from vision.pieces.maps import (
    MAP_PX,
    UNKNOWN,
    PieceMaps,
    Progress,
    ignore_progress,
    label_places,
    see_pieces,
    stretch,
)
from vision.pieces.poses import shifted
from vision.pieces.prints import look_again
from vision.pieces.sightings import (
    AT_EDGE_CELLS,
    Box,
    Sighting,
    Sightings,
    Stray,
    beyond_picture,
    ends_in,
    map_pixels,
    sightings_of,
)
from vision.table.plane import OverheadView

# Surety from which a piece that both looks agree on is not examined again.
_SURE: Final = 0.95
# Score per unit of log-odds, as fitted for the names of shapes.
_PER_ODDS: Final = 1.7
# Two fits of one shape whose middles are nearer than this are the same.
_SAME_CELLS: Final = 0.5
# Width of an outline in the maps, in their pixels.
_RIM_PX: Final = 3
# Least log-odds near a place where a piece is known to lie: its print may be like the ground.
_HARDLY: Final = -1.5
# Least log-odds at a button.
_LIKELY: Final = 1.0
# Radius around a button, in cells, within which a piece is taken to be likely.
_BUTTON_CELLS: Final = 0.33
# Log-odds of a clearly visible piece, within which a missing outline is taken as evidence.
_PLAINLY: Final = 2.0
# Distance from a piece's label, or its presumed middle, to its furthest cell.
_REACH_CELLS: Final = 4.5


def locate_rest(
    pieces: Sequence[Sighting], maps: PieceMaps, view: OverheadView, box: Box, buttons: Buttons
) -> list[Sighting]:
    """Return the sure pieces unchanged, and the others as found after the sure ones are removed.

    Args:
        pieces: the pieces found so far.
        maps: the maps in which they were found.
        view: the table.
        box: prior knowledge of the pieces.
        buttons: the buttons detected on the table.

    Returns:
        The pieces that were found before, in their order, then the new ones.
    """
    kept = [piece for piece in pieces if not piece.whole or _is_sure(piece, box)]
    open_ = [piece for piece in pieces if piece not in kept]
    left = box.without([piece.fits[0].shape for piece in kept if piece.whole])
    cleared = _cleared(maps, kept)
    places = label_places(cleared)
    middles = [*(place.at for place in places), *(piece.fits[0].centre for piece in open_)]
    if not middles or not left.any():
        return list(pieces)
    evidence = _Evidence(Labels.of(places, box.read(places)), buttons, _believed(open_, box))
    rest = _put_together(_faint(cleared, middles, buttons), evidence, view, box, left)
    found = [_recognised(piece, open_) for piece in rest if piece.label > 0 or _overlaps(piece, open_)]
    gone = [piece for piece in open_ if piece not in found and _overlaps(piece, found)]
    return [*(piece for piece in pieces if piece not in gone), *(piece for piece in found if piece not in pieces)]


def _put_together(
    maps: PieceMaps, evidence: "_Evidence", view: OverheadView, box: Box, left: NDArray[np.int64]
) -> list[Sighting]:
    """Return the pieces in maps, with the remaining number of each shape as the supply."""
    edge = beyond_picture(view, maps.piece.shape, AT_EDGE_CELLS)
    supply = Supply(tuple(left.tolist()), lambda fit: ends_in(edge, fit))
    fits = evidence.ranked(find_fits(maps, all_ways(box.shapes).only(np.flatnonzero(left).tolist()), FAINT))
    slots = [replace(slot, best=shifted(slot.best, *clipped(maps))) for slot in choose(fits, evidence.labels, supply)]
    spare = left - np.bincount([slot.best.shape for slot in slots], minlength=len(left))

    def worth(slot: Slot, fit: Fit) -> float:
        """Return the evidence for a fit, in log-odds, with a penalty for a shape whose supply is used up."""
        taken = fit.shape != slot.best.shape and spare[fit.shape] <= 0
        return evidence.besides(fit) - evidence.labels.against(fit) - ONE_TOO_MANY * taken

    return sightings_of(maps, view, slots, worth)


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """The evidence for a fit besides the maps.

    Attributes:
        labels: the labels of pieces.
        buttons: the buttons detected on the table.
        believed: the fits that both looks agreed on without being sure, with the evidence for each.
    """

    labels: Labels
    buttons: Buttons
    believed: Sequence[tuple[Fit, float]]

    def besides(self, fit: Fit) -> float:
        """Return the evidence for a fit besides its label, in log-odds."""
        beliefs = [belief for before, belief in self.believed if _is_same(fit, before)]
        return max(beliefs, default=0.0) + self.buttons.worth(fit)

    def ranked(self, fits: Sequence[Fit]) -> list[Fit]:
        """Return the fits with this evidence added to their scores, best first."""
        return sorted((replace(fit, score=fit.score + self.besides(fit)) for fit in fits), key=lambda fit: -fit.score)


def _believed(pieces: Sequence[Sighting], box: Box) -> list[tuple[Fit, float]]:
    agreed = [(piece.fits[0], float(np.clip(box.surety(piece), 0.5, _SURE))) for piece in pieces if piece.agreed]
    return [(fit, _PER_ODDS * float(np.log(surety / (1 - surety)))) for fit, surety in agreed]


def _is_sure(piece: Sighting, box: Box) -> bool:
    return piece.agreed and not piece.at_edge and box.surety(piece) >= _SURE


def _is_same(fit: Fit, before: Fit) -> bool:
    return fit.shape == before.shape and bool(np.hypot(*(before.centre - fit.centre)) < _SAME_CELLS)


def _cleared(maps: PieceMaps, pieces: Sequence[Sighting]) -> PieceMaps:
    """Return the maps without the given pieces and their labels; their outlines become no evidence either way."""
    taken, rims = np.zeros(maps.piece.shape, np.uint8), np.zeros(maps.piece.shape, np.uint8)
    for piece in pieces:
        cv2.fillPoly(taken, [map_pixels(piece.fits[0].outline)], 1)
        cv2.polylines(rims, [map_pixels(piece.fits[0].outline)], True, 1, _RIM_PX)
    cloth, label = (np.where(taken > 0, np.float32(UNKNOWN), each) for each in (maps.piece, maps.label))
    rim = np.where(rims > 0, np.float32(0), maps.rim)
    return replace(maps, piece=cloth, label=label, rim=rim)


def _faint(maps: PieceMaps, middles: Sequence[NDArray[np.float64]], buttons: Buttons) -> PieceMaps:
    """Return the maps limited to the surroundings of some places, with the log-odds of pieces raised there.

    They are raised further at buttons, which are on pieces, however little of these was detected.
    """
    near = np.zeros(maps.piece.shape, np.uint8)
    for middle in middles:
        cv2.circle(near, tuple(map_pixels(middle).reshape(2).tolist()), round(_REACH_CELLS * MAP_PX), 1, -1)
    open_ = (near > 0) & (maps.piece != UNKNOWN)
    least = np.full(maps.piece.shape, _HARDLY, np.float32)
    for place in buttons.places:
        cv2.circle(least, tuple(map_pixels(place).reshape(2).tolist()), round(_BUTTON_CELLS * MAP_PX), _LIKELY, -1)
    piece = np.where(open_, np.maximum(maps.piece, least), np.float32(UNKNOWN))
    rim = np.where(open_ & (piece < _PLAINLY), np.maximum(maps.rim, _HARDLY), maps.rim)
    return replace(maps, piece=np.asarray(piece, np.float32), rim=np.asarray(rim, np.float32))


def _recognised(piece: Sighting, before: Sequence[Sighting]) -> Sighting:
    """Return the piece as found before, or, if it is new, marked as found by one look only."""
    same = (other for other in before if _is_same(piece.fits[0], other.fits[0]))
    return next(same, replace(piece, agreed=False))


def _overlaps(piece: Sighting, others: Sequence[Sighting]) -> bool:
    shared = shared_cells([piece.fits[0], *(other.fits[0] for other in others)])
    return bool((shared[0] > ONE_PLACE_CELLS).any())


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
