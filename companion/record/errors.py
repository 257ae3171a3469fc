"""The error of a record that cannot be read or written."""

from pathlib import Path

from companion.languages import said


class RecordError(Exception):
    """Raised if a record cannot be read or written. As text: `FILE:LINE: reason`, without the unknown parts.

    Attributes:
        reason: the fault and the allowed values.
        path: the file; None if the record came from elsewhere.
        line: the line number, from 1; None if no line is at fault.
    """

    def __init__(self, reason: str, path: Path | None = None, line: int | None = None) -> None:
        place = ":".join(str(place) for place in (path, line) if place is not None)
        super().__init__(said("{place}: {fault}", place=place, fault=reason) if place else reason)
        self.reason = reason
        self.path = path
        self.line = line


class ForeignGameError(RecordError):
    """Raised for a record of an unknown game."""
