"""The end of an evening at a real table: the camera is closed some time after the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.play.history import History
    from hardware.ports import Camera

LINGER_S: Final = 120.0
"""How long a finished game stays open, so that its last decision can be undone."""


class Closing:
    """A tick that ends the evening some time after the game, unless its last decision is undone."""

    def __init__(self, history: History, camera: Camera) -> None:
        self._history, self._camera = history, camera
        self._since_s: float | None = None

    def tick(self, now_s: float) -> None:
        """Close the camera when the time has passed; the turn loop ends with its frames."""
        if not self._history.state.finished:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now_s
        elif now_s - self._since_s >= LINGER_S:
            self._camera.close()
