"""Test explaining two looks at a sheet: the legal decisions between them, or what no order of play explains."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.kvilt.decisions import (
    ColourCell,
    ColourPatch,
    ColourThread,
    Decision,
    Decline,
    Done,
    Fetch,
    PencilSource,
    Swap,
)
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError
from companion.games.kvilt.explaining import BAG_TASKS, explain, is_draw
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import History, apply, new_game
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import Phase, Settings, Setup, State
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

Made = Callable[..., State]
Makes = Callable[..., Marks]
Case = tuple[State, int, dict[str, str]]


def look(state: State, **new: str) -> dict[str, str | None]:
    """Return the marks of seat 1 with further ones; names as "r1c1_picture"."""
    marks = state.seat(1).marks.regions(state.setup.sheet)
    return {**marks, **{name.replace("_", "."): colour for name, colour in new.items()}}


def colourings(setup: Setup, seed: int) -> list[Case]:
    """Return, for a whole game, the state before each colouring by a seat and what its sheet shows afterwards."""
    game, again, cases = play_game(setup, random.Random(seed)), History(setup), []
    begun: dict[int, State] = {}
    for decision in game.decisions:
        if again.state.phase is Phase.COLOURING:
            begun.setdefault(decision.seat, again.state)
        before = again.state
        again.apply(decision)
        if isinstance(decision, Done):
            seen = before.seat(decision.seat).marks.regions(setup.sheet)
            cases.append((begun.pop(decision.seat), decision.seat, seen))
    return cases


@pytest.mark.parametrize("seed", range(4))
def test_every_colouring_of_simulated_players_is_explained(seed: int) -> None:
    switches = Settings(*[bool(seed >> bit & 1) for bit in (0, 0, 1, 0, 1, 1)])
    setup = own_setup(tuple("ABCD"[: 2 + seed % 3]), settings=Settings() if seed < 2 else switches)
    cases = colourings(setup, seed)
    assert len(cases) > 12
    for state, seat, seen in cases:
        found = explain(state, seat, seen)
        assert found
        after = state
        for decision in found.decisions:
            after = apply(after, decision).state
        assert after.seat(seat).marks.regions(setup.sheet) == seen
        assert Done(seat) in legal_decisions(after)


@pytest.mark.parametrize(
    ("seed", "spools"), [(8, ("spool3.body", "spool4.body")), (10, ("spool6.body", "spool7.body"))]
)
def test_two_spools_of_one_turn_are_booked_in_their_colours_or_in_others(seed: int, spools: tuple[str, str]) -> None:
    """Any colour is legal; the pencil's colour determines which cell opened which spool."""
    turns = [case for case in colourings(own_setup(("a", "b")), seed) if set(spools) <= case[2].keys()]
    state, seat, seen = next(case for case in turns if len({case[2][spool] for spool in spools}) == 2)
    found = explain(state, seat, seen)
    assert played(state, found.decisions).seat(seat).marks.regions(state.setup.sheet) == seen
    neither = next(colour for colour in state.setup.sheet.colours if colour not in {seen[spool] for spool in spools})
    other = explain(state, seat, {**seen, **dict.fromkeys(spools, neither)})
    assert other
    assert played(state, other.decisions).seat(seat).marks.regions(state.setup.sheet).keys() == seen.keys()


def parts(setup: Setup, seed: int) -> list[tuple[State, int, tuple[Decision, ...]]]:
    """Return, for a whole game, the state before each colouring by a seat and the decisions in it."""
    game, again, found = play_game(setup, random.Random(seed)), History(setup), []
    begun: dict[int, tuple[State, list[Decision]]] = {}
    for decision in game.decisions:
        if again.state.phase is Phase.COLOURING and not isinstance(decision, Done):
            begun.setdefault(decision.seat, (again.state, []))[1].append(decision)
        elif decision.seat in begun:
            state, made = begun.pop(decision.seat)
            found.append((state, decision.seat, tuple(made)))
        again.apply(decision)
    return found


def played(state: State, decisions: tuple[Decision, ...]) -> State:
    for decision in decisions:
        state = apply(state, decision).state
    return state


