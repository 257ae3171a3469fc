"""Correction of a board that was located by its appearance alone, one grid line off: most lines match all the same.

At such a place one row of cells shows cloth or the board's own edge, of which the network is less certain; and the
box's pieces cannot explain the quilt so well, because they are cut off at the other side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.patchwork.photograph.evidence import looks_of
from companion.patchwork.photograph.tiling import best_tilings
from vision.board.covered_grid import fit_covered_grid
from vision.geometry.homography import Homography, translation
from vision.geometry.rectify import GRID_CORNERS, SIDE, rectify
from vision.quilt.network import look_at_quilt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.quilt.network import QuiltLook

_CELL_PX: Final = 40.0
"""Cell size to which sharper pictures are reduced before they are rectified: fine threads would become noise."""
_BESIDE: Final = tuple(translation(x, y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
_FREEDOM: Final = 1.5
_ROUNDS: Final = 2
"""The number of rounds of fitting: a place one line beside a fitted grid needs few."""
_MOVES: Final = 3
_SURER: Final = 0.03
"""The lead in certainty from which a neighbouring place is the board's. Of 44 quilts one was located one line off, and
was more certain at its true place by 0.12; none of the others was so beside its place by more than 0.005."""
_PLAINLY: Final = 0.02
"""The lead over neighbouring places from which a board's place is certain; 34 of the other 43 quilts have it."""
_PER_TILING: Final = 1 / 500
"""Weight of the likeliest tiling's log weight, relative to the certainty of edges, in ambiguous cases."""


@dataclass(frozen=True, slots=True, eq=False)
class RightPlace:
    """The place of a board, and whether it certainly lies there rather than one line beside."""

    place: Homography
    clear: bool


def put_right(image: NDArray[np.uint8], place: Homography) -> RightPlace:
    """Correct a grid that may have been located one line or two beside its place.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        place: maps cell space to pixels of the photograph.
    """
    for _ in range(_MOVES):
        look = look_at_quilt(quilt_view(image, place), ways=1)
        around = [fit_covered_grid(image, place.after(shift), _FREEDOM, _ROUNDS)[0] for shift in _BESIDE]
        beside = [look_at_quilt(quilt_view(image, each), ways=1) for each in around]
        sureness = [_sureness(each) for each in beside]
        lead = _sureness(look) - max(sureness)
        if lead > -_SURER:
            return RightPlace(place, lead > _PLAINLY or _is_laid_better(look, beside))
        place = around[int(np.argmax(sureness))]
    return RightPlace(place, clear=False)


def _sureness(look: QuiltLook) -> float:
    """Return the network's certainty of the edges, plus that of the rim's edges: mean probabilities, 0..2."""
    edges = np.concatenate([look.beside.reshape(-1, 4), look.below.reshape(-1, 4)])
    rim = np.concatenate([look.beside[:, 0], look.beside[:, -1], look.below[0], look.below[-1]])
    return sum(float(np.exp(each.max(axis=1)).mean()) for each in (edges, rim))


def _is_laid_better(look: QuiltLook, beside: list[QuiltLook]) -> bool:
    """Return whether the box's pieces explain a quilt better than the views one line beside."""
    return _explained(look) - max(map(_explained, beside)) > _PLAINLY


def _explained(look: QuiltLook) -> float:
    return _sureness(look) + _PER_TILING * float(best_tilings(looks_of(look)).log_weights[0])


def quilt_view(image: NDArray[np.uint8], place: Homography) -> NDArray[np.uint8]:
    """Return the rectified view of a quilt (`vision.geometry.rectify`); sharper pictures are reduced first."""
    edges_px = np.roll(place(GRID_CORNERS), -1, axis=0) - place(GRID_CORNERS)
    scale = min(1.0, _CELL_PX * SIDE / float(np.hypot(*edges_px.T).mean()))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    # Whole pixels' centres move by half a pixel more than their edges do.
    shrink = Homography(np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]]))
    return rectify(np.asarray(small, np.uint8), shrink.after(place))
