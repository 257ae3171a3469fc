"""Stands in for `cv2.VideoCapture` over a USB camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from hardware.simulated.clock import SimulatedClock


class FakeCapture:
    """A webcam that the system keeps frames of while nobody asks for one.

    Args:
        clock: on which its frames are stamped.
        knows: the properties that can be set.
    """

    def __init__(self, clock: SimulatedClock, knows: tuple[int, ...] = ()) -> None:
        self.clock = clock
        self.plugged = self.there = True
        self.stamps = True
        self.released = 0
        self.settings: list[tuple[int, float]] = []
        self._knows = knows
        self._stamp_s = clock.now()
        self._size = (32, 24)
        self.kept: list[float] = []

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def read(self) -> tuple[bool, Any]:
        if not self.plugged:
            return False, None
        if self.kept:
            self._stamp_s = self.kept.pop(0)
        else:
            self.clock.sleep(0.1)
            self._stamp_s = self.clock.now()
        width, height = self._size
        return True, np.full((height, width, 3), round(self._stamp_s * 10) % 251, np.uint8)

    def get(self, propId: int) -> float:  # noqa: N803
        if propId == cv2.CAP_PROP_POS_MSEC:
            return self._stamp_s * 1000 if self.stamps else 0.0
        return 157.0

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.settings.append((propId, value))
        return propId in self._knows

    def release(self) -> None:
        self.released += 1
