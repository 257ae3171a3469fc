from __future__ import annotations

from hardware.ports import Button, Press
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.controls import SimulatedControls


def test_a_press_carries_the_simulated_time() -> None:
    clock = SimulatedClock()
    controls = SimulatedControls(clock)
    clock.sleep(1.25)
    controls.press(Button.UNDO)
    assert controls.presses() == (Press(Button.UNDO, 1.25),)


def test_every_one_of_rapid_presses_arrives() -> None:
    controls = SimulatedControls(SimulatedClock())
    for _ in range(5):
        controls.press(Button.ADVANCE)
    assert len(controls.presses()) == 5


def test_disconnected_buttons_do_nothing() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.close()
    controls.press(Button.CONFIRM)
    assert controls.presses() == ()
