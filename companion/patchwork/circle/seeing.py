"""Reading of the circle of patches in a picture.

A fixed camera's lens is calibrated once, but the lens of a photograph from elsewhere is unknown. A wide-angle lens
shows a patch in the picture's corner a tenth smaller than one in its middle: the longest patches look a cell shorter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import TERMS, Lens
from calibration.locator import SEATS, MatLocator
from calibration.mat import load_mat
from companion.errors import CompanionError
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.patchwork.circle.naming import PATCHES_OF, SHAPES, Name, label_surety, name_pieces, right_chance
from companion.patchwork.circle.order import in_the_ring, order_circle
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, strangers, with_last_named
from vision.board.finding import find_boards
from vision.geometry import GRID_CORNERS, Homography, through_corners
from vision.networks import NoNumbersError
from vision.pieces.fit import Fit, PiecePose, clipped
from vision.pieces.maps import CELL_PX, MAP_PX, LabelPlace, PieceMaps, Progress, ignore_progress, label_places, stretch
from vision.pieces.poses import settle
from vision.pieces.prints import LOOK_PX
from vision.pieces.search import FirstLook, first_look, locate_pieces
from vision.pieces.sightings import Box, Sighting, Stray
from vision.pieces.tag import TagPlace, read_tag
from vision.table.plane import OverheadView, table_plane, view_table

_LOOKED, _LOOKED_AGAIN, _SIGHTED = 0.43, 0.6, 0.93
"""Shares of the time at which the first look, the look at a straightened picture, and the search for pieces end."""
_LEAST_LABEL: Final = -1.5
# Least values of a piece: one without a label that also fits badly is rejected.
_LEAST_QUALITY: Final = 0.35


class MarketError(CompanionError):
    """Raised if the table cannot be located in the picture; the message says what to do."""


def see_market_in_photo(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> SeenMarket:
    """Read the circle in a picture with unknown camera and boards.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        corners: for each seat the outer corners A1, I1, I9, A9 of its board's grid in pixels; None to search for them.

    Raises:
        MarketError: neither board is found, or this machine cannot compute the evidence.
    """
    boards = _boards(image) if corners is None else [through_corners(GRID_CORNERS, each) for each in corners]
    try:
        return see_market(image, boards)
    except NoNumbersError as error:
        raise MarketError.said(
            "this machine cannot do the calculations for recognising the patches: {command} tells more",
            command="companion doctor",
        ) from error


def _boards(image: NDArray[np.uint8]) -> list[Homography]:
    mat = load_mat()
    found = list(MatLocator(mat).locate(image).values())
    if len(found) < len(SEATS):
        found = list(find_boards(image, mat.board_size_mm / mat.cell_mm)) or found
    if not found:
        raise MarketError.said(
            "no quilt boards are found: take the picture from above with both in view, or give {option}",
            option="--corners",
        )
    return found


def see_market(
    image: NDArray[np.uint8], boards: Sequence[Homography], progress: Progress = ignore_progress
) -> SeenMarket:
    """Read the circle in a picture in which the boards' places, and so the scale, are known.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        boards: one or two maps from a quilt board's cell space to pixels.
        progress: called with the share done, 0..1.

    Raises:
        NoNumbersError: this processor with this build of OpenCV computes no usable numbers.
    """
    table = _Table.of(image, boards)
    before = first_look(table.view, _box(table), stretch(progress, 0, _LOOKED))
    lens = lens_seen(before, table.view, boards, (image.shape[1], image.shape[0]))
    if lens is None:
        return _seen(table, before, stretch(progress, _LOOKED, 1))
    table = _Table.of(lens.straighten(image), straightened(boards, lens))
    before = first_look(table.view, _box(table), stretch(progress, _LOOKED, _LOOKED_AGAIN))
    return _seen(table, before, stretch(progress, _LOOKED_AGAIN, 1)).moved(lens.to_camera)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A picture of a table, the table from straight above, and the reader of its labels."""

    image: NDArray[np.uint8]
    view: OverheadView
    fine: OverheadView
    reader: "LabelReader"

    @classmethod
    def of(cls, image: NDArray[np.uint8], boards: Sequence[Homography]) -> "_Table":
        view = view_table(image, boards, CELL_PX)
        return cls(image, view, view_table(image, boards, LOOK_PX), LabelReader(image, view.to_image))


