"""A fake of `cv2.VideoCapture` over a USB camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.simulated.devices import SimulatedClock

AUTOMATIC: Final = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
"""The switches of the automatic settings, with their values for automatic."""
VALUES: Final = {
    cv2.CAP_PROP_EXPOSURE: cv2.CAP_PROP_AUTO_EXPOSURE,
    cv2.CAP_PROP_WB_TEMPERATURE: cv2.CAP_PROP_AUTO_WB,
    cv2.CAP_PROP_FOCUS: cv2.CAP_PROP_AUTOFOCUS,
}
"""The settings, with the switch of each."""
RIGHT: Final = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4000.0, cv2.CAP_PROP_FOCUS: 30.0}
"""What suits the table, and what it chooses automatically."""


class FakeCapture:
    """A webcam over a table, whose frames the system buffers while none is read.

    Its settings work as the UVC driver's: they persist until it is unplugged, and its automatic ones are reported as
    `reports` says, which some cameras do wrongly.

    Args:
        clock: the clock of the frames' timestamps.
        knows: the properties that can be set.
        modes: its widths and heights; it starts with the first and takes the nearest to a requested size.
        reports: the values that it reports for settings that are automatic.
        rates: the greatest rate of each mode that has not 30 frames a second.
    """

    def __init__(
        self,
        clock: SimulatedClock,
        knows: Sequence[int] = (),
        modes: Sequence[tuple[int, int]] = ((32, 24),),
        reports: Mapping[int, float] | None = None,
        rates: Mapping[tuple[int, int], float] | None = None,
    ) -> None:
        self.clock = clock
        self.plugged = self.there = True
        self.stamps = True
        self.released = self.spoilt = 0
        self.settings: list[tuple[int, float]] = []
        self.manual: dict[int, float] = {}
        self.switches = {**AUTOMATIC}
        self._knows, self._reports, self._rates = knows, {**RIGHT, **(reports or {})}, rates or {}
        self._stamp_s = clock.now()
        self._size = modes[0]
        self.modes = list(modes)
        self._asked: dict[int, float] = {}
        self._fps = 30.0
        self.kept: list[float] = []
        self.unlike = 0

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def in_use(self, value: int) -> float:
        """Return the value that a setting has now."""
        is_automatic = self.switches[VALUES[value]] == AUTOMATIC[VALUES[value]]
        return RIGHT[value] if is_automatic else self.manual.get(value, self._reports[value])

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def grab(self) -> bool:
        if not self.plugged:
            return False
        if self.kept:
            self._stamp_s = self.kept.pop(0)
        else:
            self.clock.sleep(0.1)
            self._stamp_s = self.clock.now()
        return True

    def retrieve(self) -> tuple[bool, Any]:
        if self.spoilt:
            self.spoilt -= 1
            return False, None
        return True, self._picture()

    def get(self, propId: int) -> float:  # noqa: N803
        if propId == cv2.CAP_PROP_POS_MSEC:
            return self._stamp_s * 1000 if self.stamps else 0.0
        if propId == cv2.CAP_PROP_FPS:
            return min(self._fps, self._rates.get(self._size, 30.0))
        if propId in self.switches:
            return self.switches[propId]
        if propId in VALUES:
            is_automatic = self.switches[VALUES[propId]] == AUTOMATIC[VALUES[propId]]
            return self._reports[propId] if is_automatic else self.in_use(propId)
        return float({cv2.CAP_PROP_FRAME_WIDTH: self._size[0], cv2.CAP_PROP_FRAME_HEIGHT: self._size[1]}[propId])

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.settings.append((propId, value))
        if propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._asked[propId] = value
            return self._resize()
        if propId == cv2.CAP_PROP_FPS:
            self._fps = value
        if propId not in self._knows:
            return False
        if propId in self.switches:
            self.switches[propId] = value
        else:
            self.manual[propId] = value
        return True

    def release(self) -> None:
        self.released += 1

    def _picture(self) -> Any:
        """Draw a printed table as the settings show it, with a mark that differs from frame to frame."""
        width, height = self._size
        rows, columns = np.indices((height, width))
        print_ = np.where((rows // 2 + columns // 2) % 2, 225.0, 120.0)
        # Defocus takes the print's contrast; nothing is left at a quarter of the range.
        defocus = min(1.0, abs(self.in_use(cv2.CAP_PROP_FOCUS) - RIGHT[cv2.CAP_PROP_FOCUS]) / 60)
        print_ = print_ * (1 - defocus) + print_.mean() * defocus
        if self.unlike:
            # A hand.
            self.unlike -= 1
            print_[:, : width // 2] = 20.0
        light = self.in_use(cv2.CAP_PROP_EXPOSURE) / RIGHT[cv2.CAP_PROP_EXPOSURE]
        warmth = self.in_use(cv2.CAP_PROP_WB_TEMPERATURE) / RIGHT[cv2.CAP_PROP_WB_TEMPERATURE]
        picture = np.stack([print_ / warmth, print_, print_ * warmth], axis=2) * light
        picture[0, 0] = round(self._stamp_s * 10) % 251
        return picture.clip(0, 255).round().astype(np.uint8)

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
