"""Phase 3: bonuses depth first, embroideries, exchanges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.kvilt.decisions import (
    ColourBackgrounds,
    ColourCell,
    ColourPatch,
    ColourThread,
    Decision,
    Decline,
    Done,
    Fetch,
    PencilSource,
    Stitch,
    Swap,
)
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError
from companion.games.kvilt.facts import BonusLost, EmbroideryFinished, PencilReturned, SpoolOpened
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import HeldPencil, OwnPencil, Phase, Settings, State, TaskKind
from companion.kvilt.sheets.files import load_sheet

Made = Callable[..., State]
Makes = Callable[..., Marks]


def played(state: State, *decisions: Decision) -> State:
    for decision in decisions:
        state = apply(state, decision).state
    return state


def refused(state: State, decision: Decision) -> FaultCode:
    assert decision not in legal_decisions(state)
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    return caught.value.code


def task_of(state: State) -> TaskKind | None:
    task = state.seat(1).task
    return None if task is None else task.kind


def pencils(state: State) -> int:
    """Return the number of all pencils at the table."""
    seats = sum(len(seat.hand) + len(seat.spent) + len(seat.held) for seat in state.seats)
    return sum(state.bag) + sum(len(cushion.pencils) for cushion in state.cushions) + seats


def test_the_two_part_embroidery_gives_backgrounds_of_this_rounds_cells(colouring: Made, marks: Makes) -> None:
    made = marks({2: ("blue", 1), 5: ("violet", 1)}, parts={"e2a": 1})
    state = colouring(made, ["blue", "red"], round_cells=((2, 1),))
    due = played(state, ColourCell(1, "blue", 2), Stitch(1, "e2a.2"))  # C14
    assert task_of(due) is TaskKind.BACKGROUNDS
    assert refused(due, ColourBackgrounds(1, ((5, 1),))) == FaultCode.BACKGROUND  # C15: from an earlier round
    assert refused(due, ColourBackgrounds(1, ((2, 1), (2, 1)))) == FaultCode.BACKGROUND
    assert refused(due, ColourBackgrounds(1, ())) == FaultCode.BACKGROUND
    one = played(due, ColourBackgrounds(1, ((2, 2),)))
    assert one.seat(1).marks.rows[1].full_cells == (2,)
    both = played(due, ColourBackgrounds(1, ((2, 1), (2, 2))), ColourCell(1, "red", 4))
    assert [row.full for row in both.seat(1).marks.rows] == [0, 3, 0, 0, 0]


def test_a_setting_gives_later_cells_of_the_round_a_background_too(colouring: Made, marks: Makes) -> None:
    settings = Settings(later_backgrounds=True)
    state = colouring(marks({2: ("blue", 1)}, parts={"e2a": 1}), ["blue", "red"], settings=settings)
    after = played(
        state, ColourCell(1, "blue", 2), Stitch(1, "e2a.2"), ColourBackgrounds(1, ((2, 2),)), ColourCell(1, "red", 4)
    )
    assert [row.full_cells for row in after.seat(1).marks.rows] == [(), (2,), (), (1,), ()]


def test_backgrounds_that_are_all_there_leave_nothing_to_decide(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({2: ("blue", 1)}, parts={"e2a": 1}), ["blue"], bonus="blue")
    outcome = apply(apply(state, ColourCell(1, "blue", 2)).state, Stitch(1, "e2a.2"))
    assert EmbroideryFinished(1, "e2a") in outcome.facts
    assert BonusLost(1, TaskKind.BACKGROUNDS) in outcome.facts
    assert task_of(outcome.state) is None


@pytest.fixture
def swapping(colouring: Made, marks: Makes) -> State:
    """A state after seat 1 coloured the swap of row 4; red and blue are unused; the bag has three."""
    state = colouring(marks({4: ("violet", 1)}), ["violet", "red", "blue"], bag={"green": 1, "brown": 1, "yellow": 1})
    return played(state, ColourCell(1, "violet", 4))


def test_exchanged_pencils_go_into_the_bag_after_the_draw(swapping: State) -> None:
    assert task_of(swapping) is TaskKind.SWAP
    assert refused(swapping, Swap(1, ("red", "blue"), ("red", "green"))) == FaultCode.BAG
    after = played(swapping, Swap(1, ("red", "blue"), ("brown", "green")))  # C16
    assert after.seat(1).hand == (OwnPencil("brown", True), OwnPencil("green", True))
    assert after.pencils_in_bag == {"red": 1, "yellow": 1, "green": 0, "blue": 1, "violet": 0, "brown": 0}
    assert pencils(after) == pencils(swapping)


def test_one_or_two_own_unused_pencils_are_exchanged(swapping: State) -> None:
    assert refused(swapping, Swap(1, (), ())) == FaultCode.NO_PENCIL
    assert refused(swapping, Swap(1, ("red",), ("green", "brown"))) == FaultCode.NO_PENCIL
    assert refused(swapping, Swap(1, ("violet",), ("green",))) == FaultCode.NO_PENCIL
    assert refused(swapping, Swap(1, ("red", "red"), ("green", "brown"))) == FaultCode.NO_PENCIL
    assert Swap(1, ("blue",), ("green",)) in tuple(legal_decisions(swapping))


def test_without_an_unused_pencil_the_exchange_is_lost(colouring: Made, marks: Makes) -> None:
    outcome = apply(colouring(marks({4: ("violet", 1)}), ["violet"]), ColourCell(1, "violet", 4))  # C17
    assert outcome.facts[-1] == BonusLost(1, TaskKind.SWAP)
    assert task_of(outcome.state) is None


@pytest.mark.parametrize("again", [False, True])
def test_an_exchanged_pencil_is_exchanged_again_only_by_a_setting(colouring: Made, marks: Makes, again: bool) -> None:
    state = colouring(marks({4: ("violet", 1)}), ["violet"], settings=Settings(swap_again=again))
    side = replace(state.seat(1), hand=(*state.seat(1).hand, OwnPencil("red", True)))
    state = played(replace(state, seats=(side, state.seat(2))), ColourCell(1, "violet", 4))
    assert task_of(state) is (TaskKind.SWAP if again else None)
    if again:
        assert played(state, Swap(1, ("red",), ("blue",))).seat(1).hand == (OwnPencil("blue", True),)


def test_of_two_pencils_of_a_colour_the_exchanged_one_is_used_first(colouring: Made) -> None:
    state = colouring(hand=["red"])
    side = replace(state.seat(1), hand=(OwnPencil("red"), OwnPencil("red", True)))
    after = played(replace(state, seats=(side, state.seat(2))), ColourThread(1, "red"))
    assert after.seat(1).hand == (OwnPencil("red"),)


def test_a_neutral_pencil_goes_back_and_may_be_used_again(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("blue", 5), 5: ("violet", 5)}), ["blue", "violet"])
    due = played(state, ColourCell(1, "blue", 1))
    assert task_of(due) is TaskKind.NEUTRAL
    assert refused(due, ColourThread(1, "green")) == FaultCode.NO_PENCIL
    once = played(due, ColourThread(1, "yellow"))
    assert sorted(once.cushions[2].pencils) == ["red", "yellow", "yellow"]  # C18
    twice = played(once, ColourCell(1, "violet", 5), ColourThread(1, "yellow"))
    assert sorted(twice.cushions[2].pencils) == ["red", "yellow", "yellow"]
    assert twice.seat(1).marks.threads == ("yellow", "yellow")


def test_a_neutral_pencil_is_out_while_its_cells_bonus_is_settled(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("blue", 5), 4: ("red", 4)}), ["blue"])
    due = played(state, ColourCell(1, "blue", 1), ColourCell(1, "red", 4))
    assert task_of(due) is TaskKind.STITCH
    assert due.cushions[2].pencils == ("yellow", "yellow")
    assert due.seat(1).held == (HeldPencil("red", PencilSource.NEUTRAL),)
    back = apply(due, Decline(1))
    assert back.facts == (BonusLost(1, TaskKind.STITCH), PencilReturned(1, PencilSource.NEUTRAL, "red"))
    assert sorted(back.state.cushions[2].pencils) == ["red", "yellow", "yellow"]


def stitching(colouring: Made, marks: Makes, figure: str, parts: int, settings: Settings | None = None) -> State:
    """Return a state in which seat 1 may colour the last part of a figure with its red pencil."""
    bag = {"green": 1, "brown": 1, "yellow": 1}
    state = colouring(marks(parts={figure: parts}), ["red"], bag=bag, settings=settings)
    return played(state, ColourCell(1, "red", 1), Stitch(1, f"{figure}.{parts + 1}"))


def test_five_parts_bring_two_pencils_and_three_parts_one(colouring: Made, marks: Makes) -> None:
    for figure, parts, count in (("e5", 4, 2), ("e3a", 2, 1)):  # T20, T21
        task = stitching(colouring, marks, figure, parts).seat(1).task
        assert task is not None
        assert (task.kind, task.left) == (TaskKind.FETCH, count)


def test_both_pencils_are_taken_first_and_go_back_where_they_came_from(colouring: Made, marks: Makes) -> None:
    state = stitching(colouring, marks, "e5", 4)
    assert refused(state, Fetch(1, PencilSource.BAG, "red")) == FaultCode.BAG
    assert refused(state, Fetch(1, PencilSource.NEUTRAL, "blue")) == FaultCode.NO_PENCIL
    taken = played(state, Fetch(1, PencilSource.NEUTRAL, "yellow"), Fetch(1, PencilSource.BAG, "green"))  # C22
    assert (sum(taken.bag), len(taken.cushions[2].pencils)) == (2, 2)
    assert pencils(taken) == pencils(state)
    one = played(taken, ColourThread(1, "green"))
    assert refused(one, ColourThread(1, "green")) == FaultCode.NO_PENCIL
    both = played(one, ColourPatch(1, "yellow", "p3"))
    assert both.bag == state.bag
    assert sorted(both.cushions[2].pencils) == ["red", "yellow", "yellow"]
    assert task_of(both) is None


def test_a_setting_lets_the_second_pencil_be_taken_after_the_first_is_used(colouring: Made, marks: Makes) -> None:
    state = stitching(colouring, marks, "e5", 4, Settings(take_both_first=False))
    once = played(state, Fetch(1, PencilSource.BAG, "green"), ColourThread(1, "green"))
    assert (task_of(once), once.bag) == (TaskKind.FETCH, state.bag)
    assert task_of(played(once, Fetch(1, PencilSource.BAG, "green"), ColourThread(1, "green"))) is None


def test_pencils_that_were_taken_may_be_declined(colouring: Made, marks: Makes) -> None:
    state = stitching(colouring, marks, "e5", 4)
    one = played(state, Fetch(1, PencilSource.BAG, "green"), Decline(1))
    assert (task_of(one), len(one.seat(1).held)) == (TaskKind.HELD, 1)
    none = played(one, Decline(1))
    assert (task_of(none), none.bag) == (None, state.bag)


def test_an_empty_bag_leaves_the_neutral_pencils(colouring: Made, marks: Makes) -> None:
    empty = colouring(marks(parts={"e3b": 2}), ["red"], bag={})
    due = played(empty, ColourCell(1, "red", 1), Stitch(1, "e3b.3"))  # C23
    assert {type(decision) for decision in legal_decisions(due)} == {Fetch, Decline}
    assert all(it.source is PencilSource.NEUTRAL for it in legal_decisions(due) if isinstance(it, Fetch))
    assert task_of(played(due, Decline(1))) is None
    nothing = colouring(marks(parts={"e3b": 2}), ["red"], bag={}, neutral=())
    assert task_of(played(nothing, ColourCell(1, "red", 1), Stitch(1, "e3b.3"))) is None


def test_a_chain_is_settled_depth_first(colouring: Made, marks: Makes) -> None:
    """An extra pencil's cell brings a stitch, whose figure brings a pencil, before the next own pencil."""
    state = colouring(marks({1: ("red", 1), 2: ("yellow", 1)}, parts={"e3a": 2}), ["red", "blue"])
    due = played(state, ColourCell(1, "red", 1), ColourCell(1, "yellow", 2), Stitch(1, "e3a.3"))
    assert [task.kind for task in due.seat(1).tasks] == [TaskKind.FETCH]
    assert refused(due, ColourCell(1, "blue", 3)) == FaultCode.NO_PENCIL
    held = played(due, Fetch(1, PencilSource.BAG, "violet"), ColourCell(1, "violet", 5))
    assert (task_of(held), pencils(held)) == (None, pencils(state))


