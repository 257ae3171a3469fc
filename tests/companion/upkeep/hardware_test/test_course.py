from __future__ import annotations

import pytest

from companion.upkeep.hardware_test.course import (
    FailedStep,
    HardwareStep,
    HardwareTest,
    Moment,
    Prompt,
    StepOutcome,
    Verdict,
)


class Waits(HardwareStep):
    """A step that ends with an answer."""

    title = "Waits"

    def begin(self, now_s: float) -> None:
        self.prompt = Prompt(f"begun at {now_s:g}")

    def tick(self, moment: Moment) -> None:
        if moment.answer is not None:
            self._found(Verdict.OK if moment.answer == "good" else Verdict.FAULT, "thing", "Seen.", "Mend it.")
            self._end()


def failed() -> FailedStep:
    return FailedStep(StepOutcome(Verdict.FAULT, "strip", "It cannot be opened.", "Open it."))


def test_steps_follow_one_another() -> None:
    test = HardwareTest([Waits(), Waits()], 1.0)
    assert (test.number, test.prompt) == ((1, 2), Prompt("begun at 1"))
    test.tick(Moment(2.0))
    test.tick(Moment(3.0, answer="good"))
    assert (test.number, test.prompt) == ((2, 2), Prompt("begun at 3"))
    assert len(test.outcomes) == 1
    test.tick(Moment(4.0, answer="bad"))
    assert test.done
    assert test.prompt is None
    assert [outcome.verdict for outcome in test.outcomes] == [Verdict.OK, Verdict.FAULT]
    assert len(test.faults) == 1
    test.tick(Moment(5.0, answer="bad"))
    assert len(test.outcomes) == 2


def test_a_device_that_cannot_be_opened_is_told_and_passed_by() -> None:
    test = HardwareTest([failed(), Waits(), failed()], 0.0)
    assert test.number == (2, 3)
    assert len(test.outcomes) == 1
    test.tick(Moment(1.0, answer="good"))
    assert test.done
    assert len(test.faults) == 2


def test_a_test_without_steps_is_none() -> None:
    with pytest.raises(ValueError, match="at least one"):
        HardwareTest([], 0.0)
