"""The assembly of a hardware test: each device with its driver, and stand-ins for people at simulated devices."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from companion.calibrating.running import CalibrationSource
from companion.compose.devices import no_table, open_camera, open_controls, open_strip
from companion.config import Config
from companion.languages import reason, said
from companion.patchwork.simulated import TurnRehearsal
from companion.play.session import WATCHED_FPS
from companion.terminal.photograph import PhotographCamera
from companion.upkeep.doctor.system import UNDERVOLTAGE, throttled_bits
from companion.upkeep.hardware_test.bench import (
    DEAD_PIXEL,
    Bench,
    LitTable,
    SimulatedFault,
    SimulatedPresser,
    SimulatedViewer,
    wired,
)
from companion.upkeep.hardware_test.buttons import ButtonsStep, TurnStep
from companion.upkeep.hardware_test.camera import DisturbanceStep, PictureStep
from companion.upkeep.hardware_test.course import FailedStep, HardwareStep, HardwareTest, StepOutcome, Verdict
from companion.upkeep.hardware_test.strip import ColoursStep, CurrentStep, PixelsStep, WatchedPixelsStep
from hardware.clock import SystemClock
from hardware.diagnosis import Machine
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.ports import Camera, Controls, HardwareError, LightStrip
from hardware.simulated.calibrating import SettingUp, SimulatedChart
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import TABLES, Conditions
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.simulated.scene.table import SimulatedTable
from hardware.strips import DrivenStrip

# The number of frames for which a simulated hand holds the lens chart still.
_CHART_FRAMES: Final = 2


def simulated_source(config: Config, seed: int, conditions: Conditions | None = None) -> CalibrationSource:
    """Return a simulated table that is set up by simulated hands, and a lens chart held under its camera.

    `conditions` replace those of the configured table.
    """
    clock, stage = SimulatedClock(), SettingUp(seed, conditions or TABLES[config.simulation.table])
    table = stage.table
    chart = SimulatedChart(table.camera, table.conditions, np.random.default_rng(seed), _CHART_FRAMES)
    return CalibrationSource(
        SimulatedCamera(stage, clock, WATCHED_FPS),
        SimulatedCamera(chart, clock, WATCHED_FPS),
        SimulatedLightStrip(config.strip.pixels),
    )


def live_source(config: Config) -> CalibrationSource:
    """Return the configured camera and strip.

    Raises:
        CompanionError: the configured camera is the simulated one.
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


Device = TypeVar("Device", Camera, Controls, DrivenStrip)

# The sigma of the planted blur: markers are still found, but cells can no longer be read.
_BLUR_PX: Final = 3.0


def open_bench(config: Config, planted: Collection[SimulatedFault] = ()) -> Bench:
    """Open the configured devices, simulated ones with planted faults; a failure is a finding, not an error."""
    drivers = {config.camera.driver, config.controls.driver, config.strip.driver}
    # One real device among simulated ones makes all of them run in its time.
    bench = Bench(config, SimulatedClock() if drivers == {"simulated"} else SystemClock())
    twin = None
    if config.strip.driver == "simulated":
        # Made here, not by its driver's name, because the eyes look at the twin itself.
        twin = SimulatedLightStrip(config.strip.pixels, [DEAD_PIXEL] if SimulatedFault.DEAD_PIXEL in planted else ())
        bench.viewer = SimulatedViewer(twin, planted)
        bench.strip = bench.stack.enter_context(closing(DrivenStrip(twin, config.strip.max_ma, 1.0, bench.clock)))
    else:
        bench.strip = _opened(bench, said("strip"), lambda: open_strip(config.strip, bench.clock))
    bench.controls = _controls(bench, planted)
    bench.camera = _camera(bench, twin, planted)
    return bench


def course_of(bench: Bench) -> HardwareTest:
    """Return the test with the steps that the devices allow."""
    return HardwareTest(list(_steps(bench)), bench.clock.now())


def _steps(bench: Bench) -> Iterator[HardwareStep]:
    config, strip, places = bench.config, bench.strip, wired(bench.config)
    for device, fault in bench.faults.items():
        says = said("It cannot be opened: {fault}", fault=fault)
        yield FailedStep(
            StepOutcome(Verdict.FAULT, device, says, said("{command} gives more details.", command="companion doctor"))
        )
    buttons = ButtonsStep(places) if bench.controls is not None and places else None
    if buttons is not None:
        yield buttons
    has_lights = strip is not None and config.strip.driver != "none"
    if strip is not None and has_lights:
        yield ColoursStep(strip, config.strip.order if isinstance(config.strip, NeoPixelDriver) else "")
        yield from _pixel_steps(bench, strip)
        yield CurrentStep(strip, config.strip.brightness, config.strip.max_ma, _is_weak)
    if bench.camera is not None:
        camera = config.camera
        mats = config.table.boards == "mats"
        yield PictureStep(camera.picture_size, camera.fps, strip if has_lights else None, mats=mats)
        if strip is not None and has_lights:
            yield DisturbanceStep(strip, config.strip.brightness)
    # Last, with those push-buttons that have responded by then.
    if buttons is not None and strip is not None:
        yield TurnStep(TurnRehearsal(config, strip, bench.clock), buttons.sound)
    if not (buttons or has_lights or bench.camera or bench.faults):
        yield FailedStep(StepOutcome(Verdict.SKIPPED, said("devices"), said("None is configured.")))


def _pixel_steps(bench: Bench, strip: LightStrip) -> Iterator[HardwareStep]:
    """Yield the steps that test the strip's pixels; the user need not count those that the camera sees."""
    first, config = bench.config.strip.first_pixel, bench.config
    in_one_world = (config.camera.driver == "simulated") == (config.strip.driver == "simulated")
    if bench.camera is None or not in_one_world:
        yield PixelsStep(strip, first)
        return
    watched = WatchedPixelsStep(strip, first)
    yield watched
    yield PixelsStep(strip, first, lambda: watched.seen)


def _is_weak() -> bool | None:
    bits = throttled_bits(Machine())
    return None if bits is None else bool(bits & UNDERVOLTAGE)


def _controls(bench: Bench, planted: Collection[SimulatedFault]) -> Controls | None:
    if bench.config.controls.driver == "simulated":
        made = SimulatedControls(bench.clock)
        bench.presser = SimulatedPresser(made, bench.clock, planted)
        return bench.stack.enter_context(closing(made))
    return _opened(bench, said("push-buttons"), lambda: open_controls(bench.config, bench.clock))


def _camera(bench: Bench, twin: SimulatedLightStrip | None, planted: Collection[SimulatedFault]) -> Camera | None:
    config = bench.config
    if config.camera.driver != "simulated":
        return _opened(bench, said("camera"), lambda: open_camera(config, bench.clock))
    conditions = TABLES[config.simulation.table].but(width_px=config.camera.size[0], height_px=config.camera.size[1])
    if SimulatedFault.BLURRED_CAMERA in planted:
        conditions = replace(conditions, defocus_px=_BLUR_PX)
    table = SimulatedTable(config.simulation.seed, conditions, mats=config.table.boards == "mats")
    made = SimulatedCamera(LitTable(table, twin), bench.clock, config.camera.fps)
    return bench.stack.enter_context(closing(made))


def _opened(bench: Bench, name: str, make: Callable[[], Device]) -> Device | None:
    """Return a device, to be closed with the bench, or None if it cannot be opened; the reason is noted in `faults`."""
    try:
        return bench.stack.enter_context(closing(make()))
    except HardwareError as error:
        bench.faults[name] = reason(error)
        return None
