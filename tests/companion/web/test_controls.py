from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.play.events import Asked, DecisionUndone, LookStarted
from companion.play.inbox import NOTHING_ASKED, CommandRefusedError, TableAwayError
from companion.web.controls import PageControls
from hardware.ports import Button, Press
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from companion.play.events import Event


def _undone() -> Event:
    history, _ = played(1)
    return DecisionUndone(history.undo(), history.state)


def test_presses_come_once_in_order_at_the_time_of_the_latest_frame() -> None:
    controls = PageControls()
    controls.tick(3.5)
    controls.press(Button.CONFIRM)
    controls.press(Button.UNDO)
    assert controls.presses() == (Press(Button.CONFIRM, 3.5), Press(Button.UNDO, 3.5))
    assert controls.presses() == ()


def test_confirm_waits_for_the_piece_that_is_still_in_a_hand_and_undo_does_not() -> None:
    on_the_way = [True]
    controls = PageControls(lambda: on_the_way[0])
    controls.press(Button.UNDO)
    assert controls.presses() == (Press(Button.UNDO, 0.0),)
    controls.press(Button.CONFIRM)
    assert controls.presses() == ()
    on_the_way[0] = False
    controls.tick(2.0)
    assert controls.presses() == (Press(Button.CONFIRM, 2.0),)


def test_whoever_pressed_learns_what_was_announced_from_then_on() -> None:
    controls, undone = PageControls(), _undone()
    controls(LookStarted(played(0)[0].state))
    outcome = controls.press(Button.UNDO)
    controls(LookStarted(played(0)[0].state))
    controls.presses()
    controls(undone)
    assert not outcome.done()
    controls.tick(1.0)
    assert outcome.result(timeout=0) == (undone,)
    late = controls.press(Button.UNDO)
    controls.presses()
    controls.tick(2.0)
    assert late.result(timeout=0) == ()


def test_a_press_that_was_made_before_something_else_was_asked_is_refused() -> None:
    state = played(0)[0].state
    controls = PageControls()
    late, unseen, good, unsaid = (controls.press(Button.CONFIRM, number) for number in (7, NOTHING_ASKED, 8, None))
    controls(Asked("?", 0, state, number=8))
    assert len(controls.presses()) == 2
    for refused in (late, unseen):
        with pytest.raises(CommandRefusedError, match="question has changed"):
            refused.result(timeout=0)
    controls.tick(1.0)
    assert good.result(timeout=0) == unsaid.result(timeout=0) == ()


def test_a_press_that_was_given_up_never_happened() -> None:
    controls = PageControls()
    assert controls.press(Button.UNDO).cancel()
    assert controls.presses() == ()


def test_only_so_many_presses_wait() -> None:
    controls = PageControls()
    outcomes = [controls.press(Button.UNDO) for _ in range(17)]
    with pytest.raises(TableAwayError, match="busy"):
        outcomes[-1].result(timeout=0)
    assert len(controls.presses()) == 16


def test_once_closed_nobody_waits_for_ever() -> None:
    controls = PageControls()
    fetched = controls.press(Button.CONFIRM)
    controls.presses()
    waiting = controls.press(Button.UNDO)
    controls.close()
    controls.close()
    assert fetched.result(timeout=0) == ()
    for outcome in (waiting, controls.press(Button.UNDO)):
        with pytest.raises(TableAwayError, match="Play has ended"):
            outcome.result(timeout=0)
    assert controls.presses() == ()
