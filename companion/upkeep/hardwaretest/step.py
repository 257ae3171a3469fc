"""The base class of a hardware test's steps, which process moments and produce prompts and outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Final, TypeAlias

from companion.languages import said
from hardware.ports import Button, Frame, Press

SKIP: Final = "skip"
"""The answer that skips the current request; it may be given at any time."""


class Verdict(StrEnum):
    """The verdict on one subject: OK, POOR (it works, but could be better), FAULT, or SKIPPED."""

    OK = "ok"
    POOR = "poor"
    FAULT = "FAULT"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of the test of one subject.

    Attributes:
        verdict: the verdict.
        subject: the part tested, such as "confirm button (GPIO17)".
        says: the finding, a sentence.
        do: the remedy; empty if none is needed.
        figures: the measurements, by name with unit.
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
    """A request to count the lit pixels."""


@dataclass(frozen=True, slots=True)
class ColourWanted:
    """A request to name the strip's colour."""


Wanted: TypeAlias = PressWanted | CountWanted | ColourWanted


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to the user.

    Attributes:
        says: the request, a sentence or two.
        wanted: the same request for stand-ins; it contains no more than the sentence.
        choices: the possible answers; empty if the request is to act, not to answer.
    """

    says: str
    wanted: Wanted | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """The events since the moment before.

    Attributes:
        now_s: the time, on the clock of presses and frames.
        presses: the presses of the push-buttons.
        stuck: the logical buttons, with their seats, of the push-buttons that are stuck.
        frame: the camera's next picture, if the step wants pictures, or None.
        trouble: the reason why there is no picture; empty if unknown or none is wanted.
        answer: the user's answer, or None.
    """

    now_s: float
    presses: Sequence[Press] = ()
    stuck: Sequence[tuple[Button, int | None]] = ()
    frame: Frame | None = None
    trouble: str = ""
    answer: str | None = None


class HardwareStep(ABC):
    """A step of the test. `begin` once, then `tick` until it is `done`.

    Attributes:
        title: the step's title.
        wants_frames: whether its moments must have pictures.
        outcomes: the outcomes so far.
        prompt: the current request to the user, or None.
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
        """Process the next moment."""

    def _found(
        self, verdict: Verdict, subject: str, says: str, do: str = "", figures: Mapping[str, float] | None = None
    ) -> None:
        self.outcomes.append(StepOutcome(verdict, subject, says, do, figures or {}))

    def _end(self) -> None:
        self.prompt, self.done = None, True


class FailedStep(HardwareStep):
    """A step with a single outcome, in place of the steps of a device that cannot be opened or is not configured.

    Args:
        outcome: the outcome.
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
