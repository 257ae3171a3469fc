"""Factories of each port's implementations for the shared tests; add a factory for a new driver."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest
from gpiozero.pins import mock
from gpiozero.pins.mock import MockFactory

from hardware.clock import SystemClock
from hardware.drivers.folder import FolderCamera
from hardware.drivers.gpio import GpioControls, Wiring
from hardware.drivers.keys import KeyControls
from hardware.drivers.neopixel import NeoPixelStrip
from hardware.drivers.none import NoStrip
from hardware.drivers.pi import PiCamera, PiCameraDriver
from hardware.drivers.webcam import Webcam, WebcamDriver
from hardware.drivers.wled import WledStrip
from hardware.environment import PiBoard
from hardware.keys import Binding, Found, Model
from hardware.ports import Button, Camera, Clock, Controls, Frame, LightStrip
from hardware.reconnecting import ReopeningCamera
from hardware.recorded import RecordedCamera, RecordedControls, RecordingCamera, RecordingWriter, Tape
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.devices import PacedClock, SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.strips import DrivenStrip, ResilientStrip
from hardware.turned import TurnedCamera
from tests.vendors.input_bus import SimulatedInputBus
from tests.vendors.picamera2 import fake_module
from tests.vendors.webcam import FakeCapture
from tests.vendors.wled import wled

FRAMES = 4


class Stage:
    """An empty table without players."""

    over = False

    def step(self, now_s: float) -> None:
        """Do nothing."""

    def picture(self, now_s: float) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        return np.full((24, 32, 3), int(now_s * 100) % 256, np.uint8)


def _write_recording(folder: Path) -> Path:
    (folder / "frames").mkdir(parents=True)
    lines = []
    for index in range(FRAMES):
        cv2.imwrite(str(folder / "frames" / f"{index:06d}.jpg"), np.full((24, 32, 3), 40 * index, np.uint8))
        lines.append(f'{{"t": {index}, "frame": "{index:06d}.jpg"}}\n')
        lines += [f'{{"t": {index}.5, "button": "{button}"}}\n' for button in ("confirm", "advance", "undo")]
    (folder / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


@contextmanager
def _simulated_camera(_: Path) -> Iterator[Camera]:
    yield SimulatedCamera(Stage(), SimulatedClock(), fps=5)


@contextmanager
def _recorded_camera(folder: Path) -> Iterator[Camera]:
    yield RecordedCamera(Tape(_write_recording(folder / "evening")))


@contextmanager
def _recording_camera(folder: Path) -> Iterator[Camera]:
    inner = SimulatedCamera(Stage(), SimulatedClock(), fps=5)
    yield RecordingCamera(inner, RecordingWriter(folder / "written", "format = 1\n"))


@contextmanager
def _pi_camera(_: Path) -> Iterator[Camera]:
    library = fake_module()
    yield PiCamera(PiCameraDriver(size=(160, 90)), SimulatedClock(1000.0), library.Picamera2)


@contextmanager
def _webcam(_: Path) -> Iterator[Camera]:
    clock = SimulatedClock(10.0)
    yield Webcam(WebcamDriver(), clock, lambda _: FakeCapture(clock), lambda *_: False)


@contextmanager
def _turned_camera(_: Path) -> Iterator[Camera]:
    yield TurnedCamera(SimulatedCamera(Stage(), SimulatedClock(), fps=5), 90, flip=True)


@contextmanager
def _folder_camera(folder: Path) -> Iterator[Camera]:
    yield FolderCamera(_write_recording(folder / "evening") / "frames", 10, SimulatedClock())


@contextmanager
def _reopening_camera(_: Path) -> Iterator[Camera]:
    clock, said = SimulatedClock(), list[str]()
    yield ReopeningCamera(lambda: SimulatedCamera(Stage(), clock, fps=5), clock, said.append)
    assert said == []


CameraFactory = Callable[[Path], AbstractContextManager[Camera]]
CAMERAS: dict[str, CameraFactory] = {
    "simulated": _simulated_camera,
    "recorded": _recorded_camera,
    "recording": _recording_camera,
    "pi": _pi_camera,
    "webcam": _webcam,
    "folder": _folder_camera,
    "reopening": _reopening_camera,
    "turned": _turned_camera,
}


@pytest.fixture(params=sorted(CAMERAS))
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Camera]:
    with CAMERAS[request.param](tmp_path) as made:
        yield made
        made.close()


@dataclass
class PressedControls:
    """Controls, with a function that presses confirm, advance and undo on them once, in this order."""

    controls: Controls
    press_all: Callable[[], None]


def _simulated_controls(_: Path) -> PressedControls:
    controls = SimulatedControls(SimulatedClock())

    def press_all() -> None:
        for button in (Button.CONFIRM, Button.ADVANCE, Button.UNDO):
            controls.press(button)

    return PressedControls(controls, press_all)


def _recorded_controls(folder: Path) -> PressedControls:
    tape = Tape(_write_recording(folder / "evening"))
    frames: list[Frame] = []
    return PressedControls(RecordedControls(tape), lambda: frames.append(tape.frame()))


def _gpio_controls(_: Path) -> PressedControls:
    clock, pins = SimulatedClock(10.0), MockFactory()
    wired = {17: Button.CONFIRM, 27: Button.ADVANCE, 22: Button.UNDO}
    wirings = [Wiring(button, pin) for pin, button in wired.items()]
    controls = GpioControls(wirings, clock, debounce_s=0.05, hold_s=1.0, pin_factory=pins)

    def press_all() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mock, "monotonic", clock.now)
            for pin in wired:
                pins.pin(pin).drive_low()
                clock.sleep(0.1)
                pins.pin(pin).drive_high()
                clock.sleep(0.1)

    return PressedControls(controls, press_all)


def _key_controls(_: Path) -> PressedControls:
    clock, bus = SimulatedClock(10.0), SimulatedInputBus()
    bus.plug_in(Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({71, 72, 96})))
    bindings = [
        Binding(button, key, Model(0x1A2C, 0x0E24))
        for button, key in ((Button.CONFIRM, 96), (Button.ADVANCE, 71), (Button.UNDO, 72))
    ]
    controls = KeyControls(bindings, bus, clock, debounce_s=0.05, hold_s=1.0)
    return PressedControls(controls, lambda: bus.press("/dev/input/event3", 96, 71, 72))


CONTROLS: dict[str, Callable[[Path], PressedControls]] = {
    "gpio": _gpio_controls,
    "keys": _key_controls,
    "simulated": _simulated_controls,
    "recorded": _recorded_controls,
}


@pytest.fixture(params=sorted(CONTROLS))
def pressed(request: pytest.FixtureRequest, tmp_path: Path) -> PressedControls:
    return CONTROLS[request.param](tmp_path)


def _neopixel(pixel_count: int, stack: ExitStack) -> LightStrip:
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setenv("BLINKA_OS_AGNOSTIC", "1")
    board = importlib.import_module("board")
    patch.setattr(board, "D10", board.Dx_OUTPUT, raising=False)
    patch.setattr(importlib.import_module("neopixel"), "neopixel_write", lambda *_: None)
    name = "adafruit_raspberry_pi5_neopixel_write"
    patch.setitem(sys.modules, name, ModuleType(name))
    patch.setattr("hardware.drivers.neopixel.fault_of", lambda *_: None)
    return NeoPixelStrip(pixel_count, board=PiBoard("a Pi 5", 5))


def _wled(pixel_count: int, stack: ExitStack) -> LightStrip:
    controller = stack.enter_context(wled(pixel_count))
    return WledStrip(pixel_count, controller.host, ddp_port=controller.ddp_port)


STRIPS: dict[str, Callable[[int, ExitStack], LightStrip]] = {
    "simulated": lambda pixel_count, _: SimulatedLightStrip(pixel_count),
    "none": lambda pixel_count, _: NoStrip(pixel_count),
    "driven": lambda pixel_count, _: DrivenStrip(SimulatedLightStrip(pixel_count), 100, 2.2, SimulatedClock()),
    "resilient": lambda pixel_count, _: ResilientStrip(
        lambda: SimulatedLightStrip(pixel_count), pixel_count, SimulatedClock(), print
    ),
    "neopixel": _neopixel,
    "wled": _wled,
}


@pytest.fixture(params=sorted(STRIPS))
def make_strip(request: pytest.FixtureRequest) -> Iterator[Callable[[int], LightStrip]]:
    with ExitStack() as stack:

        def make(pixel_count: int) -> LightStrip:
            strip = STRIPS[request.param](pixel_count, stack)
            stack.callback(strip.close)
            return strip

        yield make


def _paced() -> Clock:
    real = SimulatedClock()
    return PacedClock(wall=real.now, wait=real.sleep)


def _system() -> Clock:
    real = SimulatedClock()
    return SystemClock(wall=real.now, wait=real.sleep)


CLOCKS: dict[str, Callable[[], Clock]] = {"simulated": SimulatedClock, "paced": _paced, "system": _system}


@pytest.fixture(params=sorted(CLOCKS))
def clock(request: pytest.FixtureRequest) -> Clock:
    return CLOCKS[request.param]()
