"""Maps of the pieces on a table, by a convolutional network, and the labels printed on pieces.

The network was trained on random scenes (`bench/pieces/fit.py`) and on no printing of the game. Its input is the table
from straight above, `CELL_PX` pixels a cell; its output has half of that resolution, `MAP_PX` pixels a cell.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.networks import finite, load_network

Progress: TypeAlias = Callable[[float], None]
"""A callback that receives the share of the work done, 0..1, in rising order."""


def ignore_progress(share: float) -> None:
    """Ignore the progress."""
    del share


def stretch(progress: Progress, begin: float, end: float) -> Progress:
    """Return a callback for a part of the work, which maps the part's own share to `begin`..`end` of the whole."""
    return lambda share: progress(begin + (end - begin) * share)


SCALES: Final = 3
"""Number of kernel widths; each is half of the one before."""
# Number of sampled looks that all others are compared with, drawn with a fixed seed.
_SAMPLES: Final = 320
_FINE_PX, _COARSE_PX = 0.8, 2.5
"""Sigmas of a point's colour and of that around it, in pixels of the half-size picture."""
# Edge of the square in which the variation of brightness is measured, in pixels of the half-size picture.
_WINDOW_PX: Final = 7
# Width of the widest kernel, in units of the normalised picture.
_WIDE: Final = 0.6
# Added to densities before logarithms are taken, for looks that occur nowhere else.
_LEAST: Final = 1e-4
_MIDDLE, _LOG_SPREAD = -3.0, 2.0
"""Mean and spread of the logarithms, used to scale them to about -1..1."""
# Looks compared at once: their distances, 640 kB, stay in the processor's cache.
_ROWS_AT_ONCE: Final = 512