def _box(table: _Table) -> Box:
    return Box(SHAPES, tuple(len(patches) for patches in PATCHES_OF), right_chance, table.reader.shapes)


def _seen(table: _Table, before: FirstLook, progress: Progress) -> SeenMarket:
    """Return the circle on a table after the first look."""
    to_image = table.view.to_image
    by_label = partial(table.reader.on, places=label_places(before.maps))
    box = replace(_box(table), surety=lambda piece: label_surety(piece, by_label(piece)))
    seen = locate_pieces(before, table.view, table.fine, box, stretch(progress, 0, _SIGHTED))
    pieces = [piece for piece in seen.pieces if _is_piece(piece, seen.maps)]
    whole = [piece for piece in pieces if piece.whole]
    named = name_pieces(table.image, to_image, whole, by_label, stretch(progress, _SIGHTED, 1))
    names = dict(zip(map(id, whole), named, strict=True))
    listed = [_seen_piece(piece, names.get(id(piece)), to_image) for piece in pieces]
    centres = [piece.fits[0].centre for piece in pieces]
    for stray in _strays_beside(seen.strays, centres):
        listed.append(_unnamed(stray.outline, to_image, whole=stray.whole))
        centres.append(stray.outline.mean(axis=0))
    # First, because only a circle without strangers has a last name to give.
    left_out = strangers(listed)
    kept = [number for number in range(len(listed)) if number not in left_out]
    circle = with_last_named([listed[number] for number in kept])
    return _in_order(circle, np.array(centres).reshape(-1, 2)[kept], seen.maps, to_image)


def _is_piece(piece: Sighting, maps: PieceMaps) -> bool:
    quality, label = piece.fits[0].quality, piece.label
    column, row = np.clip((piece.fits[0].centre * MAP_PX).astype(int), 0, np.array(maps.track.shape[::-1]) - 1)
    on_track = maps.track[row, column] > 0 and label < 0
    return not on_track and bool(label > _LEAST_LABEL or quality > _LEAST_QUALITY)


def _strays_beside(strays: Sequence[Stray], centres: Sequence[NDArray[np.float64]]) -> list[Stray]:
    if not strays or not centres:
        return []
    middles = np.array([stray.outline.mean(axis=0) for stray in strays])
    return [stray for stray, near in zip(strays, in_the_ring(middles, centres), strict=True) if near]


def _seen_piece(piece: Sighting, name: Name | None, to_image: Homography) -> CircleSighting:
    if name is None:
        return _unnamed(piece.outline, to_image, whole=False)
    x, y = to_image(piece.fits[0].centre).tolist()
    return CircleSighting(name.patch, to_image(piece.outline), (x, y), name.chances, name.sure, touching=piece.touching)


def _unnamed(outline: NDArray[np.float64], to_image: Homography, *, whole: bool) -> CircleSighting:
    x, y = to_image(outline.mean(axis=0)).tolist()
    return CircleSighting(None, to_image(outline), (x, y), (), sure=False, whole=whole)


def _in_order(
    pieces: list[CircleSighting], centres: NDArray[np.float64], maps: PieceMaps, to_image: Homography
) -> SeenMarket:
    named = [piece.patch for piece in pieces]
    last = named.index(SMALLEST_PATCH) if SMALLEST_PATCH in named else None
    circle = order_circle(maps, centres, last, full=len(pieces) >= len(PATCHES))
    token = None if circle.token is None else tuple(to_image(circle.token).tolist())
    return SeenMarket(
        tuple(pieces[number] for number in circle.order),
        None if token is None else (token[0], token[1]),
        circle.begins,
        circle.unclear,
    )


# Limit of a label's log-likelihood ratio, because it may be another piece's label.
_LIMIT: Final = 6.0
_COSTS: Final = np.array([patch.buttons for patch in PATCHES.values()])
_TIMES: Final = np.array([patch.time for patch in PATCHES.values()])
_PATCH_IDS: Final = tuple(PATCHES)


