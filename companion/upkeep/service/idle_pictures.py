"""Pictures of the table between games, for calibrating on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.lights.colours import NEUTRAL, limited
from hardware.ports import EndOfFramesError, HardwareError
from hardware.reopening import full_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config import StripConfig
    from companion.play.host import Host
    from companion.play.openers import Openers
    from hardware.ports import RGB, Camera

_AGAIN_S: Final = 5.0
"""The time between attempts to open the camera."""


class IdleCamera:
    """A camera held open while a client requests pictures.

    Args:
        devices: the table's devices.
        host: requests and receives pictures; None if there is no page to calibrate on.
        say: called with a sentence on a camera that cannot be used.
        idle: called while the camera is disconnected.
    """

    def __init__(
        self, devices: Openers, host: Host | None, say: Callable[[str], None], idle: Callable[[], None]
    ) -> None:
        self._devices, self._host, self._say, self._idle = devices, host, say, idle
        self._camera: Camera | None = None
        self._failed_s = float("-inf")

    def step(self) -> bool:
        """Pass one picture to the host if it requests any, and return whether there was one."""
        if self._host is None or not self._host.wants_pictures:
            self.close()
            return False
        if self._devices.clock.now() - self._failed_s < _AGAIN_S:
            return False
        try:
            self._camera = self._camera or self._devices.camera(self._say, self._idle)
            self._host.show(self._camera.capture())
            self._host.take_still(self._camera)
        # A folder may have no more pictures; that is no fault to report.
        except EndOfFramesError:
            self._rest()
        except HardwareError as error:
            self._say(full_stop(error))
            self._rest()
        else:
            return True
        return False

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _rest(self) -> None:
        self._failed_s = self._devices.clock.now()
        self.close()


def neutral_picture(count: int, strip: StripConfig) -> list[RGB]:
    """Return the strip's pixels with the neutral light for the camera."""
    lit = [NEUTRAL if index >= strip.first_pixel else (0, 0, 0) for index in range(count)]
    return limited(lit, strip.brightness, strip.max_ma)
