"""Tells where a quilt looks otherwise than expected: a small convolutional network on pairs of views, run by OpenCV.

Light and patches both change a picture. The network has learnt what tells them apart (`bench/fit_changes.py`) on
pairs of views under moving, coloured shadows, reflections, noise and blur: light is smooth or has one edge across many
cells and leaves a print's structure alone, while a patch brings a structure and a rim of its own. It sees about three
cells around each window.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rectify import CELL_PX, MARGIN_CELLS, VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.quilt.look import Look

_GRID: Final = slice(round(MARGIN_CELLS * CELL_PX), VIEW_PX - round(MARGIN_CELLS * CELL_PX), 8)
"""Every eighth pixel of the grid: enough for the median change of light."""
_CONTRAST_PX: Final = 25
"""Edge of the box in which a structure's contrast is measured: most of a cell."""
_LEAST_CONTRAST: Final = np.float32(0.03)
"""Below it is noise, which is not to be magnified."""


def channels(expected: Look, current: Look) -> NDArray[np.float32]:
    """What the network is shown of two looks, shape (channels, VIEW_PX, VIEW_PX), float32.

    The ratio of the lights (brightness, and two colours) less its median over the grid; then for each look its
    structure, plain and at even contrast, its brightest channel (what is washed out tells nothing) and its warmth.
    """
    ratio = current.log - expected.log
    ratio -= np.median(ratio[_GRID, _GRID].reshape(-1, 3), axis=0)
    red, blue = ratio[..., 2] - ratio[..., 1], ratio[..., 0] - ratio[..., 1]
    shown = [
        np.clip(ratio.mean(axis=2), -2, 2),
        np.clip(4 * red, -2, 2),
        np.clip(4 * blue, -2, 2),
    ]
    for look in (expected, current):
        detail = look.luminance - cv2.blur(look.luminance, (15, 15))
        contrast = cv2.sqrt(cv2.blur(detail * detail, (_CONTRAST_PX, _CONTRAST_PX)) + _LEAST_CONTRAST**2)
        shown += [
            np.clip(5 * detail, -2, 2),
            np.clip(0.5 * detail / contrast, -2, 2),
            look.view.max(axis=2) / np.float32(128) - 1,
            np.clip(look.log[..., 2] - look.log[..., 0], -1.5, 1.5),
        ]
    return np.stack(shown).astype(np.float32)


def changed(expected: Look, current: Look) -> NDArray[np.float64]:
    """Give log p(look | changed) - log p(look | as expected) for each window, shape (WINDOWS, WINDOWS), float64.

    Args:
        expected: how the quilt should look.
        current: how it looks, registered like the expected look.
    """
    network = _network()
    network.setInput(channels(expected, current)[None])
    return np.asarray(network.forward()[0], np.float64)


@cache
def _network() -> cv2.dnn.Net:
    weights = np.frombuffer(files(__package__).joinpath("changes.onnx").read_bytes(), np.uint8)
    return cv2.dnn.readNetFromONNX(weights)