def test_draws_that_were_reported_are_kept_to() -> None:
    drew = 0
    for state, seat, made in [part for seed in range(3) for part in parts(own_setup(tuple("ABCD"[: 2 + seed])), seed)]:
        draws = tuple(it for it in made if isinstance(it, Swap | Fetch) and is_draw(it))
        seen = played(state, made).seat(seat).marks.regions(state.setup.sheet)
        found = explain(state, seat, seen, draws=draws)
        assert found
        assert tuple(it for it in found.decisions if is_draw(it)) == draws
        assert played(state, found.decisions).seat(seat).marks.regions(state.setup.sheet).keys() == seen.keys()
        drew += len(draws)
    assert drew > 3


@pytest.mark.parametrize("seed", range(3))
def test_a_stop_for_the_bag_is_explained_up_to_the_draw_that_is_due(seed: int) -> None:
    for state, seat, made in parts(own_setup(tuple("ABCD"[: 2 + seed])), seed):
        places = [place for place, it in enumerate(made) if is_draw(it)]
        for number, place in enumerate(places):
            before = played(state, made[:place])
            seen = before.seat(seat).marks.regions(state.setup.sheet)
            draws = tuple(it for it in made[:place] if isinstance(it, Swap | Fetch) and is_draw(it))
            found = explain(state, seat, seen, draws=draws, wants_bag=True)
            assert found, (number, place)
            after = played(state, found.decisions)
            assert after.seat(seat).marks.regions(state.setup.sheet).keys() == seen.keys()
            task = after.seat(seat).task
            assert task is not None
            assert task.kind in BAG_TASKS


def test_a_pencil_out_of_the_bag_must_have_been_reported(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("red", 1)}), ["red", "blue"])
    seen = look(state, r4c2_picture="red", p7="green")
    assert explain(state, 1, seen)
    found = explain(state, 1, seen, draws=())
    assert found.unexplained == ("p7",)
    swap = Swap(1, ("blue",), ("green",))
    assert swap in explain(state, 1, seen, draws=(swap,)).decisions


@pytest.mark.parametrize(
    ("decision", "draws"),
    [
        (Swap(1, ("blue",), ("green",)), True),
        (Fetch(1, PencilSource.BAG, "green"), True),
        (Fetch(1, PencilSource.NEUTRAL, "green"), False),
        (ColourThread(1, "green"), False),
    ],
)
def test_only_what_takes_pencils_out_of_the_bag_is_a_draw(decision: Decision, draws: bool) -> None:
    assert is_draw(decision) is draws


def test_a_pencil_of_the_neutral_cushion_is_not_the_draw_that_was_reported(colouring: Made, marks: Makes) -> None:
    state = colouring(marks(parts={"e3a": 2}), ["red"])
    # Only the yellow pencil of the neutral pincushion explains the last mark, and only one pencil was due.
    seen = look(state, r1c1_picture="red", e3a_3="red", r5c1_picture="yellow")
    assert explain(state, 1, seen, draws=())
    found = explain(state, 1, seen, draws=(Fetch(1, PencilSource.BAG, "violet"),))
    assert (found.complete, found.unexplained) == (False, ())


def test_a_colouring_that_does_not_end_as_reported_is_incomplete(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("red", 1)}), ["red", "blue"])
    swap = Swap(1, ("blue",), ("green",))
    plain, swapping = look(state, p7="blue"), look(state, r4c2_picture="red")
    assert explain(state, 1, swapping, draws=(), wants_bag=True)
    for found in (
        explain(state, 1, plain, draws=(), wants_bag=True),
        explain(state, 1, plain, draws=(swap,)),
    ):
        assert not found
        assert (found.complete, found.unexplained, found.errors) == (False, (), ())
        assert found.decisions == (ColourPatch(1, "blue", "p7"),)


def test_marks_that_came_before_what_the_bag_is_wanted_for_are_named(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("red", 1)}), ["red", "blue"])
    # Either the exchange was declined, or there was nothing left to exchange.
    found = explain(state, 1, look(state, r4c2_picture="red", p7="blue"), draws=(), wants_bag=True)
    assert (found.complete, found.unexplained, found.errors, found.early) == (False, (), (), ("p7",))
    assert explain(state, 1, look(state, r4c2_picture="red"), draws=(), wants_bag=True).early == ()
    assert explain(state, 1, look(state, r4c2_picture="red", p7="blue")).early == ()


