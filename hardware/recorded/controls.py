"""A recording in place of the push-buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardware.ports import Press

if TYPE_CHECKING:
    from hardware.recorded.tape import Tape


class RecordedControls:
    """Push-buttons that play a recording's presses: after each frame the presses before the next one."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._closed = False

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, up to the frame that comes next."""
        return () if self._closed else self._tape.presses()

    def close(self) -> None:
        """Stop returning presses."""
        self._closed = True
