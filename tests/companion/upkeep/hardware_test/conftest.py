"""Ways to lead a step from moment to moment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.upkeep.hardware_test.course import HardwareStep, Moment, StepOutcome


def lead(
    step: HardwareStep, moments: Callable[[HardwareStep, float], Moment], until_s: float = 300.0, every_s: float = 0.1
) -> float:
    """Run a step until it is done and return how long it took; `moments` gives each moment."""
    step.begin(0.0)
    now_s = 0.0
    while not step.done:
        now_s += every_s
        assert now_s < until_s, "the step does not end"
        step.tick(replace(moments(step, now_s), now_s=now_s))
    assert step.prompt is None
    return now_s


def told(step: HardwareStep) -> list[tuple[str, str]]:
    """Return the verdict and subject of each outcome."""
    return [(outcome.verdict.value, outcome.subject) for outcome in step.outcomes]


def faults(outcomes: list[StepOutcome]) -> list[str]:
    """Return what the faults say; assert that each has a remedy."""
    wrong = [outcome for outcome in outcomes if outcome.verdict.value == "FAULT"]
    assert all(outcome.do for outcome in wrong)
    return [outcome.says for outcome in wrong]
