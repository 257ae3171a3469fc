"""The devices under test, and stand-ins for the user, who press simulated buttons and look at a simulated strip.

The stand-ins know only what a user would, the prompt and what is visible, not the simulated faults.
"""

from __future__ import annotations

import platform
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import __version__
from companion.config import Config
from companion.languages import reason, said
from companion.upkeep.hardware_test.buttons import ButtonToTry
from companion.upkeep.hardware_test.course import (
    ColourWanted,
    CountWanted,
    Facts,
    HardwareTest,
    Moment,
    PressWanted,
    Prompt,
)
from hardware.driver import ControlsDriver
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.keys import KeysDriver
from hardware.drivers.none import NoControls
from hardware.environment import read_board
from hardware.ports import RGB, Button, Camera, Clock, Controls, Frame, HardwareError
from hardware.simulated.devices import SimulatedControls, SimulatedLightStrip
from hardware.strips import DrivenStrip

if TYPE_CHECKING:
    from hardware.simulated.scene.table import SimulatedTable

REACTION_S: Final = 0.4
"""A quick person's; also longer than the debouncing."""
DEAD_PIXEL: Final = 23
"""The number of the pixel planted as dead, from 0."""
# The level, of 255, from which a pixel counts as lit in a lit room.
_VISIBLE: Final = 12
# The relative gain in a picture's brightness by a strip of full white, one metre at the table's edge in a lit room.
_SPILL: Final = 0.05
# The size of a strip's pixel in the picture: 5 mm, at 33 px per cell of 20 mm.
_SPOT_PX: Final = 6
_DRAWN_S: Final = 0.5


class SimulatedFault(StrEnum):
    """The faults that the simulated devices can have."""

    DEAD_PIXEL = "dead-pixel"
    STUCK_BUTTON = "stuck-button"
    BLURRED_CAMERA = "blurred-camera"
    CROSSED_WIRES = "crossed-wires"
    COLOUR_ORDER = "colour-order"


class SimulatedPresser:
    """A stand-in that presses the requested simulated buttons.

    Args:
        controls: the buttons.
        clock: times the reactions.
        planted: the planted faults.
    """

    def __init__(self, controls: SimulatedControls, clock: Clock, planted: Collection[SimulatedFault] = ()) -> None:
        self._controls, self._clock = controls, clock
        self._crossed = SimulatedFault.CROSSED_WIRES in planted
        self._asked: Prompt | None = None
        self._since_s = 0.0
        if SimulatedFault.STUCK_BUTTON in planted:
            controls.stick(Button.UNDO)

    def look(self, prompt: Prompt | None) -> None:
        """Read the prompt, and press the requested button once after `REACTION_S`."""
        if prompt is not self._asked:
            self._asked, self._since_s = prompt, self._clock.now()
        wanted = None if prompt is None else prompt.wanted
        if isinstance(wanted, PressWanted) and self._clock.now() - self._since_s >= REACTION_S:
            # Each prompt is answered by one press.
            self._since_s = float("inf")
            self._controls.press(self._wired(wanted.button), wanted.seat)

    def _wired(self, button: Button) -> Button:
        crossed = {Button.CONFIRM: Button.ADVANCE, Button.ADVANCE: Button.CONFIRM}
        return crossed.get(button, button) if self._crossed else button


class SimulatedViewer:
    """A stand-in that answers questions about a simulated strip.

    Args:
        strip: the strip.
        planted: the planted faults.
    """

    def __init__(self, strip: SimulatedLightStrip, planted: Collection[SimulatedFault] = ()) -> None:
        self._strip = strip
        self._swapped = SimulatedFault.COLOUR_ORDER in planted

    def answer(self, prompt: Prompt | None) -> str | None:
        """Return the answer to a question about the strip, or None if there is none to give."""
        wanted = None if prompt is None else prompt.wanted
        lit = [self._seen(pixel) for pixel in self._strip.pixels if max(pixel) >= _VISIBLE]
        if isinstance(wanted, CountWanted):
            return str(len(lit))
        return _named(lit) if isinstance(wanted, ColourWanted) else None

    def _seen(self, pixel: RGB) -> RGB:
        red, green, blue = pixel
        return (green, red, blue) if self._swapped else pixel


class LitTable:
    """A stage for a simulated camera: the table without players, lit by a strip along its far edge.

    Only the light changes, so the table is redrawn only every `_DRAWN_S`.

    Args:
        table: the table to draw.
        strip: the strip that lights it beside the lamp, or None.
    """

    over = False

    def __init__(self, table: SimulatedTable, strip: SimulatedLightStrip | None) -> None:
        self._table, self._strip = table, strip
        self._drawn: NDArray[np.uint8] | None = None
        self._drawn_s = 0.0

    def step(self, now_s: float) -> None:
        """Do nothing, as there are no players."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, shape (height, width, 3), uint8, BGR."""
        if self._drawn is None or now_s - self._drawn_s >= _DRAWN_S:
            self._drawn, self._drawn_s = self._table.frame(now_s), now_s
        if self._strip is None:
            return self._drawn
        return _under(self._drawn, np.array(self._strip.pixels, np.float32)[:, ::-1])


