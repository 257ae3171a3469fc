"""Detection of pictures at rest: blank frames, frames in which nothing moved, settled views, and their average."""

from collections import Counter, deque
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reductions import brightest

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


# Edge of the small picture in which views are compared; each of its pixels averages four by four of a view.
_SMALL_PX: Final = 96
# Edge of the squares, in small pixels, whose mean colour is compared: a quarter of a cell.
_GRAIN_PX: Final = 2
_GRAINS: Final = _SMALL_PX // _GRAIN_PX
# Grey levels added before logarithms are taken, so that noise in the dark does not count as motion.
_DARK: Final = 20.0
# Log-ratio beyond which a square has changed, however quiet the camera: a hand over a board of its own brightness
# differs by 0.2 in red, a leather patch by 0.4; the noise of a good camera is 0.01.
_DIFFERENCE: Final = 0.15
# The same at a noisy camera, as a multiple of the squares' usual difference; 4.5 sigmas.
_USUAL: Final = 6.7
# The same at a place that is always restless, as a multiple of the lower third of its differences.
_RESTLESS: Final = 4.0
# The limit of both: with more noise than this no hand can be told from it.
_MOST: Final = 0.3
# Squares of one connected change that end a rest, and below which one begins; lower than the other, as a hysteresis.
# A cell has 16, and a finger over the board's edge covers more.
_STIRRING: Final = 9
_RESTING: Final = 6
# Squares around one whose differences are taken off before noise is measured: wider than a cell.
_WIDE: Final = 9
# Median log-ratio beyond which a lamp was switched, and no exposure hunts: the picture must settle again.
_LIGHT_JUMP: Final = 0.2
# Largest motion of the whole picture, in small pixels, that is a stand's sway; a third of a cell.
_SWAY_PX: Final = 3.0
# The same where there are edges, for each unit of contrast, as a multiple of the usual such difference.
_USUAL_BLUR: Final = 4.0
# The least contrast around a square that is an edge, as a log-ratio.
_EDGE: Final = 0.15
_AROUND: Final = np.ones((3, 3), np.uint8)
# Steps by which the usual difference of a place is raised and lowered: it comes to rest at their lower third.
_RAISED: Final = 0.004
_LOWERED: Final = 0.008
# The latest causes of unrest that are counted.
_CAUSES: Final = 9


class Unrest(StrEnum):
    """The cause for which a picture is not at rest."""

    MOTION = "motion"
    """A connected part of it changes: a hand, a patch that is turned, a shadow that travels."""
    SWAY = "sway"
    """All of it moves."""
    LIGHT = "light"
    """All of it turns brighter or darker."""
    NOISE = "noise"
    """It differs so much everywhere that motion could not be seen."""


