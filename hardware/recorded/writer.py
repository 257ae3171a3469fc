"""The writing of table recordings: the camera's frames, and presses of buttons."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import cv2

from hardware.ports import Camera, Frame, Press
from hardware.recorded.events import Instruction, RecordingError, line_for_frame, line_for_instruction, line_for_press
from hardware.recorded.tape import EVENTS_NAME, FRAMES_NAME

HEADER_NAME = "recording.toml"
JPEG_QUALITY = 95
"""High enough that a replay reads what the evening read."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+(\.(jpg|jpeg))?")


class RecordingWriter:
    """A recording being written; each event is flushed, so that a crash of the program loses at most the last one."""

    def __init__(self, folder: Path, header_toml_text: str) -> None:
        """Begin a recording in `folder`, which must be empty or not exist yet.

        Raises:
            RecordingError: the folder is not empty, or cannot be written to.
        """
        self._folder = folder
        self._latest_s = float("-inf")
        self._events: TextIO | None = None
        try:
            (folder / FRAMES_NAME).mkdir(parents=True)
            (folder / HEADER_NAME).write_text(header_toml_text, encoding="utf-8")
            self._events = (folder / EVENTS_NAME).open("x", encoding="utf-8")
        except FileExistsError:
            raise RecordingError.said("{path}: is not empty; record into a new folder", path=str(folder)) from None
        except OSError as error:
            raise self._fault(error) from error

    def head(self, header_toml_text: str) -> None:
        """Replace the header atomically, once more is known of the game.

        Raises:
            RecordingError: it cannot be written.
        """
        whole = self._folder / f"{HEADER_NAME}.new"
        try:
            whole.write_text(header_toml_text, encoding="utf-8")
            whole.replace(self._folder / HEADER_NAME)
        except OSError as error:
            raise self._fault(error) from error

    def frame(self, frame: Frame, truth: Mapping[str, Any] | None = None) -> None:
        """Write a frame as a JPEG file under its own name, and its event; `truth` as in `FrameTaken`.

        Raises:
            RecordingError: it cannot be written.
            ValueError: the frame's name is not a plain file name.
        """
        if not _PLAIN_NAME.fullmatch(frame.name):
            raise ValueError(f"a recorded frame needs a plain name, not {frame.name!r}")
        name = frame.name if "." in frame.name else f"{frame.name}.jpg"
        # The picture before its event, so that an interrupted recording never names a file that is missing.
        _, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        try:
            (self._folder / FRAMES_NAME / name).write_bytes(data.tobytes())
        except OSError as error:
            raise self._fault(error) from error
        self._append(line_for_frame(self._in_order(frame.t_s), name, truth))

    def press(self, press: Press, answers: bool | None = None) -> None:
        """Write a press; `answers` says whether the press answered a question.

        Raises:
            RecordingError: it cannot be written.
        """
        self._append(line_for_press(self._in_order(press.t_s), press.button, answers))

    def instruction(self, instruction: Instruction) -> None:
        """Write an instruction of the players when it is processed.

        Raises:
            RecordingError: it cannot be written.
        """
        self._append(line_for_instruction(replace(instruction, t_s=self._in_order(instruction.t_s))))

    def close(self) -> None:
        """End the recording; may be called more than once."""
        if self._events is not None:
            self._events.close()
            self._events = None

    def _in_order(self, t_s: float) -> float:
        # A press is processed after the frame during whose exposure it occurred. The recording keeps the order of
        # processing, so that a replay does the same; its times must therefore not decrease.
        self._latest_s = max(self._latest_s, t_s)
        return self._latest_s

    def _append(self, line: str) -> None:
        if self._events is None:
            raise RecordingError.said("{path}: the recording was closed", path=str(self._folder))
        try:
            self._events.write(f"{line}\n")
            self._events.flush()
        except OSError as error:
            raise self._fault(error) from error

    def _fault(self, error: OSError) -> RecordingError:
        return RecordingError(f"{self._folder}: cannot be written: {error.strerror}")


class RecordingCamera:
    """A camera that records another camera's frames before passing them on.

    `truth` returns the ground truth of the latest frame, as in `FrameTaken`.
    """

    def __init__(
        self, camera: Camera, writer: RecordingWriter, truth: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        self._camera = camera
        self._writer = writer
        self._truth = truth

    # There is no `still`: a replay has frames alone, and must see what the evening saw.
    def capture(self) -> Frame:
        """Return the next frame of the recorded camera."""
        frame = self._camera.capture()
        self._writer.frame(frame, None if self._truth is None else self._truth())
        return frame

    def close(self) -> None:
        """Close the recorded camera and the recording."""
        try:
            self._camera.close()
        finally:
            self._writer.close()
