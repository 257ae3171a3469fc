"""The pictures of a phone, between the page that receives them and the camera that passes them on."""

from threading import Condition
from typing import Final


class Handset:
    """The newest picture of a phone, older ones are dropped, and stills on request. Thread-safe."""

    def __init__(self) -> None:
        self._arrived = Condition()
        self._number = 0
        self._picture = b""
        self._still = b""
        self._wants_still = False

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

    def put_still(self, picture: bytes) -> None:
        """Take a still, as JPEG or PNG."""
        with self._arrived:
            self._still = picture
            self._arrived.notify_all()

    def still(self, timeout_s: float) -> bytes | None:
        """Ask the phone for a still, and return it, or None if none comes in time."""
        with self._arrived:
            self._still, self._wants_still = b"", True
            self._arrived.wait_for(lambda: self._still, timeout_s)
            self._wants_still = False
            return self._still or None

    @property
    def wants_still(self) -> bool:
        """True while a still is waited for."""
        return self._wants_still

    @property
    def number(self) -> int:
        """The number of the newest picture, 0 before the first."""
        return self._number


PHONE: Final = "phone"
"""The name of the driver of a camera that is a phone."""
HANDSET: Final = Handset()
"""The phone of this program: a table has one camera."""
