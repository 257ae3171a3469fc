"""Detection of a settled picture, without a hand in it, by its difference from the preceding one."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

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
