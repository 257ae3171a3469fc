"""The distortion of a lens, estimated from the pieces, which look smaller far from the picture's middle.

A fixed camera's lens is calibrated once, but the lens of a photograph from elsewhere is unknown. A wide-angle lens
shows a patch in the picture's corner a tenth smaller than one in its middle: the longest patches look a cell shorter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.lens import TERMS, Lens
from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import GRID_CORNERS
from vision.pieces.fit import PiecePose, clipped
from vision.pieces.maps import MAP_PX
from vision.pieces.poses import settle
from vision.table.plane import table_plane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.pieces.fit import Fit
    from vision.pieces.search import FirstLook
    from vision.pieces.sightings import Sighting
    from vision.table.plane import OverheadView

    Points = NDArray[np.float64]

_COARSE: Final = (-0.4, -0.2, 0.0, 0.2)
_FINE: Final = 0.1
"""The first radial coefficients tried, with the picture's longer side as the focal length; a lens that distorts by a
tenth at the end of a picture's longer side has -0.4."""
_LEAST_GAIN: Final = 1.0
"""The least gain in score per piece, on average, for a lens to be accepted. Of 288 simulated circles in other lenses
none gained so much; of 18 in the two widest lenses seven did, whose patches lie far from the picture's middle."""
_FITS_WELL: Final = 3.5
"""Score per cell of a piece."""
_LEAST_PIECES: Final = 8
_CALM_PX: Final = 0.8
"""Sigma of the blur before resampling: a resampled map loses finer detail, so none of the maps may have any."""


def lens_seen(
    seen: FirstLook, view: OverheadView, boards: Sequence[Homography], size_px: tuple[int, int]
) -> Lens | None:
    """Return the lens whose correction makes the pieces fit much better, or None if there is little distortion.

    Args:
        seen: the pieces.
        view: the table in which they were seen.
        boards: maps from the quilt boards' cell space to the picture.
        size_px: (width, height) of the picture.
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
