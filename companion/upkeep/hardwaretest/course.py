"""The sequence of the test's steps."""

from collections.abc import Sequence

from companion.upkeep.hardwaretest.step import HardwareStep, Moment, Prompt, StepOutcome, Verdict


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
