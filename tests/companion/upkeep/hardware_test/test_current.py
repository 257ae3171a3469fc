from __future__ import annotations

from companion.upkeep.hardware_test.course import Moment
from companion.upkeep.hardware_test.strip import CurrentStep
from hardware.simulated.devices import SimulatedClock, SimulatedLightStrip
from hardware.strips import DrivenStrip, drawn_ma
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told


def measured(weak: list[bool | None], max_ma: int = 1500) -> tuple[CurrentStep, SimulatedLightStrip]:
    strip = SimulatedLightStrip(60)
    answers = iter(weak)
    step = CurrentStep(DrivenStrip(strip, max_ma, 1.0, SimulatedClock()), 0.6, max_ma, lambda: next(answers, weak[-1]))
    lead(step, lambda _, now_s: Moment(now_s))
    return step, strip


def test_everything_is_lit_within_the_limit() -> None:
    step, strip = measured([False])
    assert told(step) == [("ok", "supply")]
    assert step.outcomes[0].figures["white_ma"] == 3600
    assert 1400 < max(map(drawn_ma, strip.history)) <= 1500
    assert set(strip.pixels) == {(0, 0, 0)}


def test_a_supply_that_sags_once_is_told() -> None:
    step, _ = measured([False, False, True, False])
    assert faults(step.outcomes)[0].startswith("The voltage drops when all lights are on.")


def test_a_board_that_does_not_say() -> None:
    step, _ = measured([None])
    assert told(step) == [("ok", "supply")]
    assert "does not say" in step.outcomes[0].says
