"""Going on and going back."""

import pytest

from companion.games.patchwork import (
    Advance,
    History,
    IllegalDecisionError,
    NothingToUndoError,
    Setup,
    TakePatch,
    new_game,
)


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
