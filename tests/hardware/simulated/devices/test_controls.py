from __future__ import annotations

from hardware.ports import Button, Press
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.devices.controls import SimulatedControls


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


def test_buttons_whose_wires_are_cut_press_nothing() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.unplug()
    controls.press(Button.UNDO)
    controls.plug_in()
    controls.press(Button.CONFIRM, 2)
    assert list(controls.presses()) == [Press(Button.CONFIRM, 0.0, seat=2)]


def test_a_stuck_button_is_told_once_and_presses_nothing_until_it_is_free() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.stick(Button.UNDO)
    controls.stick(Button.UNDO)
    controls.press(Button.UNDO)
    assert controls.presses() == ()
    (says,) = controls.notices()
    assert says.startswith("The undo button has been down for a long time")
    assert controls.notices() == ()
    controls.free(Button.UNDO)
    controls.press(Button.UNDO)
    assert len(controls.presses()) == 1


def test_a_storm_of_presses_arrives_whole_two_at_once_among_them() -> None:
    controls = SimulatedControls(SimulatedClock())
    controls.storm([Button.CONFIRM, Button.UNDO, Button.CONFIRM])
    assert [press.button for press in controls.presses()] == [Button.CONFIRM, Button.UNDO, Button.CONFIRM]
