"""The step of a hardware test: moments in, prompts and outcomes out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.ports import Button, Frame, Press

SKIP: Final = "skip"
"""The answer that gives up what is being asked for; it may be given at any time."""


class Verdict(StrEnum):
    """The verdict on one thing: OK, POOR (it works, and could be better), FAULT, SKIPPED."""

    OK = "ok"
    POOR = "poor"
    FAULT = "FAULT"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome for one thing that was tested.

    Attributes:
        verdict: how good it is.
        subject: what was tested, such as "confirm button (GPIO17)".
        says: what was found, a sentence.
        do: what to do about it; empty where nothing is to be done.
        figures: what was measured, by name with its unit.
    """

    verdict: Verdict
    subject: str
    says: str
    do: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PressWanted:
    """A request to press a push-button."""

    button: Button
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class CountWanted:
    """A request to count the pixels that shine."""


@dataclass(frozen=True, slots=True)
class ColourWanted:
    """A request to name the colour in which the strip shines."""


Wanted: TypeAlias = PressWanted | CountWanted | ColourWanted


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to the user.

    Attributes:
        says: the request, a sentence or two.
        wanted: the same for programs that stand in for a person; it knows no more than the sentence.
        choices: what may be answered; empty where the answer is done, not said.
    """

    says: str
    wanted: Wanted | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """All that has happened since the moment before.

    Attributes:
        now_s: the time, on the clock of presses and frames.
        presses: of the push-buttons.
        notices: what the push-buttons' driver says of them.
        frame: the camera's next picture, where the step wants pictures.
        trouble: why there is no picture.
        answer: what the user has answered.
    """

    now_s: float
    presses: Sequence[Press] = ()
    notices: Sequence[str] = ()
    frame: Frame | None = None
    trouble: str = ""
    answer: str | None = None


class HardwareStep(ABC):
    """A step of the test. `begin` once, then `tick` until it is `done`.

    Attributes:
        title: what it is about.
        wants_frames: whether its moments shall bring pictures.
        outcomes: what it has come to so far.
        prompt: what the user is asked for now.
        done: whether it has ended.
    """

    title: ClassVar[str]
    wants_frames: ClassVar[bool] = False

    def __init__(self) -> None:
        self.outcomes: list[StepOutcome] = []
        self.prompt: Prompt | None = None
        self.done = False

    @abstractmethod
    def begin(self, now_s: float) -> None:
        """Begin the step."""

    @abstractmethod
    def tick(self, moment: Moment) -> None:
        """Take the next moment."""

    def _found(
        self, verdict: Verdict, subject: str, says: str, do: str = "", figures: Mapping[str, float] | None = None
    ) -> None:
        self.outcomes.append(StepOutcome(verdict, subject, says, do, figures or {}))

    def _end(self) -> None:
        self.prompt, self.done = None, True


class FailedStep(HardwareStep):
    """The single outcome in place of the steps of a device that cannot be opened, or is not there to be tested.

    Args:
        outcome: what is said of it.
    """

    title = said("Devices")

    def __init__(self, outcome: StepOutcome) -> None:
        super().__init__()
        self.outcomes.append(outcome)

    def begin(self, now_s: float) -> None:
        """End at once."""
        del now_s
        self._end()

    def tick(self, moment: Moment) -> None:
        """Do nothing."""