def test_a_bonus_that_left_no_mark_is_declined_if_the_marks_do_not_end_at_the_bag(
    colouring: Made, marks: Makes
) -> None:
    state = colouring(marks({4: ("red", 1)}), ["red", "blue"])
    seen = look(state, r4c2_picture="red")
    assert explain(state, 1, seen, draws=(), wants_bag=True).decisions == (ColourCell(1, "red", 4),)
    found = explain(state, 1, {**seen, "spool1.thread": "violet"}, draws=(), wants_bag=True)
    assert found.unexplained == ("spool1.thread",)
    assert found.decisions == (ColourCell(1, "red", 4), Decline(1))


def test_as_few_marks_as_can_be_are_named_that_came_before_the_bag_was_due(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("red", 1)}), ["red", "blue", "green"])
    # With red first the bag is due before both patches, with one of them before it only before the other.
    found = explain(state, 1, look(state, r4c2_picture="red", p7="blue", p5="green"), draws=(), wants_bag=True)
    assert (found.complete, found.errors) == (False, ())
    assert found.early in (("p5",), ("p7",))


def test_the_order_is_found_that_makes_the_marks_legal(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 3)}), ["red", "blue"])
    found = explain(state, 1, look(state, r1c4_picture="red", p5="blue"))
    assert found.decisions == (ColourPatch(1, "blue", "p5"), ColourCell(1, "red", 1))


def test_nothing_new_is_explained_by_nothing(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 3)}), ["red", "blue"])
    found = explain(state, 1, look(state))
    assert found
    assert found.decisions == ()


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"r2c1_picture": "violet"}, FaultCode.NO_PENCIL),
        ({"spool1_thread": "violet"}, FaultCode.NO_PENCIL),
        ({"p3": "blue"}, FaultCode.PATCH_LATE),
        ({"p7": "violet"}, FaultCode.NO_PENCIL),
        ({"r1c5_picture": "red"}, FaultCode.ORDER),
        ({"r2c1_picture": "red"}, FaultCode.COLOUR_TAKEN),
        ({"r1c4_picture": "blue"}, FaultCode.ROW_COLOUR),
        ({"r1c3_background": "red"}, FaultCode.BACKGROUND),
        ({"e5_1": "red"}, FaultCode.STITCH),
        ({"spool3_body": "red"}, FaultCode.UNLOCK),
        ({"spool1_thread": "red", "spool2_thread": "blue", "spool3_thread": "red"}, FaultCode.LOCKED),
    ],
    ids=str,
)
def test_a_mark_that_no_order_explains_is_named_with_its_code(
    colouring: Made, marks: Makes, new: dict[str, str], code: FaultCode
) -> None:
    state = colouring(marks({1: ("red", 3)}), ["red", "blue"])
    found = explain(state, 1, look(state, **new))
    assert not found
    assert [fault.code for fault in found.errors] == [code]
    assert set(found.unexplained) <= {name.replace("_", ".") for name in new}


def test_only_a_patch_is_late(colouring: Made, marks: Makes) -> None:
    # Every patch's column has a coloured cell; what else is wrong has nothing to do with it.
    state = colouring(marks({1: ("red", 5)}), ["red", "blue"])
    assert [fault.code for fault in explain(state, 1, look(state, p7="blue")).errors] == [FaultCode.PATCH_LATE]
    found = explain(state, 1, look(state, r1c3_background="red"))
    assert [fault.code for fault in found.errors] == [FaultCode.BACKGROUND]


def test_only_the_marks_left_over_are_at_fault(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 3)}), ["red", "blue"])
    found = explain(state, 1, look(state, r1c4_picture="red", r2c1_picture="blue", spool1_thread="green"))
    assert found.unexplained == ("spool1.thread",)
    assert {type(decision) for decision in found.decisions} == {ColourCell}
    assert len(found.decisions) == 2


