from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.ports import Button

if TYPE_CHECKING:
    from tests.contracts.conftest import PressedControls


def test_nothing_pressed_nothing_fetched(pressed: PressedControls) -> None:
    assert list(pressed.controls.presses()) == []


def test_presses_come_once_and_in_order(pressed: PressedControls) -> None:
    pressed.press_all()
    fetched = pressed.controls.presses()
    assert [press.button for press in fetched] == [Button.CONFIRM, Button.ADVANCE, Button.UNDO]
    assert [press.t_s for press in fetched] == sorted(press.t_s for press in fetched)
    assert list(pressed.controls.presses()) == []


def test_after_close_nothing_is_pressed(pressed: PressedControls) -> None:
    pressed.press_all()
    pressed.controls.close()
    pressed.controls.close()
    assert list(pressed.controls.presses()) == []
