from __future__ import annotations

from typing import TYPE_CHECKING

from companion.upkeep.hardware_test.buttons import ButtonToTry, TurnStep
from companion.upkeep.hardware_test.course import Moment
from hardware.ports import Button, Press
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.play.events import Event

CONFIRM = ButtonToTry(Button.CONFIRM, None, "confirm button (GPIO17)")
UNDO = ButtonToTry(Button.UNDO, None, "undo button (GPIO22)")


class Deaf:
    """A rehearsal that hears no press."""

    def __init__(self, *, ready: bool = True) -> None:
        self.ready = ready

    def lay(self) -> str:
        return "A patch lies there."

    def step(self, presses: Sequence[Press]) -> Sequence[Event]:
        del presses
        return ()


def test_a_press_of_which_nothing_comes_is_told() -> None:
    step = TurnStep(Deaf(), lambda: [CONFIRM, UNDO])
    lead(step, lambda _, now_s: Moment(now_s))
    assert told(step) == [("FAULT", "a turn: confirm"), ("FAULT", "a turn: undo")]


def test_boards_that_are_not_found_are_told() -> None:
    step = TurnStep(Deaf(ready=False), lambda: [CONFIRM])
    lead(step, lambda _, now_s: Moment(now_s))
    assert faults(step.outcomes) == ["The simulated boards were not found."]


def test_without_confirm_no_turn_is_played() -> None:
    step = TurnStep(Deaf(), lambda: [UNDO])
    step.begin(0.0)
    assert step.done
    assert told(step) == [("skipped", "a turn")]
