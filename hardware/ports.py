"""The ports of the companion: a camera, buttons, a strip of lights, a voice, a clock.

Drivers and their twins implement these protocols; all other code depends on these protocols alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from companion.languages import SentenceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RGB: TypeAlias = tuple[int, int, int]
"""One pixel's red, green and blue, each 0..255."""


class HardwareError(SentenceError):
    """A device is missing, busy or broken. The message names it, and the remedy."""


class CameraError(HardwareError):
    """The camera delivered no frame."""


class EndOfFramesError(CameraError):
    """There will be no more frames: the recording has ended, or the camera was closed."""


# Compared by identity: arrays compare cell by cell, which is no truth value.
@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture with its time and metadata.

    Attributes:
        image: shape (height, width, 3), uint8, BGR as in OpenCV; read-only.
        t_s: end of the exposure, on the camera's clock.
        name: unique within the evening and ascending; in a recording, the file's name.
        metadata: the camera's data on the exposure, such as "ExposureTime" in microseconds; may be empty.
        crop: the part of the camera's whole view that the picture shows: left, top, width, height, in units that
            all of the camera's pictures share, such as the sensor's pixels; None if the camera does not tell.
        repeated: whether it repeats the previous picture, as from a camera that hangs, and is not current.
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
        button: the button.
        t_s: time of the press, on the same clock as the frames.
        answers: in a recording, whether the press answered a question; None if unknown.
        seat: seat of the set of buttons, None for a shared set.
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


# Checked at run time: who wants a still is content with a frame of a camera that takes none.
@runtime_checkable
class StillCamera(Camera, Protocol):
    """A camera that also takes stills in its greatest size and quality."""

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
            HardwareError: they cannot be sent, or the strip was closed.
        """

    def close(self) -> None:
        """Switch all pixels off and release the strip; may be called more than once."""


class Voice(Protocol):
    """A voice that speaks to the people at the table."""

    def say(self, text: str, language: str) -> None:
        """Speak a text in a language, such as "en", in the background; it is dropped if it can no longer be spoken."""

    def close(self) -> None:
        """Stop speaking; may be called more than once."""


class Clock(Protocol):
    """Monotonic time."""

    def now(self) -> float:
        """Return the seconds since a fixed but arbitrary moment."""

    def sleep(self, seconds: float) -> None:
        """Block for `seconds`."""
