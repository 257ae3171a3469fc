"""The ports of the companion: a camera, buttons, a strip of lights, a voice, a clock.

Drivers and their twins implement these protocols; everything above them knows only what stands here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

RGB: TypeAlias = tuple[int, int, int]
"""One pixel's red, green and blue, each 0..255."""


class HardwareError(Exception):
    """A device is missing, busy or broken. The message says which, and what to do."""


class CameraError(HardwareError):
    """The camera gave no frame."""


class EndOfFramesError(CameraError):
    """There will be no more frames: the recording has ended, or the camera was closed."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and its time, which travel together.

    Attributes:
        image: shape (height, width, 3), uint8, blue-green-red as OpenCV orders it. Not to be written to.
        t_s: when the exposure ended, on the camera's clock.
        name: unique within the evening and ascending; in a recording, the file's name.
        metadata: what the camera says of how it was taken, such as "ExposureTime" in microseconds; may be empty.
        crop: the part of the camera's whole view that the picture shows: left, top, width, height, in units that
            all of the camera's pictures share, such as the sensor's pixels; None if the camera does not tell.
        repeated: whether it is the picture before once more, as of a camera that hangs: it does not show this moment.
    """

    image: NDArray[np.uint8]
    t_s: float
    name: str
    metadata: Mapping[str, object] = field(default_factory=dict)
    crop: tuple[float, float, float, float] | None = None
    repeated: bool = False


class Button(StrEnum):
    """The logical buttons; a physical push-button is mapped to one of them."""

    CONFIRM = "confirm"
    ADVANCE = "advance"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Press:
    """A debounced press of a push-button.

    Attributes:
        button: which.
        t_s: when, on the same clock as the frames.
        answers: only from a recording: whether the press was an answer to a question (None: not known).
        seat: whose set of buttons it was, None for a set that both share.
    """

    button: Button
    t_s: float
    answers: bool | None = None
    seat: int | None = None


class Camera(Protocol):
    """A source of frames."""

    def capture(self) -> Frame:
        """Wait for the next frame and return it.

        Raises:
            EndOfFramesError: there will be no more.
            CameraError: no frame could be taken.
        """

    def close(self) -> None:
        """Release the camera; may be called more than once."""


@runtime_checkable
class StillCamera(Camera, Protocol):
    """A camera that also takes single pictures, as large and as good as it can."""

    def still(self) -> Frame:
        """Return a picture for calibration and scoring; its size may differ from that of the frames.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: no picture could be taken.
        """


class Controls(Protocol):
    """The push-buttons."""

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, in order; never waits."""

    def close(self) -> None:
        """Release the buttons; may be called more than once."""


class LightStrip(Protocol):
    """A strip of addressable lights."""

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show exactly `pixel_count` pixels at once.

        Raises:
            ValueError: another number of pixels.
        """

    def close(self) -> None:
        """Switch all pixels off and release the strip; may be called more than once."""


class Voice(Protocol):
    """A voice that speaks to the people at the table."""

    def say(self, text: str, language: str) -> None:
        """Have a text spoken, and return at once; one that cannot be spoken any more is left out.

        Args:
            text: what.
            language: of the text, such as "en".
        """

    def close(self) -> None:
        """Fall silent; may be called more than once."""


class Clock(Protocol):
    """Monotonic time."""

    def now(self) -> float:
        """Return seconds since some fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Return `seconds` later."""
