"""A board that is found by its looks alone may be found a line beside its place: even so most lines are the grid's.

What lies there then for a row of cells is cloth or the board's own edge, and the network is less sure of it; nor can
pieces of the box be laid so well that are cut off at the other side.
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
"""Fine threads would turn into noise when the view is taken of a sharper picture."""
_BESIDE: Final = tuple(translation(x, y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
_FREEDOM: Final = 1.5
_ROUNDS: Final = 2
"""What is a line beside a fitted grid is nearly fitted."""
_MOVES: Final = 3
_SURER: Final = 0.03
"""The lead in sureness by which a place beside is taken for the board's. Of 44 quilts one was found a line beside its
place, and looked surer there by 0.12; of the others none did by more than 0.005."""
_PLAINLY: Final = 0.02
"""A board that looks surer than beside its place by so much lies there; of the 43 quilts 34 do."""
_PER_TILING: Final = 1 / 500
"""What the likeliest tiling's logarithm counts beside that, where it is not plain."""


@dataclass(frozen=True, slots=True, eq=False)
class RightPlace:
    """The place of a board, and whether it plainly lies there rather than a line beside."""

    place: Homography
    clear: bool


def put_right(image: NDArray[np.uint8], place: Homography) -> RightPlace:
    """Put a grid right that may have been found a line or two beside its place.

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
    """Return the network's certainty of the edges, those at the rim counted twice: mean probabilities, 0..2."""
    edges = np.concatenate([look.beside.reshape(-1, 4), look.below.reshape(-1, 4)])
    rim = np.concatenate([look.beside[:, 0], look.beside[:, -1], look.below[0], look.below[-1]])
    return sum(float(np.exp(each.max(axis=1)).mean()) for each in (edges, rim))


def _is_laid_better(look: QuiltLook, beside: list[QuiltLook]) -> bool:
    """Return whether pieces of the box explain a quilt better than they explain it a line beside."""
    return _explained(look) - max(map(_explained, beside)) > _PLAINLY


def _explained(look: QuiltLook) -> float:
    return _sureness(look) + _PER_TILING * float(best_tilings(looks_of(look)).log_weights[0])


def quilt_view(image: NDArray[np.uint8], place: Homography) -> NDArray[np.uint8]:
    """Return the rectified view of a quilt (`vision.geometry.rectify`); sharper pictures are made smaller first."""
    edges_px = np.roll(place(GRID_CORNERS), -1, axis=0) - place(GRID_CORNERS)
    scale = min(1.0, _CELL_PX * SIDE / float(np.hypot(*edges_px.T).mean()))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    # Whole pixels' centres move by half a pixel more than their edges do.
    shrink = Homography(np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]]))
    return rectify(np.asarray(small, np.uint8), shrink.after(place))
