"""The camera's pictures for the page: the newest frame, and that of the latest question or complaint."""

from collections.abc import Callable
from threading import Lock
from typing import Final

import cv2

from companion.languages import said
from companion.play.page.routes import Exposure, Picture
from hardware.ports import Frame

JPEG_QUALITY: Final = 80
# The number of encoded pictures cached; only the newest few are requested again.
_KEPT: Final = 8


class NoPictureError(Exception):
    """Raised for a picture that does not exist (yet); the message is a sentence."""


class Gallery:
    """A store of two exposures: the newest, and that of the latest question or complaint.

    `keep` and `show` are called from the turn loop's thread; pictures may be requested from any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._newest: Exposure | None = None
        self._questioned: Exposure | None = None
        # Apart from the other lock, so that drawing does not hold up the turn loop.
        self._drawing = Lock()
        self._drawn: dict[tuple[object, ...], bytes] = {}

    def keep(self, exposure: Exposure) -> None:
        """Store the newest exposure, and also as that of the question if it has a new one."""
        with self._lock:
            self._newest = exposure
            asked = None if self._questioned is None else self._questioned.question
            # The first picture of a question is the one that was read; later ones may show a hand that points at it.
            if exposure.question not in (None, asked):
                self._questioned = exposure

    @property
    def newest_frame(self) -> Frame | None:
        """The newest frame, or None before the first."""
        with self._lock:
            return None if self._newest is None else self._newest.frame

    def show(self, frame: Frame) -> None:
        """Store the newest frame of a table without a game."""
        with self._lock:
            self._newest = Exposure(frame)

    def camera_jpeg(self, *, reading: bool) -> bytes:
        """Return the newest frame as JPEG, with the reading drawn in if `reading` is set.

        Raises:
            NoPictureError: no frame has come yet.
        """
        with self._lock:
            exposure = self._newest
        if exposure is None:
            raise NoPictureError(said("There is no picture yet."))
        draw = exposure.reading if reading else None
        image = exposure.frame.image
        return self._drawn_once(("camera", exposure.frame.name, reading), draw or (lambda: image))

    def crop_jpeg(self, seat: int) -> bytes:
        """Return a rectified crop of a seat's board or sheet as JPEG, with doubtful places marked.

        Raises:
            NoPictureError: no frame has come yet, or the board was out of view.
        """
        with self._lock:
            exposure = self._questioned or self._newest
        if exposure is None:
            raise _unseen(seat)
        crop = exposure.crop

        def draw() -> Picture:
            picture = crop(seat)
            if picture is None:
                raise _unseen(seat)
            return picture

        return self._drawn_once(("crop", exposure.frame.name, exposure.question, seat), draw)

    def _drawn_once(self, key: tuple[object, ...], draw: Callable[[], Picture]) -> bytes:
        """Return a picture as JPEG, drawn and encoded once for all requests with the same key."""
        with self._drawing:
            if key not in self._drawn:
                if len(self._drawn) >= _KEPT:
                    # All at once: the names of frames never come again, so that an order of use would gain nothing.
                    self._drawn.clear()
                self._drawn[key] = jpeg(draw())
            return self._drawn[key]


def _unseen(seat: int) -> NoPictureError:
    return NoPictureError(said("There is no picture: the board of seat {seat} has not been in view.", seat=seat))


def jpeg(picture: Picture) -> bytes:
    """Return a picture encoded as JPEG."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
