"""A recording in place of the camera, and a camera whose frames are recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hardware.ports import Camera, Frame

if TYPE_CHECKING:
    from hardware.recorded.tape import Tape
    from hardware.recorded.writer import RecordingWriter


class RecordedCamera:
    """A camera that plays a recording's frames without delay."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def capture(self) -> Frame:
        """Return the next frame of the recording; its image is read-only.

        Raises:
            EndOfFramesError: the recording has ended, or the camera was closed.
            RecordingError: the recording is faulty here.
        """
        return self._tape.frame()

    def close(self) -> None:
        """End the frames; presses that were read already are still returned."""
        self._tape.end()


class RecordingCamera:
    """A camera that records another camera's frames before passing them on.

    Args:
        camera: the camera to record.
        writer: of the recording.
        truth: function that returns the ground truth of the latest frame, see `FrameTaken`; None if there is none.
    """

    def __init__(
        self, camera: Camera, writer: RecordingWriter, truth: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        self._camera = camera
        self._writer = writer
        self._truth = truth

    # There is no `still`: a replay has frames alone, and must see what the evening saw.
    def capture(self) -> Frame:
        """Return the next frame of the recorded camera.

        Raises:
            CameraError: as raised by the recorded camera.
            RecordingError: the frame cannot be written.
        """
        frame = self._camera.capture()
        self._writer.frame(frame, None if self._truth is None else self._truth())
        return frame

    def close(self) -> None:
        """Close the recorded camera and the recording."""
        try:
            self._camera.close()
        finally:
            self._writer.close()
