"""Pictures of the table while no game is on it, for calibrating it on the page."""

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
"""The time after which a camera that could not be opened is tried again."""


class IdleCamera:
    """A camera held open for as long as a client wants pictures.

    Args:
        devices: the table's.
        host: knows who wants pictures, and takes them; None if nobody does.
        say: told of a camera that cannot be opened.
        idle: called while the camera is away.
    """

    def __init__(
        self, devices: Openers, host: Host | None, say: Callable[[str], None], idle: Callable[[], None]
    ) -> None:
        self._devices, self._host, self._say, self._idle = devices, host, say, idle
        self._camera: Camera | None = None
        self._failed_s = float("-inf")

    def step(self) -> bool:
        """Pass on one picture, and return whether there was one."""
        if self._host is None or not self._host.wants_pictures:
            self.close()
            return False
        if self._devices.clock.now() - self._failed_s < _AGAIN_S:
            return False
        try:
            self._camera = self._camera or self._devices.camera(self._say, self._idle)
            self._host.show(self._camera.capture())
            self._host.take_still(self._camera)
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
    """Return what the strip shows while the camera looks."""
    lit = [NEUTRAL if index >= strip.first_pixel else (0, 0, 0) for index in range(count)]
    return limited(lit, strip.brightness, strip.max_ma)
