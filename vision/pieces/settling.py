"""Refinement of the chosen pieces among one another.

It finds their exact places, what else each may be, and how well all of it is seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pieces.fit import clipped
from vision.pieces.maps import MAP_PX
from vision.pieces.picture_edge import beyond_picture, borders_on, cut_off, leaves, map_pixels
from vision.pieces.poses import settle, weakest
from vision.pieces.sightings import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from vision.pieces.choice import Slot
    from vision.pieces.fit import Fit
    from vision.pieces.maps import PieceMaps
    from vision.table.plane import OverheadView

_CLOSE_LOOKS: Final = 7
"""Fits of a piece that are settled, its best included; each takes a search of its pose."""
_HOPELESS: Final = 12.0
"""A fit whose score is so much less than the best one's does not come near it by being settled: a lead of 8 is as good
as any, and settling raises a score by 3 at most, as a rule."""
_BEYOND_CELLS: Final = -0.15
"""How far from where the picture ends, inwards, a piece ends that goes on beyond."""
AT_EDGE_CELLS: Final = 0.35
"""Likewise of a piece that may do so."""
_NEARBY_CELLS: Final = 8.0
"""Sigma of the distance within which pieces are of one size: a lens changes it over the table."""
_GOOD_A_CELL: Final = 4.0
"""Score for each cell from which a piece may say how large a cell looks."""


def sightings_of(
    maps: PieceMaps, view: OverheadView, slots: Sequence[Slot], worth: Callable[[Slot, Fit], float] = lambda *_: 0.0
) -> list[Sighting]:
    """Return the sightings of chosen pieces, each settled among the others and examined all round.

    Args:
        maps: of the table.
        view: the table.
        slots: the pieces.
        worth: what is added to the score of one of a slot's fits.
    """
    beyond, edge = (beyond_picture(view, maps.piece.shape, reach) for reach in (_BEYOND_CELLS, AT_EDGE_CELLS))
    settled = _all_settled([(slot.best, *slot.others[: _CLOSE_LOOKS - 1]) for slot in slots], maps)
    settled = [
        _ranked([replace(fit, score=fit.score + worth(slot, fit)) for fit in fits])
        for slot, fits in zip(slots, settled, strict=True)
    ]
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
            not leaves(beyond, fits[0].outline),
            leaves(edge, fits[0].outline) or borders_on(cut, fits[0]),
            (),
        )
        for slot, fits, spill in zip(slots, settled, _spills(maps, best), strict=True)
    ]


def _all_settled(begun: Sequence[Sequence[Fit]], maps: PieceMaps) -> list[tuple[Fit, ...]]:
    """Return every piece's fits where they fit best, first each by itself, then by what size the others are."""
    piece, rim = clipped(maps)
    first = [
        _settled(fits, own, rim, (1.0, 1.0))
        for fits, own in zip(begun, _alone([fits[0] for fits in begun], piece), strict=True)
    ]
    return [
        _settled(fits, own, rim, _stretch_near(fits[0], first))
        for fits, own in zip(first, _alone([fits[0] for fits in first], piece), strict=True)
    ]


def _settled(
    fits: Sequence[Fit], piece: NDArray[np.float32], rim: NDArray[np.float32], stretch: tuple[float, float]
) -> tuple[Fit, ...]:
    """Return the fits moved to where they fit best; those too far behind the best one stay where they are."""
    least = max(fit.score for fit in fits) - _HOPELESS
    near = [fit for fit in fits if fit.score >= least]
    return _ranked([*settle(near, piece, rim, stretch), *(fit for fit in fits if fit.score < least)])


def _ranked(fits: Sequence[Fit]) -> tuple[Fit, ...]:
    return tuple(sorted(fits, key=lambda fit: -fit.score))


def _alone(fits: Sequence[Fit], piece: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """Yield the map of pieces as each piece may claim it, without what others lie on."""
    own = [_filled(fit, piece.shape) for fit in fits]
    claims = np.sum(own, axis=0, dtype=np.uint8)
    for mine in own:
        yield np.asarray(np.where(claims > mine, piece.min(), piece), np.float32)


def _filled(fit: Fit, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """1 where a fit lies on a map."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [map_pixels(fit.outline)], 1)
    return mask


def _stretch_near(fit: Fit, settled: Sequence[tuple[Fit, ...]]) -> tuple[float, float]:
    """Return the size of a cell near a place, (along x, along y), by the pieces that fit well."""
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


def _label(maps: PieceMaps, fit: Fit) -> float:
    """Return the log-odds of the likeliest place of a label on a piece, a third of a cell wide."""
    calm = cv2.blur(maps.label, (3, 3))
    return float(calm[_filled(fit, calm.shape) > 0].max(initial=-4.0))


def _spills(maps: PieceMaps, fits: Sequence[Fit]) -> list[float]:
    """Return for each fit the likelihood of pieces in a band around it, other fits left out."""
    covered = np.zeros(maps.piece.shape, np.uint8)
    for fit in fits:
        cv2.fillPoly(covered, [map_pixels(fit.outline)], 1)
        cv2.polylines(covered, [map_pixels(fit.outline)], True, 1, 2)
    likely = 1 / (1 + np.exp(-maps.piece))
    spills = []
    for fit in fits:
        band = np.zeros(maps.piece.shape, np.uint8)
        cv2.polylines(band, [map_pixels(fit.outline)], True, 1, MAP_PX)
        inside = (band > 0) & (covered == 0)
        spills.append(float(likely[inside].mean()) if inside.any() else 0.0)
    return spills
