"""A table recording in place of the camera and the buttons, and the recorder that writes one."""

from hardware.recorded.events import Instruction, RecordingError
from hardware.recorded.tape import RecordedCamera, RecordedControls, Tape
from hardware.recorded.writer import RecordingCamera, RecordingWriter

__all__ = [
    "Instruction",
    "RecordedCamera",
    "RecordedControls",
    "RecordingCamera",
    "RecordingError",
    "RecordingWriter",
    "Tape",
]
