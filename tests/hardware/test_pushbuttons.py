from __future__ import annotations

import pytest

from hardware.drivers.gpio import Wiring
from hardware.ports import Button, Press
from hardware.pushbuttons import STUCK_S, Contact, PushButton


@pytest.fixture
def complaints() -> list[str]:
    return []


def button(complaints: list[str], when_held: Button | None = None, seat: int | None = None) -> PushButton:
    wiring = Wiring(Button.CONFIRM, 17, seat=seat, when_held=when_held)
    return PushButton(wiring, Contact(0.05, 1.0), complaints.append)


def test_a_press_carries_its_seat_and_does_not_wait_for_the_release(complaints: list[str]) -> None:
    pressed = button(complaints, seat=2)
    pressed.contact.edge(True, 1.0)
    assert pressed.presses(1.1) == [Press(Button.CONFIRM, 1.0, seat=2)]
    pressed.contact.edge(False, 3.0)
    assert pressed.presses(4.0) == []
    assert complaints == []


def test_a_short_press_counts_at_its_release_if_holding_has_a_meaning(complaints: list[str]) -> None:
    pressed = button(complaints, when_held=Button.UNDO)
    pressed.contact.edge(True, 1.0)
    assert pressed.presses(1.5) == []
    pressed.contact.edge(False, 1.6)
    assert pressed.presses(1.7) == [Press(Button.CONFIRM, 1.6)]


def test_a_long_press_counts_as_soon_as_it_is_long_and_no_short_one_follows(complaints: list[str]) -> None:
    pressed = button(complaints, when_held=Button.UNDO)
    pressed.contact.edge(True, 1.0)
    assert pressed.presses(2.1) == [Press(Button.UNDO, 2.0)]
    pressed.contact.edge(False, 2.5)
    assert pressed.presses(3.0) == []
    pressed.contact.edge(True, 4.0)
    pressed.contact.edge(False, 4.2)
    assert pressed.presses(5.0) == [Press(Button.CONFIRM, 4.2)]


def test_a_button_that_was_down_at_the_start_means_nothing_when_it_is_let_go(complaints: list[str]) -> None:
    contact = Contact(0.05, 1.0, closed=True)
    pressed = PushButton(Wiring(Button.CONFIRM, 17, when_held=Button.UNDO), contact, complaints.append)
    assert pressed.presses(2.0) == []
    contact.edge(False, 3.0)
    assert pressed.presses(4.0) == []


def test_a_stuck_button_is_named_once_and_when_it_is_free_again(complaints: list[str]) -> None:
    pressed = button(complaints, seat=1)
    pressed.contact.edge(True, 0.0)
    pressed.presses(STUCK_S + 1)
    pressed.presses(STUCK_S + 9)
    assert complaints == [
        "The confirm button of seat 1 (GPIO17) has been down for a long time: remove anything lying on it, or check "
        "its wires."
    ]
    pressed.contact.edge(False, STUCK_S + 10)
    pressed.presses(STUCK_S + 11)
    assert complaints[1:] == ["The confirm button of seat 1 (GPIO17) is free again."]
