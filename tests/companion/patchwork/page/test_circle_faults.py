from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import said
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus
from companion.patchwork.page.snapshot import NO_FAULTS, faults_after
from companion.play import events
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from companion.patchwork.codec import Event
    from companion.patchwork.page.snapshot import Faults

SHUFFLED, ASTRAY = said("The circle was pushed about."), said("The neutral token stands elsewhere.")
BOTH = {CircleFault.ORDER: SHUFFLED, CircleFault.TOKEN: ASTRAY}
STATE = History(Setup()).state


def after(event: Event) -> Faults:
    return faults_after(BOTH, event)


def test_a_notice_adds_a_fault_and_takes_it_away() -> None:
    told = events.TableNoticed(ASTRAY, STATE, CircleFaultStatus(CircleFault.TOKEN, ASTRAY))
    assert faults_after(NO_FAULTS, told) == {CircleFault.TOKEN: ASTRAY}
    mended = events.TableNoticed("", STATE, CircleFaultStatus(CircleFault.ORDER, None))
    assert after(mended) == {CircleFault.TOKEN: ASTRAY}


def test_other_notices_change_nothing() -> None:
    assert after(events.TableNoticed("The board has moved.", STATE)) == BOTH


def test_a_decision_sends_the_token_elsewhere_and_leaves_the_order() -> None:
    assert after(events.DecisionTaken(Advance(1), (), STATE)) == {CircleFault.ORDER: SHUFFLED}
    assert after(events.DecisionUndone(Advance(1), STATE)) == {CircleFault.ORDER: SHUFFLED}


def test_with_the_game_all_is_forgotten() -> None:
    history, _ = played(999)
    assert after(events.DecisionTaken(history.decisions[-1], (), history.state)) == {}
    assert after(events.GameOpened(1, STATE)) == {}
