"""The sequence of the test's steps."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar, Final, TypeAlias

from companion.languages import ENGLISH, Language, render, said
from companion.terminal.output import padded, text_width, words
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


class HardwareTest:
    """A hardware test; call `tick` with moments until it is `done`.

    Args:
        steps: the steps, at least one.
        now_s: the time at which it begins.
    """

    def __init__(self, steps: Sequence[HardwareStep], now_s: float) -> None:
        if not steps:
            raise ValueError("a test needs at least one step")
        self._steps, self._place = tuple(steps), 0
        self._steps[0].begin(now_s)
        self._pass_on(now_s)

    @property
    def step(self) -> HardwareStep:
        """The current step, or the last one."""
        return self._steps[min(self._place, len(self._steps) - 1)]

    @property
    def number(self) -> tuple[int, int]:
        """The current step's number, from 1, and the number of steps."""
        return min(self._place + 1, len(self._steps)), len(self._steps)

    @property
    def done(self) -> bool:
        """True if all steps have ended."""
        return self._place >= len(self._steps)

    @property
    def prompt(self) -> Prompt | None:
        """The current request to the user."""
        return None if self.done else self.step.prompt

    @property
    def outcomes(self) -> tuple[StepOutcome, ...]:
        """All outcomes so far."""
        return tuple(outcome for step in self._steps for outcome in step.outcomes) if self.done else self._so_far()

    @property
    def faults(self) -> tuple[StepOutcome, ...]:
        """The outcomes that are faults."""
        return tuple(outcome for outcome in self.outcomes if outcome.verdict is Verdict.FAULT)

    def tick(self, moment: Moment) -> None:
        """Process the next moment; does nothing after the end."""
        if not self.done:
            self.step.tick(moment)
            self._pass_on(moment.now_s)

    def _so_far(self) -> tuple[StepOutcome, ...]:
        begun = self._steps[: self._place + 1]
        return tuple(outcome for step in begun for outcome in step.outcomes)

    def _pass_on(self, now_s: float) -> None:
        # A step may end as soon as it begins, when it has nothing to test.
        while not self.done and self.step.done:
            self._place += 1
            if not self.done:
                self.step.begin(now_s)


_MARKS: Final = {
    Verdict.OK: said("ok"), Verdict.POOR: said("poor"), Verdict.FAULT: said("FAULT"), Verdict.SKIPPED: said("skipped"),
}  # fmt: skip
_DEVICE: Final = 24


@dataclass(frozen=True, slots=True)
class Facts:
    """The data on a table in a report, beside the outcomes; none are personal, and no host names or addresses.

    Attributes:
        version: the companion's version.
        board: the Raspberry Pi's model, or a text that it is none.
        system: the machine's operating system and architecture, with Python's version.
        drivers: the tested driver of each device.
        wiring: the connection of each device.
    """

    version: str
    board: str
    system: str
    drivers: Mapping[str, str]
    wiring: Mapping[str, str]


def connections(facts: Facts, outcomes: Sequence[StepOutcome]) -> list[tuple[Verdict, str, str]]:
    """Return worst verdict, device and wiring of each connection; SKIPPED if there was no outcome."""
    # SKIPPED before OK: a connection that was only partly tested is not known to work.
    rank = [Verdict.FAULT, Verdict.POOR, Verdict.SKIPPED, Verdict.OK]
    found = []
    for device, where in facts.wiring.items():
        about = [outcome.verdict for outcome in outcomes if _is_about(outcome, device)]
        found.append((min(about, key=rank.index) if about else Verdict.SKIPPED, device, where))
    return found


def wiring_lines(facts: Facts, outcomes: Sequence[StepOutcome], language: Language = ENGLISH) -> list[str]:
    """Return each connection with its findings as text, the worst first."""
    found = connections(facts, outcomes)
    device = max([_DEVICE, *(text_width(words(name, language)) for _, name, _ in found)])
    return [
        f"{_mark(verdict, language)} {padded(name, device, language)} {words(where, language)}"
        for verdict, name, where in found
    ]


def outcome_lines(outcome: StepOutcome, language: Language = ENGLISH) -> list[str]:
    """Return the lines of an outcome as text."""
    says = said("{subject}: {says}", subject=outcome.subject, says=outcome.says)
    mark = _mark(outcome.verdict, language)
    do = render(outcome.do, language)
    return [f"{mark} {words(says, language)}", *([f"{' ' * text_width(mark)} -> {words(do, language)}"] if do else [])]


def _mark(verdict: Verdict, language: Language) -> str:
    return padded(_MARKS[verdict], max(text_width(words(mark, language)) for mark in _MARKS.values()), language)


def report_text(facts: Facts, outcomes: Sequence[StepOutcome], on: date) -> str:
    """Return the report's text, in English because it is attached to bug reports."""
    lines = [
        "Quilt Companion: report of a hardware test",
        "It holds nothing personal: no names, addresses or paths.",
        "",
        f"date      {on.isoformat()}",
        f"version   {facts.version}",
        f"board     {facts.board}",
        f"system    {facts.system}",
        *(f"{device:<9} driver {driver}" for device, driver in facts.drivers.items()),
        "",
        "Wiring",
        *wiring_lines(facts, outcomes),
        "",
        "Outcomes",
    ]
    for outcome in outcomes:
        lines += outcome_lines(outcome)
        if outcome.figures:
            lines.append("        " + ", ".join(f"{name} {value:.4g}" for name, value in outcome.figures.items()))
    return "\n".join([*lines, ""])


def _is_about(outcome: StepOutcome, device: str) -> bool:
    """Return whether an outcome concerns a device's connection; pixels belong to the strip, mats to the camera."""
    subject = "strip" if outcome.subject.startswith("pixel ") else outcome.subject
    return subject == device or (device == "camera" and subject == "mats")
