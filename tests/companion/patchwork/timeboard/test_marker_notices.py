from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork.decisions import Advance
from companion.patchwork.timeboard import NONE_WRONG, MarkerStatus, wrong_after
from companion.play import events
from tests.companion.patchwork.timeboard.boards import new_history
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.patchwork.codec import Event

BOTH = {1: 4, 2: 9}
STATE = new_history().state


def after(event: Event) -> Mapping[int, int]:
    return wrong_after(BOTH, event)


def test_a_notice_adds_a_marker_and_takes_it_away() -> None:
    assert wrong_after(NONE_WRONG, events.TableNoticed("", STATE, MarkerStatus(2, 9))) == {2: 9}
    assert after(events.TableNoticed("", STATE, MarkerStatus(2, None))) == {1: 4}
    assert after(events.TableNoticed("", STATE, MarkerStatus(2, 0))) == {1: 4, 2: 0}


def test_other_notices_change_nothing() -> None:
    assert after(events.TableNoticed("The board has moved.", STATE)) == BOTH
    assert after(events.NothingToUndo(STATE)) == BOTH


def test_a_decision_sends_its_own_marker_elsewhere() -> None:
    assert after(events.DecisionTaken(Advance(1), (), STATE)) == {2: 9}
    assert after(events.DecisionUndone(Advance(2), STATE)) == {1: 4}


def test_with_the_game_all_is_forgotten() -> None:
    history, _ = played(999)
    assert after(events.DecisionTaken(history.decisions[-1], (), history.state)) == {}
    assert after(events.GameOpened(1, STATE)) == {}
