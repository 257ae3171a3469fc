"""The newest picture of a phone, between the page that receives it and the camera that passes it on."""

from threading import Condition
from typing import Final


class Handset:
    """The newest picture of a phone; older ones are dropped. Thread-safe."""

    def __init__(self) -> None:
        self._arrived = Condition()
        self._number = 0
        self._picture = b""

    def put(self, picture: bytes) -> None:
        """Take a picture, as JPEG."""
        with self._arrived:
            self._number += 1
            self._picture = picture
            self._arrived.notify_all()

    def next(self, after: int, timeout_s: float) -> tuple[int, bytes] | None:
        """Return the newest picture and its number once that is greater than `after`, or None if none comes in time."""
        with self._arrived:
            if self._arrived.wait_for(lambda: self._number > after, timeout_s):
                return self._number, self._picture
            return None

    @property
    def number(self) -> int:
        """The number of the newest picture, 0 before the first."""
        return self._number


PHONE: Final = "phone"
"""The name of the driver of a camera that is a phone."""
HANDSET: Final = Handset()
"""The phone of this program: a table has one camera."""
