"""A fake of `cv2.VideoCapture` over a USB camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from hardware.simulated.devices import SimulatedClock


class FakeCapture:
    """A webcam whose frames the system buffers while none is read.

    Args:
        clock: the clock of the frames' timestamps.
        knows: the properties that can be set.
        modes: its widths and heights; it starts with the first and takes the nearest to a requested size.
    """

    def __init__(
        self,
        clock: SimulatedClock,
        knows: tuple[int, ...] = (),
        modes: tuple[tuple[int, int], ...] = ((32, 24),),
    ) -> None:
        self.clock = clock
        self.plugged = self.there = True
        self.stamps = True
        self.released = 0
        self.settings: list[tuple[int, float]] = []
        self._knows = knows
        self._stamp_s = clock.now()
        self._size = modes[0]
        self.modes = list(modes)
        self._asked: dict[int, float] = {}
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
        sizes = {cv2.CAP_PROP_FRAME_WIDTH: self._size[0], cv2.CAP_PROP_FRAME_HEIGHT: self._size[1]}
        return float(sizes.get(propId, 157))

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.settings.append((propId, value))
        if propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._asked[propId] = value
            return self._resize()
        return propId in self._knows

    def release(self) -> None:
        self.released += 1

    def _resize(self) -> bool:
        """Choose a mode as OpenCV and the driver do: with both sides known, that of the least area not in common."""
        if len(self._asked) < 2:
            return True
        width, height = self._asked[cv2.CAP_PROP_FRAME_WIDTH], self._asked[cv2.CAP_PROP_FRAME_HEIGHT]
        self._asked.clear()
        self._size = min(
            self.modes,
            key=lambda mode: width * height + mode[0] * mode[1] - 2 * min(width, mode[0]) * min(height, mode[1]),
        )
        return True
