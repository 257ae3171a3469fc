"""Test to which question an answer belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.play import events
from companion.play.inbox import NOTHING_ASKED, READING_S, AfterAsking, QuestionCount, asked_after
from hardware.ports import Button
from hardware.simulated.devices import SimulatedClock, SimulatedControls

if TYPE_CHECKING:
    from companion.play.events import Event


def _asked(number: int, choice: int = 0) -> Event:
    return events.Asked("?", choice, None, number=number)


def test_each_question_has_a_number_and_two_tables_do_not_count_alike() -> None:
    count = QuestionCount()
    first = count.another()
    assert count.number == first > NOTHING_ASKED
    assert count.another() == first + 1
    assert len({QuestionCount().number for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("event", "after"),
    [
        (_asked(8), 8),
        (_asked(7, choice=1), 7),
        (events.TableNoticed("A board has moved.", None), 7),
        (events.QuestionAnswered("?", None, None), NOTHING_ASKED),
        (events.LookStarted(None), NOTHING_ASKED),
    ],
)
def test_a_question_is_open_until_something_else_happens(event: Event, after: int) -> None:
    assert asked_after(7, event) == after


def test_a_press_from_before_a_question_does_not_answer_it() -> None:
    clock = SimulatedClock(10.0)
    buttons = SimulatedControls(clock)
    controls = AfterAsking(buttons, clock.now)
    buttons.press(Button.CONFIRM)
    assert [press.button for press in controls.presses()] == [Button.CONFIRM]
    clock.sleep(1.0)
    buttons.press(Button.CONFIRM)
    # The picture is read meanwhile.
    clock.sleep(1.0)
    controls.on_event(_asked(8))
    buttons.press(Button.ADVANCE)
    assert [press.button for press in controls.presses()] == [Button.ADVANCE]
    clock.sleep(1.0)
    buttons.press(Button.CONFIRM)
    controls.on_event(_asked(8, choice=1))
    clock.sleep(1.0)
    controls.on_event(_asked(8, choice=0))
    assert [press.button for press in controls.presses()] == [Button.CONFIRM], "the same question, another answer shown"
    controls.close()


def test_who_confirms_before_a_question_can_have_been_read_has_not_answered_it() -> None:
    clock, refused = SimulatedClock(10.0), []
    buttons = SimulatedControls(clock)
    controls = AfterAsking(buttons, clock.now, lambda: refused.append(clock.now()))
    controls.on_event(_asked(8))
    clock.sleep(0.8 * READING_S)
    buttons.press(Button.CONFIRM)
    buttons.press(Button.ADVANCE)
    assert [press.button for press in controls.presses()] == [Button.ADVANCE], "nothing is taken by it"
    assert refused == [clock.now()]
    controls.on_event(_asked(8, choice=1))
    clock.sleep(0.2 * READING_S)
    buttons.press(Button.CONFIRM)
    assert [press.button for press in controls.presses()] == [Button.CONFIRM], "whichever answer is shown"
    assert len(refused) == 1


def test_a_choice_that_the_game_puts_may_be_answered_at_once() -> None:
    clock = SimulatedClock(10.0)
    buttons = SimulatedControls(clock)
    controls = AfterAsking(buttons, clock.now, lambda: pytest.fail("it counts"), lambda question: question == "?")
    controls.on_event(_asked(8))
    buttons.press(Button.CONFIRM)
    assert [press.button for press in controls.presses()] == [Button.CONFIRM]
