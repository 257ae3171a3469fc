"""The implementations of each port that can be tried here; a driver joins by adding its factory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.ports import Button, Camera, Clock, Controls, Frame, LightStrip
from hardware.recorded import RecordedCamera, RecordedControls, RecordingCamera, RecordingWriter, Tape
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.clock import PacedClock, SimulatedClock
from hardware.simulated.controls import SimulatedControls
from hardware.simulated.strip import SimulatedLightStrip

FRAMES = 4


class Stage:
    """A table where nothing lies and nobody sits."""

    over = False

    def step(self, now_s: float) -> None:
        """Nobody does anything."""

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


CameraFactory = Callable[[Path], AbstractContextManager[Camera]]
CAMERAS: dict[str, CameraFactory] = {
    "simulated": _simulated_camera,
    "recorded": _recorded_camera,
    "recording": _recording_camera,
}


@pytest.fixture(params=sorted(CAMERAS))
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Camera]:
    with CAMERAS[request.param](tmp_path) as made:
        yield made
        made.close()


@dataclass
class PressedControls:
    """Controls, and how somebody presses confirm, advance and undo on them, in this order and once."""

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


CONTROLS: dict[str, Callable[[Path], PressedControls]] = {
    "simulated": _simulated_controls,
    "recorded": _recorded_controls,
}


@pytest.fixture(params=sorted(CONTROLS))
def pressed(request: pytest.FixtureRequest, tmp_path: Path) -> PressedControls:
    return CONTROLS[request.param](tmp_path)


STRIPS: dict[str, Callable[[int], LightStrip]] = {"simulated": SimulatedLightStrip}


@pytest.fixture(params=sorted(STRIPS))
def make_strip(request: pytest.FixtureRequest) -> Callable[[int], LightStrip]:
    return STRIPS[request.param]


def _paced() -> Clock:
    real = SimulatedClock()
    return PacedClock(speed=1.0, wall=real.now, wait=real.sleep)


CLOCKS: dict[str, Callable[[], Clock]] = {"simulated": SimulatedClock, "paced": _paced}


@pytest.fixture(params=sorted(CLOCKS))
def clock(request: pytest.FixtureRequest) -> Clock:
    return CLOCKS[request.param]()
