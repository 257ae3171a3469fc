"""How much each cell of a quilt looks changed, compared with how it is expected to look.

Light and patches both change a picture. What tells them apart: light multiplies (so views are compared as logarithms),
it is smooth over a cell, and it leaves the print's structure alone; a patch brings a structure of its own. The cues:
how well the structure correlates, how much is left over once the cell's mean light is divided out, and how colour and
brightness moved against the whole board's drift.

Cues are taken in small windows that tile the view, sixteen to a cell: where a patch reaches over a part of a cell, only
some of them tell of it, and a patch that lies a quarter of a cell beside the grid covers whole windows too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import cv2
import numpy as np

from vision.rectify import CELL_PX, MARGIN_CELLS, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.generic)

RING: Final = SIDE + 2
"""Cells a side of the lattice of evidence: the grid and one ring around it."""

WINDOW_PX: Final = 8
"""Edge of a window, and the distance of neighbouring ones: a quarter of a cell."""
REACH: Final = 6
"""Windows in a row for each cell: its own four, and one beyond each side, which belongs to its neighbour too."""

_DARK: Final = 6.0
"""Added to each channel before the logarithm: below it is sensor noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view made ready for comparison.

    Attributes:
        log: logarithm of the view, shape (VIEW_PX, VIEW_PX, 3), float32, channels blue, green, red.
        luminance: mean of the three, shape (VIEW_PX, VIEW_PX), float32.
        structure: luminance less its surroundings, limited so that no single edge rules, same shape.
    """

    log: NDArray[np.float32]
    luminance: NDArray[np.float32]
    structure: NDArray[np.float32]


def look_at(view: NDArray[np.uint8]) -> Look:
    """Make a rectified view (VIEW_PX, VIEW_PX, 3), uint8, ready for comparison."""
    calm = cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32)
    return look_of_log(np.log(calm + _DARK))


def look_of_log(log: NDArray[np.float32]) -> Look:
    """The look whose logarithm is given, shape (VIEW_PX, VIEW_PX, 3), float32."""
    luminance = np.asarray(log.mean(axis=2), np.float32)
    detail = luminance - cv2.GaussianBlur(luminance, (0, 0), 5.0)
    return Look(log, luminance, np.clip(detail, -0.15, 0.15))


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """What was measured in each window, each of shape (REACH, REACH, RING, RING), float32.

    [i, j, row, column] is the window in row i and column j of those around a cell of the lattice; 1 to 4 are the cell's
    own, and cell [1, 1] is A1.

    Attributes:
        correlation: of the structure, -1..1.
        leftover: standard deviation of the log-luminance ratio.
        colour: how far the colour moved against the board's drift, in log units.
        brightness: likewise the luminance, signed.
        texture: standard deviation of the expected structure.
        new_texture: standard deviation of the structure seen.
    """

    correlation: NDArray[np.float32]
    leftover: NDArray[np.float32]
    colour: NDArray[np.float32]
    brightness: NDArray[np.float32]
    texture: NDArray[np.float32]
    new_texture: NDArray[np.float32]


def measure(current: Look, expected: Look) -> Cues:
    """Compare a look with the expected one, in every window."""
    ratio = current.log - expected.log
    luminance = current.luminance - expected.luminance
    leftover = _sampled(_spread(luminance))
    steady = _steadiest(leftover)
    red = _off_drift(_sampled(_mean(ratio[:, :, 2] - ratio[:, :, 1])), steady)
    blue = _off_drift(_sampled(_mean(ratio[:, :, 0] - ratio[:, :, 1])), steady)
    texture, new_texture = _spread(expected.structure), _spread(current.structure)
    return Cues(
        correlation=_sampled(_correlation(current.structure, expected.structure, texture * new_texture)),
        leftover=leftover,
        colour=np.hypot(red, blue),
        brightness=_off_drift(_sampled(_mean(luminance)), steady),
        texture=_sampled(texture),
        new_texture=_sampled(new_texture),
    )


def own_windows(cue: NDArray[_Number]) -> NDArray[_Number]:
    """The sixteen windows of each cell of the quilt itself, shape (4, 4, SIDE, SIDE)."""
    return cue[1:-1, 1:-1, 1:-1, 1:-1]


def _mean(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean over the window around each pixel."""
    return np.asarray(cv2.blur(image, (WINDOW_PX, WINDOW_PX), borderType=cv2.BORDER_REFLECT), np.float32)


def _spread(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Standard deviation over the window around each pixel."""
    variance = _mean(image * image) - _mean(image) ** 2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), np.float32)


def _correlation(
    a: NDArray[np.float32], b: NDArray[np.float32], spreads: NDArray[np.float32]
) -> NDArray[np.float32]:
    shared = _mean(a * b) - _mean(a) * _mean(b)
    return np.clip(shared / np.maximum(spreads, 1e-7), -1.0, 1.0)


_MIDDLES: Final = np.rint((np.arange(-1, SIDE + 1) + MARGIN_CELLS + 0.5) * CELL_PX).astype(np.intp)
# OpenCV takes the window of an even size from half of it before a pixel to one less behind: so these tile a cell.
_OFFSETS: Final = (np.arange(REACH) * WINDOW_PX - (REACH - 1) * WINDOW_PX // 2).astype(np.intp)
_PLACES: Final = _OFFSETS[:, None] + _MIDDLES[None, :]


def _sampled(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """The image at the middle of every window, as `Cues` has it."""
    return np.asarray(image[_PLACES[:, None, :, None], _PLACES[None, :, None, :]])


def _steadiest(leftover: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The third of the quilt's own windows that changed least; the board's drift of light is taken from them."""
    own = own_windows(leftover)
    return np.asarray(own <= np.quantile(own, 1 / 3), np.bool_)


def _off_drift(values: NDArray[np.float32], steady: NDArray[np.bool_]) -> NDArray[np.float32]:
    return np.asarray(values - np.median(own_windows(values)[steady]), np.float32)
