"""Detection of pictures at rest: blank frames, frames in which nothing moved, settled views, and their average."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Edge of the compared squares: half a cell, so that the smallest patch fills four.
_SQUARE_PX: Final = 16
_MEAN: Final = np.full((1, 3), 1 / 3, np.float32)
# Ratio of a square's difference to the median square's from which it shows a change: between two frames of one scene,
# noise is equal all over the view; a patch in the board's own colour differs in its weave.
_OTHERWISE: Final = 2.0
# Grey levels of difference that are attributed to vibration of the camera.
_LEAST: Final = 1.5
# Largest difference, in grey levels, of a square's mean from the median change; or `_OTHERWISE` times the median
# square's difference if that is more, because a dim sensor's noise is coarse-grained. Beyond it a shadow has moved.
_LEVEL: Final = 4.0


def averaged(views: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Return the mean of the latest view and those immediately before it that show the same.

    Args:
        views: views of one quilt, latest last; at least one, each of shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
    """
    latest = views[-1]
    total, count = latest.astype(np.float32), 1
    for view in reversed(views[:-1]):
        if not shows_the_same(view, latest):
            break
        total += view
        count += 1
    return np.asarray(np.rint(total / count), np.uint8) if count > 1 else latest


def shows_the_same(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    """Return whether two views differ by noise alone; False in doubt."""
    difference = cv2.GaussianBlur(one, (3, 3), 0.8).astype(np.float32) - cv2.GaussianBlur(other, (3, 3), 0.8)
    grey = np.asarray(cv2.transform(difference, _MEAN), np.float32)
    level = _of_squares(grey)
    spread = np.sqrt(np.maximum(_of_squares(grey * grey) - level * level, 0.0))
    usual = _OTHERWISE * float(np.median(spread))
    even = np.abs(level - np.median(level)).max() <= max(_LEVEL, usual)
    return bool(even and spread.max() <= max(_LEAST, usual))


def _of_squares(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of each square."""
    count = grey.shape[0] // _SQUARE_PX
    return np.asarray(cv2.resize(grey, (count, count), interpolation=cv2.INTER_AREA), np.float32)


# Edge of the small picture in which views are compared; each of its pixels averages four by four.
_SMALL_PX: Final = 96
# Grey levels added before logarithms are taken, so that noise in the dark does not count as motion.
_DARK: Final = 20.0
# Blur of the small picture, about a third of a cell: it removes a dim sensor's noise, not a finger.
_SOFT_PX: Final = 3
# Log-ratio beyond which a pixel has changed; noise and drift stay well below it.
_DIFFERENCE: Final = 0.2
# Share of changed pixels above which the picture is no longer settled. A finger over the board's edge covers more.
_STIRRING_SHARE: Final = 0.012
# Share of changed pixels below which the picture settles; lower than the other, as a hysteresis.
_RESTING_SHARE: Final = 0.006
# Median log-ratio beyond which a lamp was switched, as opposed to a hand moving: the picture must settle again.
_LIGHT_JUMP: Final = 0.12


class StabilityGate:
    """A gate that passes the views of one quilt only while they are settled.

    Args:
        needed: number of consecutive frames that must agree, the current one included.

    Raises:
        ValueError: fewer than 2 frames are needed; one frame agrees with nothing.
    """

    def __init__(self, needed: int = 2) -> None:
        if needed < 2:
            raise ValueError(f"{needed} frames cannot agree, at least 2 are needed")
        self._needed = needed
        self._before: NDArray[np.float32] | None = None
        self._agreeing = 0

    @property
    def settled(self) -> bool:
        """True if the last `needed` frames agree."""
        return self._agreeing >= self._needed

    @property
    def agreeing(self) -> int:
        """Number of consecutive frames that agree, the latest one included."""
        return self._agreeing

    def watch(self, view: NDArray[np.uint8]) -> bool:
        """Process the next view, shape (height, width, 3), uint8, and return whether it is settled."""
        small = cv2.resize(view, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        now = np.asarray(np.log(cv2.blur(small, (_SOFT_PX, _SOFT_PX)) + _DARK), np.float32)
        self._agreeing = self._agreeing + 1 if self._agrees(now) else 1
        self._before = now
        return self.settled

    def rest_on(self) -> None:
        """Count a view that is known to be unchanged."""
        if self._before is not None:
            self._agreeing += 1

    def forget(self) -> None:
        """Reset, as after a gap in the frames."""
        self._before, self._agreeing = None, 0

    def _agrees(self, now: NDArray[np.float32]) -> bool:
        if self._before is None:
            return False
        ratio = now - self._before
        jump = float(np.median(ratio))
        changed = (np.abs(ratio - jump) > _DIFFERENCE).any(axis=2)
        allowed = _STIRRING_SHARE if self.settled else _RESTING_SHARE
        return abs(jump) <= _LIGHT_JUMP and float(changed.mean()) <= allowed


# Sampling step in both directions: reading every pixel of a large picture takes ten times as long.
_STEP_PX: Final = 8
# Blocks along each edge; averaging over a block removes nearly all of the sensor's noise.
_BLOCKS: Final = 16
# The largest difference, in grey levels, between the brightest and the darkest block of a blank picture, in the channel
# where they differ most. A simulated table has 160, and 8 in a twentieth of its light, where no quilt can be read;
# black with a noise of 6 levels has 3.
_ONE_GREY: Final = 8


def is_blank(image: NDArray[np.uint8]) -> bool:
    """Return whether a picture, shape (height, width, 3), uint8, has one uniform colour."""
    blocks = cv2.resize(image[::_STEP_PX, ::_STEP_PX], (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
    return int(np.ptp(blocks.reshape(-1, blocks.shape[-1]).astype(np.int16), axis=0).max()) < _ONE_GREY


# Edge of the averaged blocks: the smallest patch, of 17 pixels at least, changes one of them by a quarter.
_BLOCK_PX: Final = 16
# Change of a block's mean, in grey levels, that counts as motion: ten times a dim sensor's noise in it, and less than a
# quarter of a block of a patch that differs from its ground by 12 levels.
_STIRRED: Final = 3.0
MOST_SKIPPED: Final = 9
"""Consecutive still frames after which one is processed in any case, because a board may creep unnoticed."""


class Stillness:
    """A comparison of each frame with the latest one that was processed, so that slow changes add up.

    Args:
        most_skipped: number of still frames after which one is processed in any case; None for no limit.
    """

    def __init__(self, most_skipped: int | None = MOST_SKIPPED) -> None:
        self._most_skipped = most_skipped
        self._known: NDArray[np.float32] | None = None
        self._skipped = 0

    def holds(self, image: NDArray[np.uint8]) -> bool:
        """Return whether a frame, shape (height, width, 3), uint8, can be skipped because nothing has moved."""
        height_px, width_px = image.shape[:2]
        size = (max(1, width_px // _BLOCK_PX), max(1, height_px // _BLOCK_PX))
        blocks = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
        if (self._most_skipped is None or self._skipped < self._most_skipped) and self._is_known(blocks):
            self._skipped += 1
            return True
        self._known, self._skipped = blocks, 0
        return False

    def _is_known(self, blocks: NDArray[np.float32]) -> bool:
        known = self._known
        if known is None or known.shape != blocks.shape:
            return False
        return float(np.abs(blocks - known).max()) <= _STIRRED

    def end(self) -> None:
        """Require the next frame to be processed."""
        self._known = None