def test_several_marks_on_a_cell_are_settled_from_left_to_right(colouring: Made) -> None:
    state = colouring(hand=["red"])
    sheet = load_sheet()
    row = sheet.rows[0]
    stitch, pencil, spool = row.bonuses[0][0], row.bonuses[1][0], row.bonuses[2][0]
    rows = (replace(row, bonuses=((stitch, pencil, spool), *row.bonuses[1:])), *sheet.rows[1:])
    state = replace(state, setup=replace(state.setup, sheet=replace(sheet, rows=rows)))
    due = played(state, ColourCell(1, "red", 1))
    assert [task.kind for task in due.seat(1).tasks] == [TaskKind.SPOOL, TaskKind.EXTRA, TaskKind.STITCH]
    assert SpoolOpened(1, 3) in apply(played(due, Stitch(1, "e5.1")), ColourThread(1, "yellow")).facts


def test_parts_are_coloured_once(colouring: Made, marks: Makes) -> None:
    state = played(colouring(marks(parts={"e5": 1}), ["red"]), ColourCell(1, "red", 1))
    assert refused(state, Stitch(1, "e5.1")) == FaultCode.STITCH
    assert refused(state, Stitch(1, "e9.1")) == FaultCode.STITCH
    assert refused(played(state, Decline(1)), Stitch(1, "e5.2")) == FaultCode.STITCH


