"""A table that is set up before a camera, drawn once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.ports import Frame
from hardware.simulated.calibrating import SettingUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SEED = 3
FRAMES = 15


@pytest.fixture(scope="session")
def stage() -> SettingUp:
    return SettingUp(SEED)


@pytest.fixture(scope="session")
def frames(stage: SettingUp) -> Sequence[Frame]:
    """Bare (0-2), with mats (3-5), with boards and a hand (6-8), at rest (9-14)."""
    return [Frame(stage.picture(0.2 * index), 0.2 * index, f"{index:06d}.jpg") for index in range(FRAMES)]


@pytest.fixture(scope="session")
def truth(stage: SettingUp, frames: Sequence[Frame]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each seat the true corners of its grid in the picture, (4, 2)."""
    assert frames
    return stage.table.grid_corners_px()
