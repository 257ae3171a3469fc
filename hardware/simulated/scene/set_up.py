"""The simulated table during its setup for a calibration: bare, then mats, then boards, then without hands."""

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.dressing import TableState
from hardware.simulated.scene.pieces import Hand
from hardware.simulated.scene.table import SimulatedTable

FRAMES_EACH: Final = 3
"""Number of pictures of each state."""


class TableBeingSet(SimulatedTable):
    """A table that may be without boards.

    Attributes:
        boards_out: whether the quilt boards are on the table.
    """

    def __init__(self, seed: int, conditions: Conditions | None = None, **options: Any) -> None:
        super().__init__(seed, conditions, **options)
        self.boards_out = True

    def _state(self) -> TableState:
        return replace(super()._state(), has_boards=self.boards_out)


class SettingUp:
    """A stage for a camera: a person sets the table up while pictures are taken.

    Args:
        seed: of the table.
        conditions: the difficulty of reading it.

    Attributes:
        table: the table.
    """

    def __init__(self, seed: int, conditions: Conditions | None = None) -> None:
        self.table = TableBeingSet(seed, conditions)
        self._taken = 0

    @property
    def over(self) -> bool:
        """False: the table stays for as long as frames are taken."""
        return False

    def step(self, now_s: float) -> None:
        """Do nothing: the table is set up from picture to picture, not with time."""
        del now_s

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        state = self._taken // FRAMES_EACH
        self._taken += 1
        self.table.mats, self.table.boards_out = state >= 1, state >= 2
        self.table.hands = (self._hand(),) if state == 2 else ()
        return self.table.frame(now_s)

    def _hand(self) -> Hand:
        """Return the hand of a player who is still aligning the second board."""
        pose = self.table.board_pose(2)
        return Hand(2, pose.x_mm + 12.0 * (self._taken % FRAMES_EACH), pose.y_mm + 30.0)
