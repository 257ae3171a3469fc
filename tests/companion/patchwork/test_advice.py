"""Test hints at the best decision."""

from companion.games.patchwork.cells import names_of
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.state import State
from companion.games.strategy import Judged
from companion.patchwork.advice import COACH, DEPTHS, hint
from companion.patchwork.naming import patch_name
from tests.companion.games.patchwork.strategy.test_search import after


def says(state: State, decision: Decision) -> list[str]:
    """Return the hints at a decision, from the nudge on."""
    return [str(hint(state, decision, depth)) for depth in range(1, DEPTHS + 1)]


def test_a_hint_tells_first_neither_patch_nor_place_then_the_patch_then_both() -> None:
    for made in range(0, 30, 3):
        state = after(made)
        for decision in [*legal_decisions(state)][::40]:
            if isinstance(decision, TakePatch):
                name, cells = str(patch_name(decision.patch)), " ".join(names_of(decision.cells))
                found = [(name in each, cells in each) for each in says(state, decision)]
                assert found == [(False, False), (True, False), (True, True)]


def test_leather_is_hinted_at_without_its_square() -> None:
    state = next(each for each in map(after, range(60)) if each.leather_due)
    decision = legal_decisions(state)[0]
    assert isinstance(decision, PlaceLeather)
    nudge, again, place = says(state, decision)
    assert nudge == again
    assert " ".join(names_of(decision.cells)) in place


def test_to_advance_is_named_at_the_second_hint() -> None:
    state = after(6)
    nudge, name, _ = says(state, Advance(state.mover))
    assert "dvance" not in nudge
    assert "dvance" in name


def test_to_advance_is_not_praised_for_a_quilt_that_it_leaves_alone() -> None:
    state = after(0)
    for decision in [*legal_decisions(state)][:-1:40]:
        assert "ragged" not in str(COACH.explain(Judged(decision, Advance(state.mover), 0.3, 0.5), state))