def commonness(shown: NDArray[np.float32], seen: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """Return the density of each point's look among the looks of the whole picture.

    A look consists of the colour, the colour of the surroundings, and the local variation of brightness.

    Args:
        shown: a normalised picture, shape (height, width, 3), both even.
        seen: mask of valid pixels, shape (height, width); None for all of them.

    Returns:
        Logarithms, scaled to about -1..1, for kernels from wide to narrow: (height / 2, width / 2, SCALES).
    """
    height, width = shown.shape[0] // 2, shown.shape[1] // 2
    small = np.asarray(cv2.resize(shown, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    looks = _looks(small).reshape(height * width, -1)
    known = np.arange(height * width)
    if seen is not None:
        shrunk = cv2.resize(seen.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        known = np.flatnonzero(shrunk)
    samples = looks[np.random.default_rng(0).choice(known, _SAMPLES)]
    parts = [_densities(looks[at : at + _ROWS_AT_ONCE], samples) for at in range(0, len(looks), _ROWS_AT_ONCE)]
    logs = (np.log(np.concatenate(parts) + np.float32(_LEAST)) - _MIDDLE) / _LOG_SPREAD
    return np.asarray(logs.reshape(height, width, SCALES), np.float32)


def _looks(small: NDArray[np.float32]) -> NDArray[np.float32]:
    fine, coarse = (cv2.GaussianBlur(small, (0, 0), sigma) for sigma in (_FINE_PX, _COARSE_PX))
    light = reductions.mean(small)
    window = (_WINDOW_PX, _WINDOW_PX)
    varied = np.sqrt(np.maximum(cv2.blur(light * light, window) - cv2.blur(light, window) ** 2, 0))
    return np.asarray(np.dstack([fine, coarse, varied]) / np.float32(_WIDE), np.float32)


def _densities(looks: NDArray[np.float32], samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return kernel densities with a wide Gaussian and two more, each half as wide; shape (looks, SCALES)."""
    # Computed in one array, in place, because memory access takes most of the time.
    near = looks @ samples.T
    near -= 0.5 * (looks**2).sum(axis=1)[:, None]
    near -= 0.5 * (samples**2).sum(axis=1)
    np.minimum(near, 0, out=near)
    np.exp(near, out=near)
    means = [near.mean(axis=1)]
    for _ in range(SCALES - 1):
        # Halving the width raises a Gaussian to the fourth power.
        np.square(near, out=near)
        np.square(near, out=near)
        means.append(near.mean(axis=1))
    return np.stack(means, axis=1)


CELL_PX: Final = 12
"""A cell's edge in the network's input, as in training."""
MAP_PX: Final = CELL_PX // 2
"""A cell's edge in the network's output."""
# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# Log units per unit of the network's input, as in training.
_SPREAD: Final = 0.5
# The picture's sides are padded to multiples of this, as the network's strides need.
_STRIDE: Final = 4
UNKNOWN: Final = -4.0
"""Log-odds of all layers outside of the photograph."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceMaps:
    """Log-odds for every pixel of a table, each of shape (height, width), float32, `MAP_PX` pixels a cell.

    Attributes:
        piece: that a piece lies there.
        rim: that a piece's outline runs there.
        label: that a piece's label is printed there.
        token: that something like the neutral token stands there.
        track: that the time board lies there.
    """

    piece: NDArray[np.float32]
    rim: NDArray[np.float32]
    label: NDArray[np.float32]
    token: NDArray[np.float32]
    track: NDArray[np.float32]

    def without(self, mask: NDArray[np.bool_]) -> "PieceMaps":
        """Return the maps with `UNKNOWN` inside a mask of their shape."""
        blank = np.float32(UNKNOWN)
        layers = (self.piece, self.rim, self.label, self.token, self.track)
        return PieceMaps(*(np.where(mask, blank, each) for each in layers))


def normalised(picture: NDArray[np.uint8], seen: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
    """Return the network's input for a picture, (height, width, 3): logarithms less each channel's median."""
    logs = np.log(picture.astype(np.float32) + np.float32(_DARK))
    known = logs.reshape(-1, 3) if seen is None else logs[seen]
    return np.asarray((logs - np.median(known, axis=0)) / np.float32(_SPREAD), np.float32)


def see_pieces(
    table: NDArray[np.uint8], seen: NDArray[np.bool_] | None = None, progress: Progress = ignore_progress
) -> PieceMaps:
    """Compute the maps of the pieces on a table.

    Args:
        table: the table from straight above, CELL_PX pixels a cell, shape (height, width, 3), uint8, BGR.
        seen: mask of valid pixels, shape (height, width); None for all of them.
        progress: called with the share of the work that is done.

    Raises:
        NoNumbersError: this build of OpenCV yields values that are not finite on this processor.
    """
    height, width = table.shape[:2]
    padding = ((0, -height % _STRIDE), (0, -width % _STRIDE))
    shown = np.pad(normalised(table, seen), (*padding, (0, 0)), mode="edge")
    padded_seen = None if seen is None else np.pad(seen, padding)
    answer = _ask(shown, commonness(shown, padded_seen), progress)[:, : (height + 1) // 2, : (width + 1) // 2]
    maps = PieceMaps(*(np.ascontiguousarray(each) for each in answer))
    if seen is None:
        return maps
    small = cv2.resize(seen.astype(np.uint8), maps.piece.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return maps.without(small == 0)


def _ask(shown: NDArray[np.float32], common: NDArray[np.float32], progress: Progress) -> NDArray[np.float32]:
    """Return the network's output, (layers, height, width), averaged over eight rotations and reflections of the table.

    Uncertain outputs differ between them; the mean is right more often than any single one.
    """
    network = load_network(__package__, "maps.onnx")
    answers = []
    ways = list(product(range(4), (False, True)))
    for quarters, mirrored in ways:
        network.setInput(_blob(_turned(shown, quarters, mirrored=mirrored)), "table")
        network.setInput(_blob(_turned(common, quarters, mirrored=mirrored)), "common")
        answer = finite(np.asarray(network.forward(), np.float32))[0].transpose(1, 2, 0)
        answers.append(_turned(answer[:, ::-1] if mirrored else answer, -quarters, mirrored=False))
        progress(len(answers) / len(ways))
    return np.asarray(np.moveaxis(np.mean(np.array(answers), axis=0), -1, 0), np.float32)


def _turned(layers: NDArray[np.float32], quarters: int, *, mirrored: bool) -> NDArray[np.float32]:
    turned = np.asarray(np.rot90(layers, quarters), np.float32)
    return turned[:, ::-1] if mirrored else turned


def _blob(layers: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(layers.transpose(2, 0, 1)[None])


# Log-odds from which a pixel may be of a label. Of 2440 pieces wholly in view on 102 simulated circles, in all lights,
# 71 then have no label and 29 have more than one; with 0, and each label in one part, 164 have none.
_SEEN: Final = -0.5
# Area in cells below which a part is noise.
_LEAST_CELLS: Final = 0.12
# Parts whose middles are nearer than this are of one label: the labels of two touching pieces are a cell apart.
_ONE_LABEL_CELLS: Final = 0.75
# Log-odds above `_SEEN`, integrated over cells, from which a label is plain. Of those pieces' labels 92 % have more;
# false detections on them have 0.27 at most.
_PLAIN: Final = 0.3


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """The place of a printed label.

    Attributes:
        x: of its middle, in cells of table space.
        y: of its middle, in cells of table space.
        angle_deg: direction of its length, clockwise from the rows of table space; either end may be its left one.
        length: visible extent in that direction, in cells.
        width: extent across, in cells.
        plainness: clarity, 0..1.
    """

    x: float
    y: float
    angle_deg: float
    length: float = 0.0
    width: float = 0.0
    plainness: float = 1.0

    @property
    def at(self) -> NDArray[np.float64]:
        """Its middle, (x, y) in table space."""
        return np.array([self.x, self.y])

    @property
    def is_plain(self) -> bool:
        """True if it is more likely a label than a false detection."""
        return self.plainness > 0.5

    def box(self, margin: float) -> NDArray[np.float64]:
        """Return the corners of a box around it, with a margin in cells, shape (4, 2), in table space."""
        size = (self.length + 2 * margin, self.width + 2 * margin)
        return np.asarray(cv2.boxPoints(((self.x, self.y), size, self.angle_deg)), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of a label: the indices (row, column) of its pixels in the map, shape (n, 2), and their evidence."""

    points: NDArray[np.intp]
    likely: NDArray[np.float32]

    @property
    def weight(self) -> float:
        return float(self.likely.sum())

    @property
    def middle(self) -> NDArray[np.float64]:
        """The centre of mass, (x, y) in table space."""
        return np.asarray((self.likely @ self.points[:, ::-1] / self.likely.sum() + 0.5) / MAP_PX)

    def joined(self, other: "_Part") -> "_Part":
        return _Part(np.vstack([self.points, other.points]), np.concatenate([self.likely, other.likely]))


def label_places(maps: PieceMaps) -> tuple[LabelPlace, ...]:
    """Return all labels in the maps, those with the strongest evidence first."""
    whole: list[_Part] = []
    for part in sorted(_parts(maps.label), key=lambda each: -each.weight):
        for number, larger in enumerate(whole):
            if np.hypot(*(larger.middle - part.middle)) < _ONE_LABEL_CELLS:
                whole[number] = larger.joined(part)
                break
        else:
            whole.append(part)
    return tuple(_place(part) for part in whole if len(part.points) >= _LEAST_CELLS * MAP_PX**2)


def _parts(label: NDArray[np.float32]) -> list[_Part]:
    count, numbers, stats, _ = cv2.connectedComponentsWithStats((label > _SEEN).astype(np.uint8))
    parts = []
    for number in range(1, count):
        left, top, width, height, _ = stats[number].tolist()
        window = slice(top, top + height), slice(left, left + width)
        inside = numbers[window] == number
        parts.append(_Part(np.argwhere(inside) + np.array([top, left]), label[window][inside] - np.float32(_SEEN)))
    return parts


def _place(part: _Part) -> LabelPlace:
    _, (width, height), angle = cv2.minAreaRect(part.points[:, ::-1].astype(np.float32))
    # Extends from pixels' middles to their borders.
    sides = np.array([width + 1, height + 1]) / MAP_PX
    x, y = part.middle.tolist()
    return LabelPlace(
        x,
        y,
        float(angle if width >= height else angle + 90),
        float(sides.max()),
        float(sides.min()),
        min(1.0, part.weight / MAP_PX**2 / _PLAIN) ** 2,
    )
