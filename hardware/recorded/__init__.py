"""A table recording in place of the camera and the buttons, and the recorder that writes one."""

from hardware.recorded.camera import RecordedCamera, RecordingCamera
from hardware.recorded.controls import RecordedControls
from hardware.recorded.events import Instruction, RecordingError
from hardware.recorded.tape import Tape
from hardware.recorded.writer import RecordingWriter

__all__ = [
    "Instruction",
    "RecordedCamera",
    "RecordedControls",
    "RecordingCamera",
    "RecordingError",
    "RecordingWriter",
    "Tape",
]
