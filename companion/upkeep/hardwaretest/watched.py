"""The test of the strip's pixels by the camera: a lit pixel that works changes the picture."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.languages import counted, in_turn, said
from companion.upkeep.hardwaretest.pixels import BLACK
from companion.upkeep.hardwaretest.step import SKIP, HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, LightStrip

BRIGHT: Final[RGB] = (150, 150, 150)
SETTLE_FRAMES: Final = 4
"""The number of pictures skipped after the strip goes dark, as they may still show light."""
DARK_FRAMES: Final = 6
"""The number of pictures that show how much changes by itself."""
LATEST_FRAMES: Final = 12
"""The number of pictures after which a light must be visible; a webcam's pictures may be queued."""
LEAST: Final = 8.0
"""The least change, in grey levels averaged over `_PATCH_PX`; a visible pixel makes far more, a lamp's flicker less."""
# The least ratio to the largest change with the strip off, as a trembling camera moves every edge.
_OVER_NOISE: Final = 2.5
_PATCH_PX: Final = 5
# Between two pictures; each of them restarts it, as a long strip takes minutes.
_PATIENCE_S: Final = 10.0


class WatchedPixelsStep(HardwareStep):
    """The step that lights one pixel after the other for the camera; those that it does not see must be counted by eye.

    Args:
        strip: the strip, with its current limited.
        first: the number of pixels left dark at its beginning.

    Attributes:
        seen: the pixels that the camera has seen lit, numbered from 0.
    """

    title = said("Strip, as seen by the camera")
    wants_frames = True

    def __init__(self, strip: LightStrip, first: int = 0) -> None:
        super().__init__()
        self._strip = strip
        self._pixels = range(first, strip.pixel_count)
        self.seen: frozenset[int] = frozenset()
        self._left = list(self._pixels)
        self._phase: Callable[[NDArray[np.uint8]], None] = self._in_the_dark
        self._waited, self._late, self._latest_s = 0, 0, 0.0
        self._dark: NDArray[np.uint8] | None = None
        self._limit = LEAST

    def begin(self, now_s: float) -> None:
        """Switch every pixel off."""
        self._latest_s = now_s
        self.prompt = Prompt(
            said("The pixels light up one after another while the camera watches: leave everything where it is.")
        )
        self._show(())

    def tick(self, moment: Moment) -> None:
        """Process a picture in the current phase."""
        if moment.answer == SKIP or moment.now_s - self._latest_s >= _PATIENCE_S:
            self._give_up(said("The camera was not used to check the strip’s pixels."))
        elif moment.frame is not None:
            self._latest_s = moment.now_s
            self._waited += 1
            self._phase(_brightest(moment.frame.image))

    def _in_the_dark(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= SETTLE_FRAMES or self._dark is None:
            self._dark = picture
            return
        self._limit = max(self._limit, _OVER_NOISE * self._change(picture))
        if self._waited >= SETTLE_FRAMES + DARK_FRAMES:
            self._phase = self._all_on
            self._show(self._pixels)

    def _all_on(self, picture: NDArray[np.uint8]) -> None:
        """Measure, with all pixels lit, after how many pictures a light is visible, as pictures may be queued."""
        if self._change(picture) > self._limit:
            self._late = self._waited
            self._phase = self._one_on
            self._show(self._left[:1])
        elif self._waited >= LATEST_FRAMES:
            self._give_up(said("The camera does not see the strip’s light."))

    def _one_on(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= self._late:  # One more, as part of a picture may have been exposed under the light before.
            return
        if self._change(picture) > self._limit:
            self.seen |= {self._left[0]}
        del self._left[0]
        self._show(self._left[:1])
        if not self._left:
            self._phase = self._dark_again

    def _dark_again(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= self._late:
            return
        if self._change(picture) > self._limit:
            # Then any of the changes may have been something else.
            self.seen = frozenset()
            self._give_up(said("The picture changed by itself, so it does not show which pixels light up."))
            return
        count, seen = len(self._pixels), len(self.seen)
        says = counted(
            "The camera sees all {count} pixels light up.", "The camera sees all {count} pixels light up.", count
        )
        if seen < count:
            says = said(
                "The camera sees {seen} of {all} pixels light up; check the others by eye.", seen=seen, all=count
            )
        self._found(Verdict.OK, said("strip and camera"), says, figures={"pixels_seen": float(seen)})
        self._end()

    def _change(self, picture: NDArray[np.uint8]) -> float:
        """Return the largest difference from the dark picture, in grey levels, averaged over `_PATCH_PX`."""
        assert self._dark is not None  # noqa: S101 - it is the first that is taken
        return float(cv2.blur(cv2.absdiff(picture, self._dark), (_PATCH_PX, _PATCH_PX)).max())

    def _show(self, places: range | list[int] | tuple[int, ...]) -> None:
        self._waited = 0
        self._strip.show([BRIGHT if place in places else BLACK for place in range(self._strip.pixel_count)])

    def _give_up(self, says: str) -> None:
        self._found(Verdict.SKIPPED, said("strip and camera"), in_turn([says, said("Count them by eye.")]))
        self._show(())
        self._end()


def _brightest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return each pixel's largest channel, shape (height, width); NumPy's maximum would take ten times as long."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