class LabelReader:
    """A reader of the labels in one picture, to which table space is mapped; each label is read once."""

    def __init__(self, image: NDArray[np.uint8], to_image: Homography) -> None:
        self._image, self._to_image = image, to_image
        self._read: dict[LabelPlace, NDArray[np.float64]] = {}
        self._looked_for: dict[Fit, NDArray[np.float64]] = {}

    def patches(self, place: LabelPlace) -> NDArray[np.float64]:
        """Return log-likelihoods of the patches, in the box's order; the greatest is 0, and all are 0 if unread."""
        if place not in self._read:
            read = read_tag(self._image, self._to_image, [TagPlace(place.x, place.y, place.angle_deg)])
            self._read[place] = _without_background(read)
        return self._read[place]

    def shapes(self, place: LabelPlace) -> NDArray[np.float64]:
        """Return log-likelihoods of the shapes, each that of its likeliest patch."""
        patches = self.patches(place)
        return np.array([max(patches[_PATCH_IDS.index(patch)] for patch in alike) for alike in PATCHES_OF])

    def on(self, piece: Sighting, places: Sequence[LabelPlace]) -> NDArray[np.float64]:
        """Return log-likelihoods of the patches that a piece may be, by the one label plainly seen on it.

        If none or several are seen there, the label is searched for across all edges between the piece's cells.
        """
        outline = piece.outline.astype(np.float32)
        on = [place for place in places if cv2.pointPolygonTest(outline, (place.x, place.y), False) >= 0]
        on = [place for place in on if place.is_plain] or on
        return self.patches(on[0]) if len(on) == 1 else self._anywhere_on(piece.fits[0])

    def _anywhere_on(self, fit: Fit) -> NDArray[np.float64]:
        if fit not in self._looked_for:
            self._looked_for[fit] = _without_background(read_tag(self._image, self._to_image, _places_on(fit)))
        return self._looked_for[fit]


def _places_on(fit: Fit) -> list[TagPlace]:
    """Return the possible places of a label: each edge between two cells."""
    cells = set(fit.cells)
    beside = [(column + 0.5, row) for row, column in fit.cells if (row, column + 1) in cells]
    below = [(column, row + 0.5) for row, column in fit.cells if (row + 1, column) in cells]
    middles = fit.pose.place(np.array([*beside, *below], np.float64).reshape(-1, 2)).tolist()
    turns = [0.0] * len(beside) + [90.0] * len(below)
    return [TagPlace(x, y, fit.pose.angle_deg + turn) for (x, y), turn in zip(middles, turns, strict=True)]


