"""The camera over the simulated table."""

from enum import StrEnum
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.languages import said
from hardware.clock import Tempo
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame
from hardware.simulated.devices import PacedClock, SimulatedClock, SimulatedControls, SimulatedLightStrip


class Spoilt(StrEnum):
    """A fault of a picture."""

    FROZEN = "frozen"
    """The previous picture again."""
    BLACK = "black"
    TORN = "torn"
    """The upper half is current, the lower one of the previous picture."""
    SMALL = "small"
    """Half the correct width and height."""
    LATE = "late"
    """The current picture, a second late."""


def spoiled(image: NDArray[np.uint8], before: NDArray[np.uint8] | None, how: Spoilt) -> NDArray[np.uint8]:
    """Return a picture with a fault.

    Args:
        image: the current picture, (height, width, 3), uint8.
        before: the previous picture, of the same size; None if there was none.
        how: the fault.
    """
    match how:
        case Spoilt.FROZEN if before is not None:
            return before
        case Spoilt.BLACK:
            return np.zeros_like(image)
        case Spoilt.TORN if before is not None:
            return np.concatenate((image[: len(image) // 2], before[len(image) // 2 :]))
        case Spoilt.SMALL:
            return np.ascontiguousarray(image[::2, ::2])
        case _:
            return image


# The delay of a late picture.
_LATE_S: Final = 1.0


class Stage(Protocol):
    """The scene before the camera."""

    @property
    def over(self) -> bool:
        """True if the evening has ended."""

    def step(self, now_s: float) -> None:
        """Advance the scene to this time."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""


class SimulatedCamera:
    """A camera whose every capture advances the evening by one frame; failures can be injected.

    Args:
        stage: the table and its people.
        clock: advanced by each capture.
        fps: frames a simulated second.
    """

    def __init__(self, stage: Stage, clock: Clock, fps: float) -> None:
        if fps <= 0:
            raise ValueError(f"a camera needs frames per second above 0, not {fps}")
        self._stage, self._clock, self._frame_s = stage, clock, 1 / fps
        self._taken = 0
        self._closed = False
        self._failures: list[str] = []
        self._spoilt: list[Spoilt] = []
        self._unplugged = self._busy = ""
        self._latest: NDArray[np.uint8] | None = None

    @property
    def taken(self) -> int:
        """The number of frames returned."""
        return self._taken

    def fail_next(self, reason: str = "the cable is loose") -> None:
        """Let the next capture raise CameraError; may be called several times."""
        self._failures.append(reason)

    def unplug(self, reason: str = "the cable is loose") -> None:
        """Let every capture raise CameraError from now on."""
        self._unplugged = reason

    def plug_in(self) -> None:
        """Let captures succeed again."""
        self._unplugged = ""

    def spoil_next(self, how: Spoilt, frames: int = 1) -> None:
        """Let the next captures return pictures with this fault; earlier requests come first."""
        self._spoilt += [how] * frames

    def spoil_no_more(self) -> None:
        """Cancel all requested faults."""
        self._spoilt.clear()

    def occupy(self, reason: str = "another program has it open") -> None:
        """Refuse new loans; an existing borrower keeps the camera."""
        self._busy = reason

    def vacate(self) -> None:
        """Allow loans again."""
        self._busy = ""

    def lent(self) -> "LentCamera":
        """Return a handle that can be closed and reopened, like a real camera; the evening continues meanwhile.

        Raises:
            CameraError: it is unplugged, or in use by another program.
        """
        fault = self._unplugged or self._busy
        if fault:
            raise CameraError(said("simulated camera: {fault}", fault=fault))
        return LentCamera(self)

    def capture(self) -> Frame:
        """Return the next frame; its image is read-only.

        Raises:
            EndOfFramesError: the evening is over, or the camera was closed.
            CameraError: an injected failure.
        """
        if self._closed:
            raise EndOfFramesError(said("the simulated camera was closed"))
        # Before any failure, because a failing camera takes time, too.
        self._clock.sleep(self._frame_s)
        if self._failures:
            raise CameraError(said("simulated camera: {fault}", fault=self._failures.pop(0)))
        if self._unplugged:
            raise CameraError(said("simulated camera: {fault}", fault=self._unplugged))
        now_s = self._clock.now()
        self._stage.step(now_s)
        if self._stage.over:
            raise EndOfFramesError(said("the simulated game is over"))
        image = self._see(now_s)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, now_s, name)

    def still(self) -> Frame:
        """Return the next frame, which has the greatest simulated size.

        Raises:
            EndOfFramesError: as `capture`.
            CameraError: as `capture`.
        """
        return self.capture()

    def _see(self, now_s: float) -> NDArray[np.uint8]:
        how = self._spoilt.pop(0) if self._spoilt else None
        # A hung sensor repeats even the noise.
        if how is Spoilt.FROZEN and self._latest is not None:
            return self._latest
        image = self._stage.picture(now_s)
        before, self._latest = self._latest, image
        # It is kept for the next frozen or torn picture.
        image.setflags(write=False)
        if how is not None:
            self._clock.sleep(_LATE_S if how is Spoilt.LATE else 0.0)
            image = spoiled(image, before, how)
            image.setflags(write=False)
        return image

    def close(self) -> None:
        """Stop the frames; may be called more than once."""
        self._closed = True


class LentCamera:
    """A simulated camera that may be closed before the evening is over.

    Args:
        camera: the camera.
    """

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera: SimulatedCamera | None = camera

    def capture(self) -> Frame:
        """Return the next frame.

        Raises:
            EndOfFramesError: the evening is over, or this was closed.
            CameraError: an injected failure.
        """
        if self._camera is None:
            raise EndOfFramesError(said("the simulated camera was closed"))
        return self._camera.capture()

    def still(self) -> Frame:
        """Return the next frame; see `SimulatedCamera.still`."""
        return self.capture()

    def close(self) -> None:
        """Return it; may be called more than once."""
        self._camera = None


class Twins(Stage):
    """The base of an evening that is a scene itself, with the twins of the ports at its table.

    Args:
        fps: frames a simulated second.
        tempo: the tempo in real time; None for frames that come as fast as they can.
        pixels: number of pixels of the strip.
    """

    def __init__(self, fps: float, tempo: Tempo | None, pixels: int) -> None:
        self.clock = SimulatedClock() if tempo is None else PacedClock(tempo)
        self.controls = SimulatedControls(self.clock)
        self.strip = SimulatedLightStrip(pixels)
        self.camera = SimulatedCamera(self, self.clock, fps)
