"""A recording in the push-buttons' place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.ports import Press
    from hardware.recorded.tape import Tape


class RecordedControls:
    """Plays a recording's presses: after each frame those that came before the next one."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._closed = False

    def presses(self) -> Sequence[Press]:
        """The presses since the last call, up to the frame that comes next."""
        return () if self._closed else self._tape.presses()

    def close(self) -> None:
        """No more presses from here on."""
        self._closed = True
