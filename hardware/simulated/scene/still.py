"""The simulated table without people, for a simulated camera beside real push-buttons and lights."""

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable


class StillTable:
    """A stage without any events; see `hardware.simulated.devices.camera.Stage`.

    Args:
        seed: of the table.
        conditions: the difficulty of reading it.
    """

    over = False

    def __init__(self, seed: int, conditions: Conditions) -> None:
        self._table = SimulatedTable(seed, conditions)

    def step(self, now_s: float) -> None:
        """Do nothing: there are no people at this table."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        return self._table.frame(now_s)
