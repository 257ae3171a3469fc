"""A camera that is reopened repeatedly while it delivers no frames, so that nothing of the game is lost."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from companion.languages import Sentence, reason, said
from hardware.ports import Camera, CameraError, Clock, EndOfFramesError, Frame, HardwareError

FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 15.0
"""Bound of the wait: a game goes on at most this long after its camera is plugged in again."""
FROZEN_S: Final = 10.0
"""Time without any change after which the camera counts as hung: a sensor's noise differs in every picture."""

# Interval of idle calls: the lights are animated by them while no frames come.
_IDLE_S: Final = 0.1
# The compared pixels: a sensor's noise is everywhere, so one in 64 suffices, at a fraction of the time.
_SAMPLE: Final = (slice(None, None, 8), slice(None, None, 8))


class Backoff:
    """An exponential backoff: the wait before the next attempt doubles after each failure, up to the longest."""

    def __init__(self, first_s: float = FIRST_WAIT_S, longest_s: float = LONGEST_WAIT_S) -> None:
        self._first_s, self._longest_s, self._next_s = first_s, longest_s, first_s

    def failed(self) -> float:
        """Record a failure, and return the seconds to wait."""
        wait_s, self._next_s = self._next_s, min(2 * self._next_s, self._longest_s)
        return wait_s

    def succeeded(self) -> None:
        """Reset the wait."""
        self._next_s = self._first_s


def full_stop(error: Exception) -> str:
    """Return an error's message with a full stop, so that another sentence can follow."""
    says = reason(error)
    return says if says.endswith((".", "?", "!")) else said("{fault}.", fault=says)


BACK: Final = said("The camera is back.")
"""What a camera that was lost says as soon as it sends pictures again."""


def _lost(fault: str) -> Sentence:
    return said("The camera sends no pictures: {fault} The game waits for it; nothing is lost.", fault=fault)


def says_lost(says: str) -> bool:
    """Return whether a sentence is that the camera is lost, whatever its fault."""
    return isinstance(says, Sentence) and says.message == _lost("").message


class ReopeningCamera:
    """A camera that is closed and reopened whenever it fails; `capture` waits for it.

    Args:
        reopen: opens the camera; called at once, so that a camera that is missing at the start raises an error.
        clock: used to wait.
        say: called with a sentence when the camera is lost, and when it is back.
        idle: called ten times a second while waiting for the camera, and once when it is back.
        frozen_s: time of an unchanged picture after which the camera counts as failed.

    Attributes:
        lost: whether the camera is missing.

    Raises:
        HardwareError: as raised by `reopen`.
    """

    def __init__(
        self,
        reopen: Callable[[], Camera],
        clock: Clock,
        say: Callable[[str], None],
        idle: Callable[[], None] = lambda: None,
        frozen_s: float = FROZEN_S,
    ) -> None:
        self._reopen, self._clock, self._say, self._idle = reopen, clock, say, idle
        self._backoff = Backoff()
        self._frozen_s = frozen_s
        self._sample: bytes | None = None
        self._same_since_s = 0.0
        self._taken = 0
        self._closed = self.lost = self._hangs = False
        self._camera: Camera | None = reopen()

    def capture(self) -> Frame:
        """Return the next frame, waiting for the camera as long as necessary; frames are numbered without gaps."""
        while True:
            if self._closed:
                raise EndOfFramesError.said("the camera was closed")
            try:
                frame = self._attempt()
            # It is a kind of HardwareError, but the end of the frames is no failure to wait for.
            except EndOfFramesError:
                raise
            except HardwareError as error:
                self._lose(error)
            else:
                return self._numbered(frame)

    def still(self) -> Frame:
        """Return a still in the camera's greatest size and quality, or the next frame if the camera takes no stills."""
        take: Callable[[], Frame] | None = getattr(self._camera, "still", None)
        if take is None or self._closed:
            return self.capture()
        try:
            return self._numbered(take())
        except EndOfFramesError:
            raise
        except HardwareError as error:
            self._lose(error)
            return self.capture()

    def close(self) -> None:
        """Release the camera; may be called more than once, also during a wait."""
        self._closed = True
        self._drop()

    def _attempt(self) -> Frame:
        if self._camera is None:
            self._camera = self._reopen()
        frame = self._detect_frozen(self._camera.capture())
        if self.lost:
            self.lost = False
            self._say(BACK)
            # The sentence is delivered by idle calls, and this is the last one.
            self._idle()
        self._backoff.succeeded()
        return frame

    def _detect_frozen(self, frame: Frame) -> Frame:
        """Return the frame, marked if it repeats the previous one.

        Raises:
            CameraError: the picture has been the same for too long.
        """
        sample, now_s = frame.image[_SAMPLE].tobytes(), self._clock.now()
        if sample != self._sample:
            self._sample, self._same_since_s, self._hangs = sample, now_s, False
            return frame
        # Once it hung, a reopened camera with the same picture still does: that takes no other ten seconds to find out.
        if self._hangs or now_s - self._same_since_s >= self._frozen_s:
            self._hangs = True
            raise CameraError.said("it keeps sending the same picture; is it covered, or has it frozen?")
        return replace(frame, repeated=True)

    def _lose(self, error: HardwareError) -> None:
        if not self.lost:
            self.lost = True
            self._say(_lost(full_stop(error)))
        # After another failure it may begin with the picture that it ended with.
        if not self._hangs:
            self._sample = None
        self._drop()
        ends_s = self._clock.now() + self._backoff.failed()
        # An idle call may close the camera.
        while not self._closed and self._clock.now() < ends_s:
            self._idle()
            self._clock.sleep(_IDLE_S)

    def _drop(self) -> None:
        # Forgotten first, so that closing, which may fail as the camera did, is not tried twice.
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(HardwareError):
                camera.close()

    def _numbered(self, frame: Frame) -> Frame:
        # A reopened camera counts from its beginning; names must ascend all evening.
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return replace(frame, name=name)