class StabilityGate:
    """A gate that passes the views of one quilt only while nothing moves in them.

    Views are compared apart from what a camera does to a table at rest: a stand's sway and a lens's breath are taken
    out by registration, exposure by the median, the mains' bands as waves; noise and blur are measured in each pair of
    views, and at each place as the evening goes.

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
        self._usual = np.zeros((_GRAINS, _GRAINS), np.float32)
        self._agreeing = 0
        self._causes: deque[Unrest] = deque(maxlen=_CAUSES)

    @property
    def settled(self) -> bool:
        """True if the last `needed` frames agree."""
        return self._agreeing >= self._needed

    @property
    def agreeing(self) -> int:
        """Number of consecutive frames that agree, the latest one included."""
        return self._agreeing

    @property
    def unrest(self) -> Unrest | None:
        """The usual cause of late for which the view is not settled; None if it is, or if none has been seen."""
        return Counter(self._causes).most_common(1)[0][0] if self._causes else None

    def watch(self, view: NDArray[np.uint8]) -> bool:
        """Process the next view, shape (height, width, 3), uint8, and return whether it is settled."""
        small = cv2.resize(view, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA)
        now = np.asarray(cv2.log(cv2.blur(small, (3, 3)).astype(np.float32) + np.float32(_DARK)), np.float32)
        unrest = None if self._before is None else self._compare(now, self._before)
        self._agreeing = self._agreeing + 1 if self._before is not None and unrest is None else 1
        self._before = now
        if self.settled:
            self._causes.clear()
        elif unrest is not None:
            self._causes.append(unrest)
        return self.settled

    def rest_on(self) -> None:
        """Count a view that is known to be unchanged."""
        if self._before is not None:
            self._agreeing += 1

    def forget(self) -> None:
        """Reset, as after a gap in the frames; the camera's noise is still known."""
        self._before, self._agreeing = None, 0
        self._causes.clear()

    def _compare(self, now: NDArray[np.float32], before: NDArray[np.float32]) -> Unrest | None:
        unrest, change = self._judge(now, before)
        if unrest is not None:
            # Only now, because most cameras stand still.
            motion, moved_px = _registration(now, before)
            if moved_px > _SWAY_PX:
                return Unrest.SWAY
            unrest, change = self._judge(now, _moved(before, motion))
        step = np.where(change > self._usual, np.float32(_RAISED), np.float32(-_LOWERED))
        self._usual = np.clip(self._usual + step, 0, _MOST / _RESTLESS)
        return unrest

    def _judge(
        self, now: NDArray[np.float32], before: NDArray[np.float32]
    ) -> tuple[Unrest | None, NDArray[np.float32]]:
        """Return why two small pictures differ, and the difference of each square, shape (_GRAINS, _GRAINS)."""
        here, there = _grains(now), _grains(before)
        ratio = here - there
        # The same gain changes the logarithm of what is dark less.
        response = np.asarray(1 - _DARK * np.exp(-there), np.float32)
        even = np.asarray(cv2.blur(_evened(ratio, response), (3, 3)), np.float32)
        change = brightest(np.abs(even))
        # What is wider than a cell is a shadow, and no noise.
        small = brightest(np.abs(even - cv2.blur(even, (_WIDE, _WIDE))))
        noise = _USUAL * float(np.median(small))
        # A lens that breathes, and a registration that is a little off, change what has edges.
        edges = np.minimum(_contrast(here), _contrast(there))
        sharp = edges > _EDGE
        blurred = _USUAL_BLUR * float(np.median(small[sharp] / edges[sharp])) if sharp.any() else 0.0
        usual = np.maximum(_RESTLESS * self._usual, np.float32(blurred) * edges)
        limit = np.clip(np.maximum(usual, noise), _DIFFERENCE, _MOST)
        if _largest(change > limit) > (_STIRRING if self.settled else _RESTING):
            return Unrest.NOISE if noise > _MOST else Unrest.MOTION, change
        return Unrest.LIGHT if abs(float(np.median(ratio))) > _LIGHT_JUMP else None, change


