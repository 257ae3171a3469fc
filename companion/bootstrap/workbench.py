"""Puts a hardware test together: each device by its own driver, and stand-ins for people where it is a twin."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from companion.bootstrap.devices import open_camera, open_controls
from companion.bootstrap.devices import open_strip as open_configured_strip
from companion.bootstrap.rehearsal import TurnRehearsal
from companion.bootstrap.standins import DEAD_PIXEL, Eyes, Finger, LitTable, Plant
from companion.bootstrap.wiring import wired
from companion.doctor import Machine
from companion.doctor.power import UNDERVOLTAGE, throttled_bits
from companion.hardwaretest import HardwareTest, Moment, Outcome, Step, Verdict
from companion.hardwaretest.buttons import ButtonsStep
from companion.hardwaretest.current import CurrentStep
from companion.hardwaretest.disturbance import DisturbanceStep
from companion.hardwaretest.picture import PictureStep
from companion.hardwaretest.pixels import ColoursStep, PixelsStep
from companion.hardwaretest.step import FailedStep
from companion.hardwaretest.turn import TurnStep
from companion.hardwaretest.watched import WatchedPixelsStep
from companion.languages import reason, said
from hardware.clock import SystemClock
from hardware.current import CappedStrip
from hardware.nothing import NoControls
from hardware.ports import Camera, Controls, HardwareError, LightStrip
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.controls import SimulatedControls
from hardware.simulated.strip import SimulatedLightStrip
from hardware.simulated.table import SimulatedTable
from hardware.simulated.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from companion.config import Config
    from hardware.ports import RGB, Clock, Frame

Device = TypeVar("Device", Camera, Controls, LightStrip)

_TICK_S: Final = 0.05
_REFRESH_S: Final = 1.0
_BLUR_PX: Final = 3.0
"""Sigma of the planted blur; markers are still found, cells are not read any more."""


class KeptStrip:
    """A strip that is shown the same pixels again every second: WLED forgets them while somebody counts.

    Args:
        strip: the strip.
        clock: tells when a second has passed.
    """

    def __init__(self, strip: LightStrip, clock: Clock) -> None:
        self._strip, self._clock = strip, clock
        self._pixels: tuple[RGB, ...] = ()
        self._shown_s = clock.now()

    @property
    def pixel_count(self) -> int:
        """How many pixels the strip has."""
        return self._strip.pixel_count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels.

        Raises:
            ValueError: another number of pixels.
            HardwareError: as the strip's.
        """
        self._strip.show(pixels)
        self._pixels, self._shown_s = tuple(pixels), self._clock.now()

    def tick(self) -> None:
        """Show them again, when it is time."""
        if self._pixels and self._clock.now() - self._shown_s >= _REFRESH_S:
            self.show(self._pixels)

    def close(self) -> None:
        """Close the strip."""
        self._strip.close()


