"""Test marks that stay on the paper and do not count: nothing legal is lost with them, and faults tell the truth."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kvilt.decisions import ColourCell, ColourThread, Decision, Done, Stitch
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.explaining import MarksExplanation, explain, is_draw
from companion.games.kvilt.judging import Fault, FaultReason
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.sheet import Marks, cell_name
from companion.games.kvilt.state import Phase, State
from companion.games.kvilt.uncounted import Blocked, BlockedKind, blocked_by
from tests.companion.kvilt_setups import own_setup

Made = Callable[..., State]
Makes = Callable[..., Marks]
Seen = dict[str, str | None]

ABOUT_WHITE = {
    FaultReason.GAP_IN_ROW,
    FaultReason.GAP_IN_SPOOLS,
    FaultReason.GAP_IN_THREADS,
    FaultReason.BACKGROUND_ALONE,
}


def at_a_colouring(seed: int, decisions: int) -> State:
    """Return a state of a random game in which the seat to move colours and settles no bonus."""
    rng, state = random.Random(seed), new_game(own_setup(("Anna", "Boris")))
    while decisions > 0 or state.phase is not Phase.COLOURING or state.seat(state.mover).tasks:
        if state.finished:
            state = new_game(state.setup)
        state = apply(state, legal_decisions(state).pick(rng)).state
        decisions -= 1
    return state


@st.composite
def sheets(draw: st.DrawFn) -> tuple[State, Seen]:
    """Return a colouring, and a sheet with a few further marks, most of them where something could be coloured next."""
    state = at_a_colouring(draw(st.integers(0, 10_000)), draw(st.integers(0, 150)))
    sheet, side = state.setup.sheet, state.seat(state.mover)
    white = [region for region in sheet.regions() if region not in side.marks.regions(sheet)]
    due = [cell_name((row, marked.cells + step)) for row, marked in enumerate(side.marks.rows, 1) for step in (1, 2)]
    near = [region for region in white if region.split(".")[0] in due or not region.startswith("r")]
    regions = draw(st.lists(st.sampled_from(near or white), min_size=1, max_size=5, unique=True))
    held = [pencil.colour for pencil in side.hand] or list(sheet.colours)
    colours = st.one_of(st.sampled_from(held), st.sampled_from(sheet.colours))
    ready = {f"spool{number}.body" for number in range(1, sheet.spools.open + 1)}
    return state, {**side.marks.regions(sheet), **{it: draw(colours) for it in regions if it not in ready}}


def counted(state: State, found: MarksExplanation) -> dict[str, str]:
    """Return the marks that count after the decisions of an explanation, all of which must be legal."""
    seat = state.mover
    for decision in found.decisions:
        state = apply(state, decision).state
    return state.seat(seat).marks.regions(state.setup.sheet)


def without(seen: Mapping[str, str | None], regions: tuple[str, ...]) -> Seen:
    return {region: colour for region, colour in seen.items() if region not in regions}


@given(sheets())
@settings(max_examples=60, deadline=None)
def test_whatever_is_on_a_sheet_nothing_is_left_out_that_could_count(case: tuple[State, Seen]) -> None:
    state, seen = case
    found = explain(state, state.mover, seen)
    kept = without(seen, found.unexplained)
    assert counted(state, found).keys() == kept.keys()
    for region in found.unexplained:
        assert not explain(state, state.mover, {**kept, region: seen[region]}), region
    assert {region for fault in found.errors for region in fault.regions} == set(found.unexplained)


@given(sheets())
@settings(max_examples=60, deadline=None)
def test_each_way_to_go_on_keeps_all_other_marks_and_none_gives_up_more_than_another(case: tuple[State, Seen]) -> None:
    state, seen = case
    found = explain(state, state.mover, seen)
    ways = [found.unexplained, *found.alternatives]
    for way in ways if found.unexplained else []:
        after = explain(state, state.mover, seen, declined=dict.fromkeys(way, 1))
        assert after
        assert counted(state, after).keys() >= without(seen, way).keys()
        assert not any(set(other) < set(way) for other in ways)


@given(sheets())
@settings(max_examples=60, deadline=None)
def test_no_fault_calls_a_coloured_region_white(case: tuple[State, Seen]) -> None:
    state, seen = case
    for fault in explain(state, state.mover, seen).errors:
        assert fault.reason not in ABOUT_WHITE or white_region(fault) not in seen


def white_region(fault: Fault) -> str:
    match fault.reason:
        case FaultReason.GAP_IN_SPOOLS:
            return f"spool{fault.number}.body"
        case FaultReason.GAP_IN_THREADS:
            return f"spool{fault.number}.thread"
        case _:
            return f"{cell_name((fault.row, fault.number))}.picture"


@given(sheets())
@settings(max_examples=40, deadline=None)
def test_declined_marks_change_nothing_for_new_ones(case: tuple[State, Seen]) -> None:
    """A sheet on which some marks were declined before keeps every new mark that it would have kept without them."""
    state, seen = case
    before = state.seat(state.mover).marks.regions(state.setup.sheet)
    declined = dict.fromkeys([region for region in seen if region not in before][::2], 1)
    alone = explain(state, state.mover, without(seen, tuple(declined)))
    found = explain(state, state.mover, seen, declined=declined)
    assert len(found.unexplained) <= len(alone.unexplained)
    assert not set(found.unexplained) & declined.keys()


@given(st.integers(0, 10_000), st.integers(0, 150), st.data())
@settings(max_examples=40, deadline=None)
def test_declined_marks_that_legal_pencils_can_have_made_count(seed: int, decisions: int, data: st.DataObject) -> None:
    before = state = at_a_colouring(seed, decisions)
    rng, seat = random.Random(seed), state.mover
    for _ in range(data.draw(st.integers(1, 5))):
        legal = [it for it in legal_decisions(state) if not (isinstance(it, Done) or is_draw(it))]
        state = apply(state, rng.choice(legal)).state if legal else state
    seen: Seen = dict(state.seat(seat).marks.regions(state.setup.sheet))
    declined = {it: 1 for it in seen if it not in before.seat(seat).marks.regions(state.setup.sheet)}
    assert counted(before, explain(before, seat, seen, draws=(), declined=declined)).keys() == seen.keys()


def test_one_stitch_counts_of_two_parts(colouring: Made) -> None:
    state = colouring(hand=["brown"])
    found = explain(state, 1, {"r1c1.picture": "brown", "e5.1": "brown", "e5.2": "brown"})
    assert found.decisions == (ColourCell(1, "brown", 1), Stitch(1, "e5.1"))
    assert (found.unexplained, found.alternatives) == (("e5.2",), ())
    assert [fault.code for fault in found.errors] == [FaultCode.STITCH]


def test_either_of_two_figures_may_count(colouring: Made) -> None:
    found = explain(colouring(hand=["brown"]), 1, {"r1c1.picture": "brown", "e5.1": "brown", "e3a.1": "brown"})
    assert sorted([found.unexplained, *found.alternatives]) == [("e3a.1",), ("e5.1",)]


def test_a_pencil_claims_a_mark_that_was_declined(colouring: Made) -> None:
    """The pencil has coloured the second cell; the first counts now, and the second waits for the next pencil."""
    state, seen = colouring(hand=["red"]), {"r2c1.picture": "red", "r2c2.picture": "red"}
    found = explain(state, 1, seen, declined={"r2c1.picture": 1})
    assert (found.decisions, found.unexplained) == ((ColourCell(1, "red", 2),), ("r2c2.picture",))
    after = explain(colouring(hand=["red", "red"]), 1, seen, declined={"r2c1.picture": 1})
    assert after
    assert after.decisions[:2] == (ColourCell(1, "red", 2), ColourCell(1, "red", 2))


def test_a_new_mark_comes_before_a_declined_one(colouring: Made) -> None:
    state = colouring(hand=["red"])
    found = explain(state, 1, {"r2c1.picture": "red", "spool1.thread": "red"}, declined={"r2c1.picture": 1})
    assert found
    assert found.decisions == (ColourThread(1, "red"),)


def test_no_draw_is_assumed_for_a_mark_that_was_declined(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({4: ("violet", 1)}), ["violet", "red"])
    seen: Seen = {"r4c1.picture": "violet", "r4c2.picture": "violet", "r3c1.picture": "brown"}
    assert any(map(is_draw, explain(state, 1, seen).decisions))
    assert not any(map(is_draw, explain(state, 1, seen, declined={"r3c1.picture": 1}).decisions))


@pytest.mark.parametrize(
    ("new", "declined", "reason"),
    [
        ({"r2c1.picture": "red", "r2c2.picture": "red"}, {"r2c1.picture": 3}, FaultReason.CELL_UNCOUNTED),
        ({"r2c1.picture": "red", "r2c1.background": "red"}, {"r2c1.picture": 3}, FaultReason.PICTURE_UNCOUNTED),
        ({"spool1.thread": "red", "spool2.thread": "red"}, {"spool1.thread": 3}, FaultReason.THREAD_UNCOUNTED),
        ({"spool3.body": "red", "spool4.body": "red"}, {"spool3.body": 3}, FaultReason.SPOOL_UNCOUNTED),
        ({"spool3.body": "red", "spool3.thread": "red"}, {"spool3.body": 3}, FaultReason.SPOOL_UNCOUNTED),
    ],
    ids=str,
)
def test_a_mark_that_does_not_count_is_the_reason_for_those_behind_it(
    colouring: Made, new: Seen, declined: dict[str, int], reason: FaultReason
) -> None:
    faults = explain(colouring(hand=["blue"]), 1, new, declined=declined).errors
    assert [(fault.reason, fault.since) for fault in faults] == [(reason, 3)]


def test_a_row_waits_for_a_pencil_or_is_closed_for_good(colouring: Made, marks: Makes) -> None:
    sheet, made = colouring().setup.sheet, marks({1: ("red", 3), 3: ("blue", 1)})
    uncounted = {"r1c4.picture": "blue", "r2c1.picture": "red", "r3c2.picture": "blue", "r4c1.picture": "green"}
    assert blocked_by(sheet, made, uncounted) == (
        Blocked(BlockedKind.CLOSED_ROW, 1, "blue", 4),
        Blocked(BlockedKind.CLOSED_ROW, 2, "red", 1),
        Blocked(BlockedKind.ROW, 3, "blue", 2),
        Blocked(BlockedKind.ROW, 4, "green", 1),
    )


def test_threads_and_an_embroidery_wait_for_a_pencil(colouring: Made, marks: Makes) -> None:
    uncounted = {"spool1.thread": "red", "e3a.2": "blue", "e3a.3": "blue", "r1c1.background": "red"}
    assert blocked_by(colouring().setup.sheet, marks(), uncounted) == (
        Blocked(BlockedKind.THREADS, 1, "red"),
        Blocked(BlockedKind.EMBROIDERY, 2, "blue"),
    )


def test_a_row_that_is_said_to_wait_goes_on_with_that_pencil(colouring: Made, marks: Makes) -> None:
    for row, colour in [(2, "green"), (2, "red"), (3, "blue"), (3, "green")]:
        made = marks({1: ("red", 3), 3: ("blue", 1)})
        cell = made.rows[row - 1].cells + 1
        region = f"{cell_name((row, cell))}.picture"
        state = colouring(made, [colour])
        (blocked,) = blocked_by(state.setup.sheet, made, {region: colour})
        seen: Seen = {**made.regions(state.setup.sheet), region: colour}
        claims: tuple[Decision, ...] = explain(state, 1, seen, declined={region: 1}).decisions
        assert bool(claims) is (blocked.kind is BlockedKind.ROW)
