"""A table recording plays the camera and the buttons, and an evening at the table is written as one."""

from hardware.recorded.camera import RecordedCamera, RecordingCamera
from hardware.recorded.controls import RecordedControls
from hardware.recorded.errors import RecordingError
from hardware.recorded.events import Told
from hardware.recorded.tape import Tape
from hardware.recorded.writer import RecordingWriter

__all__ = ["RecordedCamera", "RecordedControls", "RecordingCamera", "RecordingError", "RecordingWriter", "Tape", "Told"]