def _under(picture: NDArray[np.uint8], lit: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a copy of the picture with the strip's pixels, shape (n, 3), BGR, at its far edge, and lit by them."""
    spill = 1 + _SPILL * lit.mean(axis=0) / 255
    levels = _rounded(np.arange(256, dtype=np.float32)[:, None] * spill)
    shining = np.array(cv2.LUT(picture, levels[None]), np.uint8)
    edge = picture[1 : 1 + _SPOT_PX] * spill
    for place, x_px in enumerate(np.linspace(0.05, 0.95, len(lit)) * picture.shape[1]):
        left = int(x_px) - _SPOT_PX // 2
        edge[:, left : left + _SPOT_PX] += lit[place]
    shining[1 : 1 + _SPOT_PX] = _rounded(edge)
    return shining


def _rounded(levels: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(levels), 0, 255), np.uint8)


def _named(lit: list[RGB]) -> str:
    """Return the name of the median colour of the lit pixels."""
    if not lit:
        return "nothing"
    red, green, blue = np.median(np.array(lit), axis=0) > max(map(max, lit)) / 2
    names = {(1, 0, 0): "red", (0, 1, 0): "green", (0, 0, 1): "blue", (1, 1, 1): "white"}
    return names.get((int(red), int(green), int(blue)), "something else")


def facts_of(config: Config) -> Facts:
    """Return the data on the table for a report."""
    board = read_board()
    strip = config.strip
    wiring: dict[str, str] = {place.name: _led_to(config.controls, place) for place in wired(config)}
    if strip.wiring is not None:
        wiring[said("strip")] = strip.wiring
    wiring[said("camera")] = f"{config.camera.driver}, {config.camera.size[0]}x{config.camera.size[1]}"
    return Facts(
        __version__,
        "no Raspberry Pi" if board is None else board.model,
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        {"camera": config.camera.driver, "buttons": config.controls.driver, "strip": strip.driver},
        wiring,
    )


def _led_to(controls: ControlsDriver, place: ButtonToTry) -> str:
    """Return a description of a push-button's connection."""
    if place.is_key:
        return said("a key, no wire")
    pulled_down = isinstance(controls, GpioDriver) and controls.pull == "down"
    return said("to {volts} V", volts=3.3) if pulled_down else said("to ground")


def wired(config: Config) -> tuple[ButtonToTry, ...]:
    """Return the connected push-buttons or keys; none with the driver "none"."""
    is_key = isinstance(config.controls, KeysDriver)
    return tuple(ButtonToTry(each.button, each.seat, each.name, is_key=is_key) for each in config.controls.places)


# Short enough for presses to be timed; the driver debounces them.
_TICK_S: Final = 0.05


@dataclass(slots=True)
class Bench:
    """The devices under test, and stand-ins for the user.

    Attributes:
        config: the configuration.
        clock: the clock of all devices.
        controls: the push-buttons; None if they cannot be opened.
        strip: the strip; None if it cannot be opened.
        camera: the camera; None if it cannot be opened.
        faults: the reasons why devices cannot be opened, by their sections of the configuration.
        presser: the stand-in that presses simulated buttons, or None.
        viewer: the stand-in that looks at a simulated strip, or None.
        stack: closes all devices.
    """

    config: Config
    clock: Clock
    controls: Controls | None = None
    strip: DrivenStrip | None = None
    camera: Camera | None = None
    faults: dict[str, str] = field(default_factory=dict)
    presser: SimulatedPresser | None = None
    viewer: SimulatedViewer | None = None
    stack: ExitStack = field(default_factory=ExitStack)

    @property
    def needs_a_person(self) -> bool:
        """True if the user must press or look."""
        presses = self.presser is None and self.controls is not None and not isinstance(self.controls, NoControls)
        looks = self.viewer is None and self.strip is not None and self.config.strip.driver != "none"
        return presses or looks

    def close(self) -> None:
        """Close all devices; the strip goes dark."""
        self.stack.close()

    def moment(self, test: HardwareTest, answer: str | None = None) -> Moment:
        """Return the events since the last moment; stand-ins act on the test's prompt.

        Args:
            test: the running test.
            answer: the user's answer, or None.
        """
        if self.strip is not None:
            self.strip.tick()
        if self.presser is not None:
            self.presser.look(test.prompt)
        if answer is None and self.viewer is not None:
            answer = self.viewer.answer(test.prompt)
        frame, trouble = self._frame() if test.step.wants_frames else self._wait()
        return Moment(
            self.clock.now(),
            () if self.controls is None else self.controls.presses(),
            getattr(self.controls, "stuck", ()),
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
