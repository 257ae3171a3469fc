from __future__ import annotations

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.play import events
from companion.play.devices import TurnLamps
from tests.companion.announcing import Announcer


def test_lamps_follow_the_turn_and_are_dark_while_the_camera_looks() -> None:
    lit: list[tuple[int, ...]] = []

    class Lamps:
        def light(self, seats: object) -> None:
            assert isinstance(seats, tuple)
            lit.append(seats)

    history, lamps = History(Setup(players=("Anna", "Boris"))), Announcer(TurnLamps(Lamps()))
    lamps(events.GameOpened(1, history.state))
    lamps(events.TableNoticed("A chair creaks.", history.state))
    lamps(events.LookStarted(history.state))
    lamps(events.TableNoticed("A board has moved.", history.state))
    lamps(events.LookCalledOff(history.state))
    outcome = history.apply(Advance(1))
    lamps(events.DecisionTaken(Advance(1), outcome.facts, outcome.state))
    assert lit == [(1,), (), (1,), (2,)]
