from __future__ import annotations

from companion.games.patchwork import Advance, History, Setup
from companion.patchwork.words import turn_sentence
from companion.play import events
from companion.play.devices import SeatedControls, TurnLamps
from hardware.ports import Button, Press
from hardware.simulated.devices import SimulatedClock, SimulatedControls


def test_only_the_seat_to_move_is_heard_and_anybody_may_undo() -> None:
    inner, said = SimulatedControls(SimulatedClock()), list[str]()
    history = History(Setup(players=("Anna", "Boris")))
    controls = SeatedControls(inner, history, turn_sentence, said.append)
    for seat in (1, 2, None):
        for button in Button:
            inner.press(button, seat)
    heard = [(press.button, press.seat) for press in controls.presses()]
    everybody = [(button, seat) for seat in (1, None) for button in Button]
    assert sorted(heard, key=str) == sorted([*everybody, (Button.UNDO, 2)], key=str)
    assert said == ["It is Anna’s turn."] * 2
    history.apply(Advance(1))
    inner.press(Button.ADVANCE, 2)
    assert list(controls.presses()) == [Press(Button.ADVANCE, 0.0, seat=2)]
    controls.close()
    inner.press(Button.ADVANCE, 2)
    assert list(controls.presses()) == []


def test_lamps_follow_the_turn_and_are_dark_while_the_camera_looks() -> None:
    lit: list[tuple[int, ...]] = []

    class Lamps:
        def light(self, seats: object) -> None:
            assert isinstance(seats, tuple)
            lit.append(seats)

    history, lamps = History(Setup(players=("Anna", "Boris"))), TurnLamps(Lamps())
    lamps(events.GameOpened(1, history.state))
    lamps(events.TableNoticed("A chair creaks.", history.state))
    lamps(events.LookStarted(history.state))
    lamps(events.LookCalledOff(history.state))
    outcome = history.apply(Advance(1))
    lamps(events.DecisionTaken(Advance(1), outcome.facts, outcome.state))
    assert lit == [(1,), (), (1,), (2,)]