def test_a_background_is_known_by_the_bonus_colour_or_by_the_embroidery(colouring: Made, marks: Makes) -> None:
    state = colouring(marks(), ["green", "red"])
    assert explain(state, 1, look(state, r2c1_picture="green", r2c1_background="green"))
    assert explain(state, 1, look(state, r2c1_picture="green"))
    bad = explain(state, 1, look(state, r2c1_picture="red", r2c1_background="red"))
    assert bad.unexplained == ("r2c1.background",)
    stitched = colouring(marks(parts={"e2a": 1}), ["red", "blue"])
    new = {"r4c1_picture": "blue", "r4c1_background": "blue", "r1c1_picture": "red", "e2a_2": "red"}
    found = explain(stitched, 1, look(stitched, **new))
    assert found
    assert [getattr(decision, "row", None) for decision in found.decisions[:2]] == [4, 1]


@pytest.mark.parametrize(
    ("pencil", "all_backgrounds", "background"),
    [("green", False, False), ("green", True, False), ("red", True, False), ("red", False, None)],
)
def test_a_background_that_might_have_been_coloured_is_booked_as_left_white(
    colouring: Made, pencil: str, all_backgrounds: bool, background: bool | None
) -> None:
    """The bonus colour is green. Without this the background would be booked as coloured."""
    state = colouring(hand=[pencil], all_backgrounds=all_backgrounds)
    seen = look(state, r2c1_picture=pencil)
    found = explain(state, 1, seen)
    assert found.decisions == (ColourCell(1, pencil, 2, background=background),)
    assert played(state, found.decisions).seat(1).marks.regions(state.setup.sheet) == seen


def test_a_blind_pencil_may_have_been_any_in_the_bag(colouring: Made, marks: Makes) -> None:
    state = colouring(marks(parts={"e3a": 2}), ["red"], bag={"violet": 1, "brown": 1, "yellow": 1})
    new = {"r1c1_picture": "red", "e3a_3": "red"}
    assert explain(state, 1, look(state, **new, r5c1_picture="violet"))
    assert explain(state, 1, look(state, **new, r5c1_picture="green")).unexplained == ("r5c1.picture",)


def test_an_unreported_exchange_is_inferred(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("violet", 1)}), ["violet", "red"])
    found = explain(state, 1, look(state, r4c2_picture="violet", r3c1_picture="brown"))
    assert found
    assert any(getattr(decision, "drawn", None) == ("brown",) for decision in found.decisions)


def test_an_erased_mark_is_reported(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 2)}), ["red"])
    seen = look(state)
    del seen["r1c2.picture"]
    found = explain(state, 1, seen)
    assert [(fault.code, fault.regions) for fault in found.errors] == [(FaultCode.ERASED, ("r1c2.picture",))]


def test_only_who_may_colour_is_explained(colouring: Made) -> None:
    state = colouring(hand=["red"])
    with pytest.raises(IllegalDecisionError, match="turn"):
        explain(state, 2, {})
    with pytest.raises(IllegalDecisionError, match="phase"):
        explain(new_game(own_setup()), 1, {})


def test_many_marks_that_fit_nothing_are_given_up_in_time(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 1), 2: ("yellow", 1)}), ["red", "yellow", "green"])
    new = {f"r{row}c{cell}_picture": "blue" for row in (3, 4, 5) for cell in (1, 2, 3, 4)}
    more = {"r1c2_picture": "red", "r2c2_picture": "yellow", "e5_1": "yellow", "spool1_thread": "green"}
    found = explain(state, 1, look(state, **new, **more))
    assert not found
    assert "spool1.thread" not in found.unexplained
    decisions: tuple[Decision, ...] = found.decisions
    for decision in decisions:
        state = apply(state, decision).state
    assert {"r1c2.picture", "r2c2.picture", "e5.1"} <= set(state.seat(1).marks.regions(state.setup.sheet))


@pytest.mark.parametrize(("most", "unexplained"), [(2, ("p5",)), (3, ())])
def test_a_search_ends_after_its_steps(
    colouring: Made, marks: Makes, monkeypatch: pytest.MonkeyPatch, most: int, unexplained: tuple[str, ...]
) -> None:
    """The cell comes first and makes the patch late; the third step, the patch first, leads to the end."""
    monkeypatch.setattr("companion.games.kvilt.explaining._MOST_STEPS", most)
    state = colouring(marks({1: ("red", 3)}), ["red", "blue"])
    found = explain(state, 1, look(state, r1c4_picture="red", p5="blue"))
    assert found.unexplained == unexplained
    assert len(found.decisions) == 2 - len(unexplained)
