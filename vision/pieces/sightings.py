"""The pieces detected on a table, refined jointly: exact poses, alternative shapes, the quality of the evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.choice import Slot
from vision.pieces.fit import Cells, Fit, clipped
from vision.pieces.maps import MAP_PX, LabelPlace, PieceMaps
from vision.pieces.poses import settle, weakest
from vision.table.plane import OverheadView

# Count for an unlimited supply: more than a table can hold.
_ANY: Final = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A detected piece.

    Attributes:
        fits: the best fit of each possible shape, best first.
        margin: loss in score of the best choice without the first shape in this place.
        label: log-odds that a label is printed on it.
        cell: log-odds that a piece lies in its worst cell.
        edge: log-odds of its worst edge; inverted for an edge between two cells.
        spill: mean probability of pieces around it that no other fit explains, 0..1.
        whole: whether it is entirely within the picture.
        at_edge: whether it may continue beyond the picture: it ends near its edge, or borders on a cut-off region.
        touching: numbers of the pieces that it touches or overlaps.
        agreed: whether the first look, too, found this shape here; the second is too sure if a print is like the
            ground.
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
        return self.fits[0].outline


@dataclass(frozen=True, slots=True, eq=False)
class Stray:
    """A part of a piece that fits no shape: its outline (n, 2) in table space, and whether it is wholly in view."""

    outline: NDArray[np.float64]
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """All pieces detected on a table.

    Attributes:
        pieces: those that fit a shape.
        strays: those that do not.
        maps: the network's maps, for further searches by the caller.
    """

    pieces: tuple[Sighting, ...]
    strays: tuple[Stray, ...]
    maps: PieceMaps


def _quality(piece: Sighting) -> float:
    return piece.fits[0].quality


@dataclass(frozen=True, slots=True)
class Box:
    """Prior knowledge of the pieces on a table.

    Attributes:
        shapes: the shapes that pieces may have.
        counts: the number of pieces of each shape; if empty, unlimited.
        surety: function that returns the probability that a piece's first shape is right, 0..1.
        read_label: function that returns the log-likelihoods of the shapes by the label in a place, the greatest being
            0; None if labels are not read.
    """

    shapes: tuple[Cells, ...]
    counts: tuple[int, ...] = ()
    surety: Callable[[Sighting], float] = _quality
    read_label: Callable[[LabelPlace], NDArray[np.float64]] | None = None

    def without(self, taken: Sequence[int]) -> NDArray[np.int64]:
        """Return the remaining number of each shape after removal of the given shapes, shape (shapes,)."""
        if not self.counts:
            return np.full(len(self.shapes), _ANY, np.int64)
        return np.clip(np.array(self.counts) - np.bincount(taken, minlength=len(self.shapes)), 0, None)

    def read(self, places: tuple[LabelPlace, ...]) -> NDArray[np.float64]:
        """Return the labels' log-likelihoods of the shapes, shape (places, shapes); 0 if they are not read."""
        blank = np.zeros((len(places), len(self.shapes)))
        if self.read_label is None or not places:
            return blank
        return np.array([self.read_label(place) for place in places])


# The least length of a piece's border, in cells, that touches a cut-off region which it may be a part of.
_BORDER_CELLS: Final = 0.1


def map_pixels(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return points of table space as pixels of the maps, in OpenCV's polygon format."""
    return np.rint(points * MAP_PX - 0.5).astype(np.int32).reshape(-1, 1, 2)


def beyond_picture(view: OverheadView, shape: tuple[int, ...], reach_cells: float) -> NDArray[np.bool_]:
    """Return the mask, in the maps' shape, of all outside the picture, grown by `reach_cells` (negative: shrunk)."""
    seen = cv2.resize(view.seen.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)
    framed = cv2.copyMakeBorder(seen, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    reach = round(abs(reach_cells) * MAP_PX)
    kernel = np.ones((2 * reach + 1,) * 2, np.uint8)
    return np.asarray((cv2.erode if reach_cells > 0 else cv2.dilate)(framed, kernel)[1:-1, 1:-1] == 0)


def ends_in(beyond: NDArray[np.bool_], fit: Fit) -> bool:
    """Return whether a corner of a fit lies in the mask, or outside of the maps."""
    columns, rows = map_pixels(fit.outline).reshape(-1, 2).T
    height, width = beyond.shape
    within = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
    return not within.all() or bool(beyond[rows, columns].any())


def leaves(beyond: NDArray[np.bool_], outline: NDArray[np.float64]) -> bool:
    """Return whether any part of an outline (n, 2), in table space, lies in the mask, or outside of the maps."""
    pixels = map_pixels(outline).reshape(-1, 2)
    height, width = beyond.shape
    if (pixels < 0).any() or (pixels >= (width, height)).any():
        return True
    filled = np.zeros(beyond.shape, np.uint8)
    cv2.fillPoly(filled, [map_pixels(outline)], 1)
    return bool((filled.astype(bool) & beyond).any())


def cut_off(maps: PieceMaps, fits: Sequence[Fit], edge: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the mask, in the maps' shape, of pieces that no fit explains and that continue beyond the picture."""
    left = (maps.piece > 0).astype(np.uint8)
    for fit in fits:
        cv2.fillPoly(left, [map_pixels(fit.outline)], 0)
    _, numbers = cv2.connectedComponents(left)
    ending = np.unique(numbers[edge & (left > 0)])
    return np.isin(numbers, ending[ending > 0]).astype(np.uint8)


def borders_on(cut: NDArray[np.uint8], fit: Fit) -> bool:
    """Return whether a fit borders on a cut-off region and may be a part of it."""
    border = np.zeros(cut.shape, np.uint8)
    cv2.polylines(border, [map_pixels(fit.outline)], True, 1, MAP_PX // 2)
    return int((border & cut).sum()) >= _BORDER_CELLS * MAP_PX**2


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
