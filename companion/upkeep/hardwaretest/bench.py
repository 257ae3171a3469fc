"""The devices under test in a hardware test, and stand-ins for the user."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.languages import reason
from companion.upkeep.hardwaretest.course import HardwareTest
from companion.upkeep.hardwaretest.step import Moment
from hardware.drivers.none import NoControls
from hardware.ports import Camera, Clock, Controls, Frame, HardwareError
from hardware.strips import DrivenStrip

if TYPE_CHECKING:
    from companion.config import Config
    from companion.upkeep.hardwaretest.simulated_person import Eyes, Finger

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
        finger: the stand-in that presses simulated buttons, or None.
        eyes: the stand-in that looks at a simulated strip, or None.
        stack: closes all devices.
    """

    config: Config
    clock: Clock
    controls: Controls | None = None
    strip: DrivenStrip | None = None
    camera: Camera | None = None
    faults: dict[str, str] = field(default_factory=dict)
    finger: Finger | None = None
    eyes: Eyes | None = None
    stack: ExitStack = field(default_factory=ExitStack)

    @property
    def needs_a_person(self) -> bool:
        """True if the user must press or look."""
        presses = self.finger is None and self.controls is not None and not isinstance(self.controls, NoControls)
        looks = self.eyes is None and self.strip is not None and self.config.strip.driver != "none"
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
        if self.finger is not None:
            self.finger.look(test.prompt)
        if answer is None and self.eyes is not None:
            answer = self.eyes.answer(test.prompt)
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