def _grains(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of each square of a small picture."""
    return np.asarray(cv2.resize(small, (_GRAINS, _GRAINS), interpolation=cv2.INTER_AREA), np.float32)


def _contrast(grains: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how much the squares around each one differ in brightness, shape (_GRAINS, _GRAINS)."""
    return np.asarray(cv2.morphologyEx(cv2.transform(grains, _MEAN), cv2.MORPH_GRADIENT, _AROUND), np.float32)


# Mains bands across a view, from a third of a period, at a large board, to periods of a cell and a half.
_BANDS: Final = np.arange(0.3, 8.0, 0.1)
_ALONG: Final = np.linspace(0, 2 * np.pi, _GRAINS)
_ROWS, _COLUMNS = np.indices((_GRAINS, _GRAINS))
# For each number of bands an orthonormal base of its waves, shape (bands, _GRAINS, 3).
_WAVES: Final = np.linalg.qr(
    np.stack(
        [np.ones((len(_BANDS), _GRAINS)), np.sin(np.outer(_BANDS, _ALONG)), np.cos(np.outer(_BANDS, _ALONG))], axis=2
    )
)[0].astype(np.float32)
# Share of a profile's square that a wave must explain to be taken for flicker: the edge of a shadow has at most 0.9.
_WAVE_SHARE: Final = 0.95
# The least amplitude, as a log-ratio, that is worth a search for waves.
_LEAST_WAVE: Final = 0.02


def _evened(ratio: NDArray[np.float32], response: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-ratios of two pictures' squares without exposure, white balance and the mains' flicker.

    Flicker lies in waves along the sensor's rows, which most boards' sides follow, over the whole picture. An arm
    across a board is a band, too, but no wave. `response` is the change by a unit of gain, of the same shape.
    """
    usual = np.median(response, axis=(0, 1))
    gain = np.asarray(response / np.maximum(usual, _LEAST_WAVE), np.float32)
    ratio = np.asarray(ratio - gain * np.median(ratio, axis=(0, 1)), np.float32)
    level = np.asarray(cv2.transform(ratio, _MEAN), np.float32)
    profiles = [np.asarray(np.median(level, axis=axis), np.float32) for axis in (1, 0)]
    strongest = max((0, 1), key=lambda axis: float(np.ptp(profiles[axis])))
    wave = _wave(profiles[strongest])
    found = [_slanted(level), None if wave is None else np.expand_dims(wave, 1 - strongest)]
    bands = min((each for each in found if each is not None), key=lambda each: np.abs(level - each).sum(), default=None)
    return ratio if bands is None else np.asarray(ratio - gain * bands[..., None], np.float32)


def _slanted(level: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Return the waves across a board that lies aslant in the picture, shape (_GRAINS, _GRAINS), or None."""
    smooth = cv2.blur(level, (5, 5))
    if np.ptp(smooth) < 2 * _LEAST_WAVE:
        return None
    right, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    # The direction in which the squares differ most.
    angle = 0.5 * np.arctan2(2 * float((right * down).sum()), float((right * right - down * down).sum()))
    along = np.cos(angle) * _COLUMNS + np.sin(angle) * _ROWS
    along -= along.min()
    bins = np.asarray(np.rint(along * ((_GRAINS - 1) / along.max())), np.intp)
    counts = np.bincount(bins.ravel(), minlength=_GRAINS)
    sums = np.bincount(bins.ravel(), level.ravel(), _GRAINS)
    wave = _wave(np.asarray(sums / np.maximum(counts, 1), np.float32))
    return None if wave is None else wave[bins]


def _wave(profile: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Return the wave that explains a profile of log-ratios, shape (_GRAINS,), or None."""
    if np.ptp(profile) < 2 * _LEAST_WAVE:
        return None
    parts = profile @ _WAVES
    best = int(np.argmax((parts * parts).sum(axis=1)))
    level = profile - profile.mean()
    wave = np.asarray(_WAVES[best] @ parts[best], np.float32)
    off = profile - wave
    return wave if float(off @ off) <= (1 - _WAVE_SHARE) * float(level @ level) else None


def _largest(mask: NDArray[np.bool_]) -> int:
    """Return the number of elements in the largest connected part of a mask."""
    if not mask.any():
        return 0
    sizes = cv2.connectedComponentsWithStats(mask.astype(np.uint8))[2][1:, cv2.CC_STAT_AREA]
    return int(sizes.max())


# Rounds of the registration, by Gauss and Newton: each finds a motion of a pixel or two.
_ROUNDS: Final = 3
# Edge of the surroundings, in small pixels, whose brightness is no detail: two cells.
_SURROUNDINGS_PX: Final = 17
_MIDDLE_PX: Final = (_SMALL_PX - 1) / 2
_ACROSS, _DOWN = (
    np.asarray(axis, np.float32) for axis in np.meshgrid(*[np.linspace(-1, 1, _SMALL_PX, dtype=np.float32)] * 2)
)
_CORNERS_PX: Final = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]) * [_SMALL_PX - 1, _SMALL_PX - 1, 1]


def _registration(now: NDArray[np.float32], before: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
    """Return the similarity, shape (2, 3), from a small picture's pixels to the earlier one's that most of them follow.

    Also returned is the largest motion of a corner, in small pixels.
    """
    here, there = _detail(now), _detail(before)
    right, down = cv2.Sobel(here, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(here, cv2.CV_32F, 0, 1, scale=1 / 8)
    slopes = np.stack((right, down, right * _ACROSS + down * _DOWN, down * _ACROSS - right * _DOWN), axis=-1)
    slopes = slopes.reshape(-1, 4)
    motion = np.eye(2, 3)
    for _ in range(_ROUNDS):
        off = (_moved(there, motion) - here).reshape(-1)
        off -= np.median(off)
        # A hand is no part of the camera's motion.
        weights = 1 / (1 + (off / (3 * np.median(np.abs(off)) + 1e-3)) ** 2)
        weighted = slopes * weights[:, None]
        normal = np.asarray(weighted.T @ slopes, np.float64) + 1e-3 * np.eye(4)
        x, y, scale, turn = np.linalg.solve(normal, -np.asarray(weighted.T @ off, np.float64))
        scale, turn = scale / _MIDDLE_PX, turn / _MIDDLE_PX
        motion += [
            [scale, -turn, x - (scale - turn) * _MIDDLE_PX],
            [turn, scale, y - (scale + turn) * _MIDDLE_PX],
        ]
    moved = _CORNERS_PX @ motion.T - _CORNERS_PX[:, :2]
    return motion, float(np.hypot(*moved.T).max())


def _detail(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a small picture's brightness less that of its surroundings, which light changes."""
    level = np.asarray(cv2.transform(small, _MEAN), np.float32)
    return level - cv2.blur(level, (_SURROUNDINGS_PX, _SURROUNDINGS_PX))


def _moved(small: NDArray[np.float32], motion: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a small picture's values at the places of its pixels after a motion, shape (2, 3)."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (_SMALL_PX, _SMALL_PX)
    return np.asarray(cv2.warpAffine(small, motion, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


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
        # By two first, for which OpenCV is quick: in half the time, to within a grey level.
        half = cv2.resize(image, (max(1, width_px // 2), max(1, height_px // 2)), interpolation=cv2.INTER_AREA)
        blocks = np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_AREA), np.float32)
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
