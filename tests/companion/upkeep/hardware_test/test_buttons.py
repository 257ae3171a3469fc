from __future__ import annotations

from typing import TYPE_CHECKING

from companion.upkeep.hardware_test.buttons import PATIENCE_S, ButtonsStep, ButtonToTry
from companion.upkeep.hardware_test.course import HardwareStep, Moment, PressWanted
from hardware.ports import Button, Press
from tests.companion.upkeep.hardware_test.conftest import faults, lead, told

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIRM = ButtonToTry(Button.CONFIRM, None, "confirm button (GPIO17)")
ADVANCE = ButtonToTry(Button.ADVANCE, None, "advance button (GPIO27)")
UNDO = ButtonToTry(Button.UNDO, None, "undo button (GPIO22)")


class Presser:
    """Presses the requested button, on wires that may be wrong."""

    def __init__(self, wires: dict[Button, Sequence[Button]] | None = None) -> None:
        self.wires = wires or {}
        self.asked: object = None

    def __call__(self, step: HardwareStep, now_s: float) -> Moment:
        prompt = step.prompt
        if prompt is None or prompt is self.asked or not isinstance(prompt.wanted, PressWanted):
            return Moment(now_s)
        self.asked = prompt
        button, seat = prompt.wanted.button, prompt.wanted.seat
        return Moment(now_s, [Press(each, now_s, seat=seat) for each in self.wires.get(button, [button])])


def test_buttons_that_answer() -> None:
    step = ButtonsStep([CONFIRM, ADVANCE, UNDO])
    lead(step, Presser())
    assert told(step) == [("ok", CONFIRM.name), ("ok", ADVANCE.name), ("ok", UNDO.name)]
    assert step.sound() == (CONFIRM, ADVANCE, UNDO)


def test_a_key_that_is_silent_is_to_be_woken_or_learnt_anew() -> None:
    step = ButtonsStep([ButtonToTry(Button.CONFIRM, None, "confirm key (KEY_KPENTER)", is_key=True)])
    lead(step, lambda _, now_s: Moment(now_s))
    (outcome,) = step.outcomes
    assert "companion controls learn" in outcome.do
    assert "wire" not in outcome.do


def test_another_pin_answers() -> None:
    step = ButtonsStep([CONFIRM, ADVANCE, UNDO])
    lead(step, Presser({Button.CONFIRM: [Button.ADVANCE], Button.ADVANCE: [Button.CONFIRM]}))
    assert faults(step.outcomes) == [
        "You pressed it, but the advance button (GPIO27) responded.",
        "You pressed it, but the confirm button (GPIO17) responded.",
    ]
    assert step.sound() == (UNDO,)


def test_the_other_seats_button_is_another_one() -> None:
    first = ButtonToTry(Button.CONFIRM, 1, "confirm button of seat 1 (GPIO17)")
    second = ButtonToTry(Button.CONFIRM, 2, "confirm button of seat 2 (GPIO5)")

    def crossed(_: HardwareStep, now_s: float) -> Moment:
        return Moment(now_s, [Press(Button.CONFIRM, now_s, seat=2)]) if now_s < 0.15 else Moment(now_s, answer="skip")

    step = ButtonsStep([first, second])
    lead(step, crossed)
    assert faults(step.outcomes) == ["You pressed it, but the confirm button of seat 2 (GPIO5) responded."]


def test_a_button_that_is_not_connected_is_told_after_a_while_and_the_rest_goes_on() -> None:
    step = ButtonsStep([CONFIRM, ADVANCE])
    took_s = lead(step, Presser({Button.CONFIRM: []}))
    assert told(step) == [("FAULT", CONFIRM.name), ("ok", ADVANCE.name)]
    assert PATIENCE_S < took_s < PATIENCE_S + 3


def test_a_contact_that_bounces_is_told() -> None:
    step = ButtonsStep([CONFIRM])
    lead(step, Presser({Button.CONFIRM: [Button.CONFIRM] * 3}))
    assert told(step) == [("poor", CONFIRM.name)]
    assert step.outcomes[0].says == "One press counted as 3 presses."
    assert "debounce_s" in step.outcomes[0].do


def test_a_stuck_button_is_named_and_not_asked_for() -> None:
    of_another_seat = ButtonToTry(Button.UNDO, 2, "undo button of seat 2 (GPIO5)")
    step = ButtonsStep([CONFIRM, UNDO, of_another_seat])
    presser = Presser()

    def moments(step: HardwareStep, now_s: float) -> Moment:
        return Moment(now_s, presser(step, now_s).presses, [(Button.UNDO, None)])

    took_s = lead(step, moments)
    assert told(step) == [("FAULT", UNDO.name), ("ok", CONFIRM.name), ("ok", of_another_seat.name)]
    assert took_s < 3


def test_a_button_that_sticks_while_it_is_asked_for_ends_the_wait() -> None:
    step = ButtonsStep([UNDO])
    took_s = lead(step, lambda _, now_s: Moment(now_s, stuck=[(Button.UNDO, None)] if now_s > 30 else ()))
    assert told(step) == [("FAULT", UNDO.name)]
    assert took_s < PATIENCE_S


def test_a_button_may_be_skipped() -> None:
    step = ButtonsStep([CONFIRM])
    lead(step, lambda _, now_s: Moment(now_s, answer="skip"))
    assert told(step) == [("skipped", CONFIRM.name)]
