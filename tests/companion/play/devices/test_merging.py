from __future__ import annotations

from companion.play.devices import MergedControls
from hardware.ports import Button, Press
from hardware.simulated.devices import SimulatedClock, SimulatedControls


def test_presses_of_all_controls_come_once_the_first_controls_before_the_others() -> None:
    table, page = SimulatedControls(SimulatedClock(3.0)), SimulatedControls(SimulatedClock(1.0))
    merged = MergedControls(table, page)
    page.press(Button.UNDO)
    table.press(Button.CONFIRM)
    table.press(Button.ADVANCE)
    assert merged.presses() == (Press(Button.CONFIRM, 3.0), Press(Button.ADVANCE, 3.0), Press(Button.UNDO, 1.0))
    assert merged.presses() == ()


def test_they_are_closed_together() -> None:
    each = SimulatedControls(SimulatedClock()), SimulatedControls(SimulatedClock())
    MergedControls(*each).close()
    for controls in each:
        controls.press(Button.CONFIRM)
        assert controls.presses() == ()
