"""A third look, at the unsure pieces, with the remaining shapes and the texts of labels.

The sure pieces are removed from the table, and their shapes from the box. What is left of both is matched anew: few
alternatives remain, so that even a hardly visible piece is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.button_places import Buttons
from vision.pieces.choice import ONE_PLACE_CELLS, ONE_TOO_MANY, Labels, Slot, Supply, choose
from vision.pieces.fit import FAINT, Fit, clipped, find_fits
from vision.pieces.label_places import label_places
from vision.pieces.maps import MAP_PX, UNKNOWN, PieceMaps
from vision.pieces.overlap import shared_cells
from vision.pieces.picture_edge import beyond_picture, ends_in, map_pixels
from vision.pieces.polyominoes import all_ways
from vision.pieces.poses import shifted
from vision.pieces.settling import AT_EDGE_CELLS, sightings_of
from vision.pieces.sightings import Box, Sighting
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
    maps: PieceMaps, evidence: _Evidence, view: OverheadView, box: Box, left: NDArray[np.int64]
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
