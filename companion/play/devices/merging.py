"""Several sets of buttons as one: those on the table and those on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.ports import Controls, Press


class MergedControls:
    """The presses of several controls; within a frame, those of the first come first.

    Args:
        controls: one or more; closed together.
    """

    def __init__(self, *controls: Controls) -> None:
        self._controls = controls

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call."""
        return tuple(press for each in self._controls for press in each.presses())

    def close(self) -> None:
        """Release all controls; may be called more than once."""
        for each in self._controls:
            each.close()
