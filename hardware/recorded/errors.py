"""The errors of table recordings."""

from hardware.ports import HardwareError


class RecordingError(HardwareError):
    """A table recording cannot be read or written; one line, "FILE:LINE: reason" if a certain line is at fault."""