@dataclass(slots=True)
class Bench:
    """The devices under test, and who stands in for people.

    Attributes:
        config: the configuration.
        clock: of all devices.
        controls: the push-buttons; None where they cannot be opened.
        strip: the strip; likewise.
        camera: the camera; likewise.
        faults: why a device cannot be opened, by its section.
        finger: presses simulated buttons.
        eyes: look at a simulated strip.
        stack: closes everything.
    """

    config: Config
    clock: Clock
    controls: Controls | None = None
    strip: LightStrip | None = None
    camera: Camera | None = None
    faults: dict[str, str] = field(default_factory=dict)
    finger: Finger | None = None
    eyes: Eyes | None = None
    stack: ExitStack = field(default_factory=ExitStack)

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody must press or look."""
        presses = self.finger is None and self.controls is not None and not isinstance(self.controls, NoControls)
        looks = self.eyes is None and self.strip is not None and self.config.strip.driver != "none"
        return presses or looks

    def close(self) -> None:
        """Release everything; the strip goes dark."""
        self.stack.close()

    def moment(self, test: HardwareTest, answer: str | None = None) -> Moment:
        """What has happened since the last one; stand-ins act as they are asked to.

        Args:
            test: what asks.
            answer: what somebody has answered.
        """
        if isinstance(self.strip, KeptStrip):
            self.strip.tick()
        if self.finger is not None:
            self.finger.look(test.prompt)
        if answer is None and self.eyes is not None:
            answer = self.eyes.answer(test.prompt)
        frame, trouble = self._frame() if test.step.wants_frames else self._wait()
        return Moment(
            self.clock.now(),
            () if self.controls is None else self.controls.presses(),
            getattr(self.controls, "notices", tuple)(),
            frame,
            trouble,
            answer,
        )

    def _wait(self) -> tuple[None, str]:
        self.clock.sleep(_TICK_S)
        return None, ""

    def _frame(self) -> tuple[Frame | None, str]:
        if self.camera is None:
            return self._wait()
        try:
            return self.camera.capture(), ""
        except HardwareError as error:
            self.clock.sleep(_TICK_S)
            return None, reason(error)


def open_bench(config: Config, planted: Collection[Plant] = ()) -> Bench:
    """Open the devices that the configuration names; one that cannot be opened is a finding, no error.

    Args:
        config: the configuration.
        planted: what is wrong with those that are simulated.
    """
    drivers = {config.camera.driver, config.controls.driver, config.strip.driver}
    bench = Bench(config, SimulatedClock() if drivers == {"simulated"} else SystemClock())
    twin = None
    if config.strip.driver == "simulated":
        twin = SimulatedLightStrip(config.strip.pixels, [DEAD_PIXEL] if Plant.DEAD_PIXEL in planted else ())
        bench.eyes = Eyes(twin, planted)
        bench.strip = bench.stack.enter_context(closing(CappedStrip(twin, config.strip.max_ma)))
    else:
        bench.strip = _opened(bench, said("strip"), lambda: KeptStrip(open_configured_strip(config.strip), bench.clock))
    bench.controls = _controls(bench, planted)
    bench.camera = _camera(bench, twin, planted)
    return bench


def course_of(bench: Bench) -> HardwareTest:
    """The steps that the devices allow."""
    return HardwareTest(list(_steps(bench)), bench.clock.now())


def _steps(bench: Bench) -> Iterator[Step]:
    config, strip, places = bench.config, bench.strip, wired(bench.config)
    for device, fault in bench.faults.items():
        says = said("It cannot be opened: {fault}", fault=fault)
        yield FailedStep(Outcome(Verdict.FAULT, device, says, said("{command} says more.", command="companion doctor")))
    buttons = ButtonsStep(places) if bench.controls is not None and places else None
    if buttons is not None:
        yield buttons
    has_lights = strip is not None and config.strip.driver != "none"
    if strip is not None and has_lights:
        yield ColoursStep(strip, config.strip.order if config.strip.driver == "neopixel" else "")
        yield from _pixel_steps(bench, strip)
        yield CurrentStep(strip, config.strip.brightness, config.strip.max_ma, _is_weak)
    if bench.camera is not None:
        camera = config.camera
        mats = config.table.boards == "mats"
        yield PictureStep(camera.size, camera.fps, strip if has_lights else None, mats=mats)
        if strip is not None and has_lights:
            yield DisturbanceStep(strip, config.strip.brightness, config.strip.max_ma)
    if buttons is not None and strip is not None:
        yield TurnStep(TurnRehearsal(config, strip, bench.clock), buttons.sound)
    if not (buttons or has_lights or bench.camera or bench.faults):
        yield FailedStep(Outcome(Verdict.SKIPPED, said("devices"), said("None is configured.")))


def _pixel_steps(bench: Bench, strip: LightStrip) -> Iterator[Step]:
    """The camera spares people the counting of what it sees."""
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


def _controls(bench: Bench, planted: Collection[Plant]) -> Controls | None:
    if bench.config.controls.driver == "simulated":
        made = SimulatedControls(bench.clock)
        bench.finger = Finger(made, bench.clock, planted)
        return bench.stack.enter_context(closing(made))
    return _opened(bench, said("push-buttons"), lambda: open_controls(bench.config.controls, bench.clock))


def _camera(bench: Bench, twin: SimulatedLightStrip | None, planted: Collection[Plant]) -> Camera | None:
    config = bench.config
    if config.camera.driver != "simulated":
        return _opened(bench, said("camera"), lambda: open_camera(config, bench.clock))
    conditions = TABLES[config.simulation.table].but(width_px=config.camera.size[0], height_px=config.camera.size[1])
    if Plant.BLURRED_CAMERA in planted:
        conditions = replace(conditions, defocus_px=_BLUR_PX)
    table = SimulatedTable(config.simulation.seed, conditions, mats=config.table.boards == "mats")
    made = SimulatedCamera(LitTable(table, twin), bench.clock, config.camera.fps)
    return bench.stack.enter_context(closing(made))


def _opened(bench: Bench, name: str, make: Callable[[], Device]) -> Device | None:
    """A device, which is closed with the bench; None where it cannot be opened, and the reason is kept."""
    try:
        return bench.stack.enter_context(closing(make()))
    except HardwareError as error:
        bench.faults[name] = reason(error)
        return None
