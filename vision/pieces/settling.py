"""Joint refinement of the chosen pieces: exact poses, alternative shapes, and the quality of the evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.choice import Slot
from vision.pieces.fit import Fit, clipped
from vision.pieces.maps import MAP_PX, PieceMaps
from vision.pieces.picture_edge import beyond_picture, borders_on, cut_off, leaves, map_pixels
from vision.pieces.poses import settle, weakest
from vision.pieces.sightings import Sighting
from vision.table.plane import OverheadView

# Number of fits refined for each piece, the best one included; each takes a pose search.
_CLOSE_LOOKS: Final = 7
# Difference to the best score from which a fit is not refined: a lead of 8 is decisive, and refinement rarely raises a
# score by more than 3.
_HOPELESS: Final = 12.0
# Distance inwards from the picture's edge at which a piece that continues beyond it ends; negative for outwards.
_BEYOND_CELLS: Final = -0.15
AT_EDGE_CELLS: Final = 0.35
"""The same distance for a piece that may continue beyond the edge."""
# Sigma of the weights by which neighbouring pieces determine the size of a cell: a lens changes it over the table.
_NEARBY_CELLS: Final = 8.0
# The least score for each cell of a piece that is used to measure the size of a cell.
_GOOD_A_CELL: Final = 4.0


def sightings_of(
    maps: PieceMaps, view: OverheadView, slots: Sequence[Slot], worth: Callable[[Slot, Fit], float] = lambda *_: 0.0
) -> list[Sighting]:
    """Return the sightings of chosen pieces, refined jointly and with their evidence measured.

    Args:
        maps: of the table.
        view: the table.
        slots: the pieces.
        worth: function of a slot and one of its fits; its result is added to the fit's score.
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
    """Return every piece's fits refined twice: independently, then with the size of neighbouring pieces."""
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
    """Return the fits refined; those too far behind the best one are left unchanged."""
    least = max(fit.score for fit in fits) - _HOPELESS
    near = [fit for fit in fits if fit.score >= least]
    return _ranked([*settle(near, piece, rim, stretch), *(fit for fit in fits if fit.score < least)])


def _ranked(fits: Sequence[Fit]) -> tuple[Fit, ...]:
    return tuple(sorted(fits, key=lambda fit: -fit.score))


def _alone(fits: Sequence[Fit], piece: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    """Yield the map of pieces for each piece, without the area that others occupy."""
    own = [_filled(fit, piece.shape) for fit in fits]
    claims = np.sum(own, axis=0, dtype=np.uint8)
    for mine in own:
        yield np.asarray(np.where(claims > mine, piece.min(), piece), np.float32)


def _filled(fit: Fit, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a mask of the map's shape, 1 inside a fit."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [map_pixels(fit.outline)], 1)
    return mask


def _stretch_near(fit: Fit, settled: Sequence[tuple[Fit, ...]]) -> tuple[float, float]:
    """Return the size of a cell near a fit, (along x, along y), by the pieces that fit well."""
    good = [fits[0] for fits in settled if fits[0].score > _GOOD_A_CELL * len(fits[0].cells)]
    if not good:
        return 1.0, 1.0
    apart = np.array([np.hypot(*(other.centre - fit.centre)) for other in good])
    weights = np.exp(-0.5 * (apart / _NEARBY_CELLS) ** 2) + 1e-3
    sizes = np.array([_sizes(other) for other in good])
    # A prior equal to one piece of the usual size, because few pieces are little evidence.
    along = (weights @ sizes + 1.0) / (weights.sum() + 1.0)
    return float(along[0]), float(along[1])


def _sizes(fit: Fit) -> tuple[float, float]:
    cos2 = float(np.cos(np.radians(fit.pose.angle_deg)) ** 2)
    wide, high = fit.pose.wide, fit.pose.high
    return wide * cos2 + high * (1 - cos2), wide * (1 - cos2) + high * cos2


def _label(maps: PieceMaps, fit: Fit) -> float:
    """Return the log-odds of a label at its likeliest place on a piece, averaged over half a cell."""
    calm = cv2.blur(maps.label, (3, 3))
    return float(calm[_filled(fit, calm.shape) > 0].max(initial=-4.0))


def _spills(maps: PieceMaps, fits: Sequence[Fit]) -> list[float]:
    """Return for each fit the mean probability of pieces in a band around it, without other fits."""
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