def simultaneous(colouring: Made, marks: Makes, first: int) -> State:
    """Return a state after both seats coloured a swap."""
    state = colouring(marks({4: ("violet", 1)}), ["violet", "red"])
    two = replace(state.seat(1), cushion=2, bonus="brown")
    setup = replace(state.setup, simultaneous=True)
    state = replace(state, setup=setup, first=first, seats=(state.seat(1), two))
    return played(state, ColourCell(1, "violet", 4), ColourCell(2, "violet", 4))


def test_at_simultaneous_colouring_the_nearest_from_the_first_player_exchanges_first(
    colouring: Made, marks: Makes
) -> None:
    state = simultaneous(colouring, marks, 2)
    assert set(state.active) == {1, 2}
    assert refused(state, Swap(1, ("red",), ("blue",))) == FaultCode.TURN
    assert not any(isinstance(it, Swap) and it.seat == 1 for it in legal_decisions(state))
    after = played(state, Swap(2, ("red",), ("blue",)), Swap(1, ("red",), ("blue",)))
    assert [seat.hand for seat in after.seats] == [(OwnPencil("blue", True),)] * 2
    assert after.active == (2, 1)


def test_simultaneous_colouring_ends_when_all_are_done(colouring: Made, marks: Makes) -> None:
    state = played(simultaneous(colouring, marks, 1), Decline(1), Decline(2), Done(2))
    assert (state.active, state.turn) == ((1,), 1)
    assert played(state, Done(1)).phase is Phase.SCRAPS
