"""Test applying and undoing decisions."""

import pytest

from companion.games.history import NothingToUndoError
from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup


def test_a_history_begins_at_the_start() -> None:
    setup = Setup(first_seat=2)
    history = History(setup)
    assert (history.setup, history.state, history.decisions) == (setup, new_game(setup), ())


def test_going_back_beyond_the_start() -> None:
    with pytest.raises(NothingToUndoError):
        History(Setup()).undo()


def test_an_illegal_decision_leaves_the_history_as_it_is() -> None:
    history = History(Setup())
    history.apply(Advance(1))
    before = (history.state, history.decisions)
    with pytest.raises(IllegalDecisionError):
        history.apply(Advance(1))
    assert (history.state, history.decisions) == before


def test_after_an_undo_the_game_may_go_another_way() -> None:
    history = History(Setup())
    history.apply(Advance(1))
    assert history.undo() == Advance(1)
    history.apply(TakePatch(1, "domino", 0b11))
    assert history.decisions == (TakePatch(1, "domino", 0b11),)
    assert history.state.seat(1).quilt == 0b11
    assert history.state.decisions_made == 1


CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def test_a_circle_is_learnt_while_the_game_goes_on() -> None:
    learning, knowing = History(Setup()), History(Setup(market=CIRCLE))
    for decision in (Advance(1), TakePatch(2, CIRCLE[2], placements(CIRCLE[2])[0])):
        learning.apply(decision)
        knowing.apply(decision)
    learning.know_market(CIRCLE)
    assert (learning.state, learning.setup, learning.decisions) == (knowing.state, knowing.setup, knowing.decisions)
    learning.undo()
    knowing.undo()
    assert learning.state == knowing.state


def test_a_circle_that_was_learnt_may_be_forgotten() -> None:
    history, unknown = History(Setup(market=CIRCLE)), History(Setup())
    for game in (history, unknown):
        game.apply(TakePatch(1, CIRCLE[2], placements(CIRCLE[2])[0]))
    assert history.with_market(None).state == unknown.state
    assert history.setup.market == CIRCLE
    history.know_market(None)
    assert (history.state, history.setup) == (unknown.state, unknown.setup)


def test_a_circle_that_does_not_agree_with_what_was_decided_is_not_learnt() -> None:
    history = History(Setup())
    history.apply(TakePatch(1, CIRCLE[5], placements(CIRCLE[5])[0]))
    before = (history.state, history.decisions)
    with pytest.raises(IllegalDecisionError) as refused:
        history.know_market(CIRCLE)
    assert (refused.value.reason, refused.value.patch) == (IllegalReason.NOT_OFFERED, CIRCLE[5])
    assert (history.state, history.decisions) == before