def _without_background(read: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood of each patch, from those of cost and time, shape (costs, times)."""
    # Costs begin at 0, times at 1.
    likely = read[_COSTS, _TIMES - 1]
    return np.asarray(np.maximum(likely - likely.max(), -_LIMIT), np.float64)


Points: TypeAlias = NDArray[np.float64]
_COARSE: Final = (-0.4, -0.2, 0.0, 0.2)
# The first radial coefficients tried, with the picture's longer side as the focal length; a lens that distorts by a
# tenth at the end of a picture's longer side has -0.4.
_FINE: Final = 0.1
# The least gain in score per piece, on average, for a lens to be accepted. Of 288 simulated circles in other lenses
# none gained so much; of 18 in the two widest lenses seven did, whose patches lie far from the picture's middle.
_LEAST_GAIN: Final = 1.0
# Score per cell of a piece.
_FITS_WELL: Final = 3.5
_LEAST_PIECES: Final = 8
# Sigma of the blur before resampling: a resampled map loses finer detail, so none of the maps may have any.
_CALM_PX: Final = 0.8


def lens_seen(
    seen: FirstLook, view: OverheadView, boards: Sequence[Homography], size_px: tuple[int, int]
) -> Lens | None:
    """Return the lens whose correction makes the pieces fit much better, or None if there is little distortion.

    The boards map cell space to the picture, whose size is (width, height).
    """
    fits = [piece.fits[0] for piece in seen.pieces if _fits_well(piece)]
    if len(fits) < _LEAST_PIECES:
        return None
    layers = [np.asarray(cv2.GaussianBlur(each, (0, 0), _CALM_PX), np.float32) for each in clipped(seen.maps)]
    # Each costs a resampling of all maps, and the searches below ask for some of them again.
    scores: dict[float, float] = {}

    def score(bend: float) -> float:
        if bend not in scores:
            scores[bend] = _score(layers, fits, view, boards, lens_of(bend, size_px))
        return scores[bend]

    best = max(_COARSE, key=score)
    best = max((best - _FINE, best, best + _FINE), key=score)
    if score(best) - score(0.0) < _LEAST_GAIN * len(fits):
        return None
    return lens_of(_top(best, [score(best + step) for step in (-_FINE, 0.0, _FINE)]), size_px)


def lens_of(bend: float, size_px: tuple[int, int]) -> Lens:
    """Return a lens with first radial coefficient `bend` and the picture's longer side as its focal length."""
    width, height = size_px
    focal = float(max(size_px))
    return Lens(size_px, (focal, focal), ((width - 1) / 2, (height - 1) / 2), (bend, *[0.0] * (TERMS - 1)))


def straightened(boards: Sequence[Homography], lens: Lens) -> list[Homography]:
    """Return maps from the quilt boards' cell space to the straightened picture."""
    return [through_corners(GRID_CORNERS, lens.to_straight(board(GRID_CORNERS))) for board in boards]


def _fits_well(piece: Sighting) -> bool:
    best = piece.fits[0]
    return piece.whole and not piece.at_edge and best.score > _FITS_WELL * len(best.cells)


def _score(
    layers: Sequence[NDArray[np.float32]],
    fits: Sequence[Fit],
    view: OverheadView,
    boards: Sequence[Homography],
    lens: Lens,
) -> float:
    """Return how well pieces of one size fit all over the table after a lens's distortion is removed."""
    plane = table_plane(straightened(boards, lens))
    height, width = layers[0].shape
    middle = np.array([width, height]) / (2 * MAP_PX)
    offset = middle - plane.inverse(lens.to_straight(view.to_image(middle)))[0]

    def straight(points: Points) -> Points:
        return np.asarray(plane.inverse(lens.to_straight(view.to_image(points))) + offset)

    def bent(points: Points) -> Points:
        return view.to_image.inverse(lens.to_camera(plane(points - offset)))

    piece, rim = _drawn_anew(layers, bent)
    return sum(fit.score for fit in settle([_moved(fit, straight) for fit in fits], piece, rim, (1.0, 1.0)))


def _drawn_anew(layers: Sequence[NDArray[np.float32]], bent: Callable[[Points], Points]) -> list[NDArray[np.float32]]:
    """Return maps of the straight table; `bent` maps its points, (n, 2), to the table as it was seen."""
    rows, columns = np.indices(layers[0].shape)
    there = (bent((np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) / MAP_PX) * MAP_PX - 0.5).astype(np.float32)
    x, y = (np.ascontiguousarray(there[:, axis]).reshape(rows.shape) for axis in (0, 1))
    return [
        np.asarray(cv2.remap(each, x, y, cv2.INTER_CUBIC, borderValue=float(each.min())), np.float32) for each in layers
    ]


def _moved(fit: Fit, straight: Callable[[Points], Points]) -> Fit:
    """Return a fit, at the usual size, moved to its piece's place on the straight table."""
    angle = np.radians(fit.pose.angle_deg)
    here, ahead = straight(fit.centre + np.array([[0.0, 0.0], [np.cos(angle), np.sin(angle)]]))
    x, y = ahead - here
    turned = replace(fit, pose=PiecePose(0.0, 0.0, float(np.degrees(np.arctan2(y, x)))))
    x, y = (here - turned.centre).tolist()
    return replace(turned, pose=replace(turned.pose, x=x, y=y))


def _top(middle: float, scores: Sequence[float]) -> float:
    """Return the vertex of the parabola through the scores of a value and of its two neighbours."""
    before, best, after = scores
    bulge = before - 2 * best + after
    return middle if bulge >= 0 else middle + _FINE * (before - after) / (2 * bulge)
