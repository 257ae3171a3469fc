"""Phase 3: pencils on cells, patches and threads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.kvilt.decisions import ColourCell, ColourPatch, ColourThread, Decision, Decline, Done, Stitch
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason
from companion.games.kvilt.facts import CellColoured, ColouringEnded, SpoolOpened, ThreadColoured
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import Marks
from companion.games.kvilt.state import OwnPencil, Settings, State

Made = Callable[..., State]
Makes = Callable[..., Marks]


def refused(state: State, decision: Decision) -> IllegalDecisionError:
    assert decision not in legal_decisions(state)
    assert decision not in tuple(legal_decisions(state))
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    return caught.value


def test_a_cell_gets_its_colour_and_its_stitch(colouring: Made) -> None:
    state = apply(colouring(hand=["red", "blue"]), ColourCell(1, "red", 1)).state  # C1
    seat = state.seat(1)
    assert (seat.marks.rows[0].colour, seat.marks.rows[0].cells, seat.marks.rows[0].full) == ("red", 1, 0)
    assert (seat.hand, seat.spent) == ((OwnPencil("blue"),), ("red",))
    assert apply(state, Stitch(1, "e3a.2")).state.seat(1).marks.parts[1] == (None, "red", None)


def test_row_colours_differ(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 1)}), ["red", "blue"])
    taken = refused(state, ColourCell(1, "red", 2))  # C2
    assert (taken.code, taken.regions) == (FaultCode.COLOUR_TAKEN, ("r2c1.picture",))
    wrong = refused(state, ColourCell(1, "blue", 1))  # C3
    assert (wrong.code, wrong.regions) == (FaultCode.ROW_COLOUR, ("r1c2.picture",))


def test_a_row_ends_at_its_last_cell(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({1: ("red", 7)}), ["red"])
    assert refused(state, ColourCell(1, "red", 1)).code == FaultCode.ORDER
    assert refused(state, ColourCell(1, "red", 6)).code == FaultCode.ORDER


def test_a_patch_is_coloured_before_its_column(colouring: Made, marks: Makes) -> None:
    colours = ("red", "yellow", "green", "blue", "violet")
    before = colouring(marks({row: (colour, 3) for row, colour in enumerate(colours, start=1)}), ["brown"])
    after = apply(before, ColourPatch(1, "brown", "p5")).state  # C5
    assert after.seat(1).marks.patches == (None, "brown", None)
    late = colouring(marks({1: ("red", 4)}), ["brown"])
    assert refused(late, ColourPatch(1, "brown", "p5")).code == FaultCode.PATCH_LATE  # C6
    assert ColourPatch(1, "brown", "p7") in tuple(legal_decisions(late))
    again = colouring(marks(patches=["p3"]), ["brown"])
    assert refused(again, ColourPatch(1, "brown", "p3")).code == FaultCode.PATCH_LATE
    assert refused(again, ColourPatch(1, "brown", "p4")).code == FaultCode.PATCH_LATE
    assert refused(after, ColourPatch(1, "brown", "p5")).reason is IllegalReason.PATCH_COLOURED


def test_threads_need_an_open_spool(colouring: Made, marks: Makes) -> None:
    locked = refused(colouring(marks(threads="rr"), ["blue"]), ColourThread(1, "blue"))  # C7
    assert (locked.code, locked.regions) == (FaultCode.LOCKED, ("spool3.thread",))
    assert refused(colouring(marks(threads="rrrrrrr"), ["blue"]), ColourThread(1, "blue")).code == FaultCode.LOCKED
    repeated = apply(colouring(marks(threads="b"), ["blue"]), ColourThread(1, "blue"))  # C10
    assert repeated.state.seat(1).marks.threads == ("blue", "blue")
    assert repeated.facts[0] == ThreadColoured(1, 2, "blue")


def test_the_bonus_colour_fills_the_cell_and_a_spool_mark_opens_the_next_spool(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({3: ("green", 1)}, threads="rr"), ["green", "blue"])
    outcome = apply(state, ColourCell(1, "green", 3))  # C8
    assert outcome.facts == (CellColoured(1, (3, 2), "green", True), SpoolOpened(1, 3))
    seat = outcome.state.seat(1)
    assert (seat.marks.rows[2].full_cells, seat.marks.bodies) == ((2,), ("green",))
    after = apply(outcome.state, ColourThread(1, "blue")).state  # C9
    assert after.seat(1).marks.threads == ("red", "red", "blue")


def test_a_spool_may_stay_locked(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({3: ("green", 1)}), ["green"])
    after = apply(state, ColourCell(1, "green", 3, spool=False)).state
    assert (after.seat(1).marks.bodies, after.seat(1).task) == ((), None)


def test_with_all_spools_open_a_spool_mark_does_nothing(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({3: ("green", 1)}, opened=5), ["green"])
    after = apply(state, ColourCell(1, "green", 3)).state  # C21
    assert len(after.seat(1).marks.bodies) == 5
    assert after.seat(1).task is None


def test_backgrounds_need_the_bonus_colour(colouring: Made) -> None:
    state = colouring(hand=["red", "green"])
    wrong = refused(state, ColourCell(1, "red", 1, background=True))  # C11
    assert (wrong.code, wrong.regions) == (FaultCode.BACKGROUND, ("r1c1.background",))
    white = apply(state, ColourCell(1, "green", 2, background=False)).state
    assert white.seat(1).marks.rows[1].full == 0
    assert apply(state, ColourCell(1, "green", 2, background=True)).state.seat(1).marks.rows[1].full == 1


def test_a_setting_makes_backgrounds_a_duty(colouring: Made) -> None:
    state = colouring(hand=["red", "green"], settings=Settings(background_must=True))
    assert refused(state, ColourCell(1, "green", 2, background=False)).code == FaultCode.BACKGROUND
    assert ColourCell(1, "red", 2, background=False) in legal_decisions(state)


@pytest.mark.parametrize("allowed", [True, False])
def test_an_extra_pencil_of_the_bonus_colour_gives_a_background(colouring: Made, marks: Makes, allowed: bool) -> None:
    settings = Settings(bonus_pencils_background=allowed)
    state = colouring(marks({1: ("red", 1)}), ["red"], bonus="yellow", settings=settings)
    state = apply(state, ColourCell(1, "red", 1)).state  # C12
    after = apply(state, ColourCell(1, "yellow", 2)).state
    rows = after.seat(1).marks.rows
    assert (rows[0].cells, rows[0].full) == (2, 0)
    assert (rows[1].colour, rows[1].cells, rows[1].full) == ("yellow", 1, int(allowed))
    if not allowed:
        assert refused(state, ColourCell(1, "yellow", 2, background=True)).code == FaultCode.BACKGROUND


def test_an_extra_pencil_changes_no_container(colouring: Made, marks: Makes) -> None:
    state = colouring(marks({5: ("violet", 2), 3: ("brown", 1)}), ["violet"])
    middle = apply(state, ColourCell(1, "violet", 5)).state
    assert refused(middle, ColourCell(1, "violet", 5)).code == FaultCode.NO_PENCIL
    assert refused(middle, Done(1)).code == FaultCode.TURN
    after = apply(middle, ColourCell(1, "brown", 3)).state  # C13
    seat = after.seat(1)
    assert (seat.marks.rows[4].cells, seat.marks.rows[2].cells, len(seat.marks.bodies)) == (3, 2, 1)
    assert (seat.spent, seat.hand, seat.held) == (("violet",), (), ())
    assert (after.bag, after.cushions) == (state.bag, state.cushions)


def test_an_extra_pencil_without_any_use_is_lost(colouring: Made, marks: Makes) -> None:
    rows = {1: ("red", 1), 2: ("yellow", 7), 3: ("green", 2), 4: ("blue", 2), 5: ("violet", 5)}
    state = colouring(marks(rows, threads="rr"), ["red"])
    after = apply(state, ColourCell(1, "red", 1)).state  # C19: row 2 is complete
    assert after.seat(1).task is None
    assert Done(1) in legal_decisions(after)


def test_the_sixth_colour_serves_patches_and_threads_only(colouring: Made, marks: Makes) -> None:
    rows = {1: ("red", 1), 2: ("yellow", 1), 3: ("green", 1), 4: ("blue", 1), 5: ("violet", 1)}
    state = colouring(marks(rows), ["brown"])
    listed = set(legal_decisions(state))  # C20
    patches: set[Decision] = {ColourPatch(1, "brown", patch) for patch in ("p3", "p5", "p7")}
    assert listed == {*patches, ColourThread(1, "brown"), Done(1)}


def test_only_own_pencils_are_used_and_each_once(colouring: Made) -> None:
    state = colouring(hand=["red"])
    assert refused(state, ColourThread(1, "blue")).code == FaultCode.NO_PENCIL
    used = apply(state, ColourThread(1, "red")).state
    assert refused(used, ColourThread(1, "red")).code == FaultCode.NO_PENCIL


def test_unused_pencils_are_lost_when_a_player_is_done(colouring: Made) -> None:
    outcome = apply(colouring(hand=["red"]), Done(1))  # C24
    assert outcome.facts[0] == ColouringEnded(1, ("red",))
    after = apply(outcome.state, Done(2)).state
    assert (after.round, after.pencils_in_bag["red"], after.seat(1).hand) == (2, 2, ())


def test_there_is_nothing_to_decline_without_a_bonus(colouring: Made) -> None:
    assert refused(colouring(hand=["red"]), Decline(1)).code == FaultCode.TURN
    assert refused(colouring(hand=["red"]), ColourCell(2, "red", 1)).code == FaultCode.TURN
