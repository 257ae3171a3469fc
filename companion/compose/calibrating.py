"""The sources of a calibration's pictures: a simulated table, the configured devices, or photographs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from companion.calibrating.running import CalibrationSource
from companion.compose.devices import open_camera, open_strip
from companion.config import Config
from companion.config.real_table import no_table
from companion.terminal.photograph import PhotographCamera
from hardware.clock import SystemClock
from hardware.ports import HardwareError
from hardware.simulated.calibrating import SettingUp, SimulatedChart
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import TABLES, Conditions
from hardware.simulated.devices import SimulatedClock, SimulatedLightStrip

# The number of frames for which a simulated hand holds the lens chart still.
_CHART_FRAMES: Final = 2


def simulated_source(config: Config, seed: int, conditions: Conditions | None = None) -> CalibrationSource:
    """Return a simulated table that is set up by simulated hands, and a lens chart held under its camera.

    Args:
        config: the configuration, for the choice of the table.
        seed: the seed of all randomness.
        conditions: the conditions to use instead of that table's.
    """
    clock, stage = SimulatedClock(), SettingUp(seed, conditions or TABLES[config.simulation.table])
    table = stage.table
    chart = SimulatedChart(table.camera, table.conditions, np.random.default_rng(seed), _CHART_FRAMES)
    return CalibrationSource(
        SimulatedCamera(stage, clock, config.simulation.fps),
        SimulatedCamera(chart, clock, config.simulation.fps),
        SimulatedLightStrip(config.strip.pixels),
    )


def live_source(config: Config) -> CalibrationSource:
    """Return the configured camera and strip.

    Raises:
        NoTableError: the configured camera is the simulated one.
        HardwareError: a device cannot be opened.
    """
    if config.camera.driver == "simulated":
        raise no_table("calibrate", "--simulate", "--image")
    clock = SystemClock()
    strip = open_strip(config.strip, clock)
    try:
        camera = open_camera(config, clock)
    except HardwareError:
        strip.close()
        raise
    return CalibrationSource(camera, camera, strip, stills=config.camera.is_photographs)


def photographs(table: Sequence[Path], chart: Sequence[Path]) -> CalibrationSource:
    """Return photographs of the table, and of the lens chart."""
    return CalibrationSource(PhotographCamera(table), PhotographCamera(chart), stills=True)
