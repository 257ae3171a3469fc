"""A phone as the camera: its browser sends pictures to the page, at /camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.languages import said
from companion.pictures import PictureError, decoded
from hardware.driver import CameraDriver, OpenContext
from hardware.handset import HANDSET, PHONE, Handset
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame

# The phone sends a picture at least every second; a slow network may hold up some.
_PATIENCE_S: Final = 4.0
# A phone takes one to three seconds for a photograph, and has to send some megabytes.
_STILL_PATIENCE_S: Final = 8.0


@dataclass(frozen=True, slots=True)
class PhoneDriver(CameraDriver):
    """A phone."""

    driver = PHONE
    summary = said("a phone, whose browser opens the page’s address with {path} at its end", path="/camera")
    reopens = has_finer_stills = True

    def open(self, context: OpenContext) -> PhoneCamera:
        """Return the camera; the phone may come later."""
        return PhoneCamera(context.clock, self.size)


class PhoneCamera:
    """A phone that sends its pictures to the page.

    Args:
        clock: for the frames' times.
        size: width and height of a picture; only whether it is upright counts.
        handset: the phone.
    """

    def __init__(self, clock: Clock, size: tuple[int, int] = (1536, 864), handset: Handset = HANDSET) -> None:
        self._clock, self._handset = clock, handset
        # What came before may be minutes old.
        self._number, self._taken = handset.number, 0
        self._is_upright = size[1] > size[0]
        self._closed = False

    def capture(self) -> Frame:
        """Return the next picture; its image is read-only."""
        if self._closed:
            raise EndOfFramesError.said("the camera was closed")
        found = self._handset.next(self._number, _PATIENCE_S)
        if found is None:
            raise CameraError.said(
                "the phone sends no pictures: open {path} on it, keep its screen on, and stay in your network",
                path="/camera",
            )
        self._number, content = found
        return self._frame(content)

    def still(self) -> Frame:
        """Return a photograph by the phone, in its greatest size, or the next picture if none comes in time."""
        content = None if self._closed else self._handset.still(_STILL_PATIENCE_S)
        return self.capture() if content is None else self._frame(content)

    def close(self) -> None:
        """Pass on no more pictures; may be called more than once."""
        self._closed = True

    def _frame(self, content: bytes) -> Frame:
        try:
            image = decoded(content)
        except PictureError:  # A file of some kilobytes can declare more pixels than there is memory.
            image = None
        if image is None:
            raise CameraError.said("the phone sends something other than pictures: reload {path} on it", path="/camera")
        # Boards were found in pictures of the other direction.
        if (image.shape[0] > image.shape[1]) != self._is_upright:
            raise CameraError.said("the phone was turned: turn it back, and lock its screen’s rotation")
        image.setflags(write=False)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, self._clock.now(), name)
