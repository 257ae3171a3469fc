"""Test what a resumed game says about the table that it finds, without a press."""

from __future__ import annotations

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import Edition, placements
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.patchwork.reading.verdict import Complaint, Reason
from hardware.ports import Button
from hardware.simulated.drawing import Pose
from tests.hostile.evening import WatchedTable


@pytest.fixture(scope="module")
def middle() -> WatchedTable:
    """A table in the middle of a game, which each test leaves as the game has it."""
    return WatchedTable(1, start="middle")


def _complaint(table: WatchedTable) -> Complaint:
    complaint = table.table.pending.complaint
    assert isinstance(complaint, Complaint), table.says
    return complaint


def _laid(table: WatchedTable) -> TakePatch | PlaceLeather:
    """Lay a legal patch, and return its decision."""
    legal = [each for each in legal_decisions(table.state) if isinstance(each, TakePatch | PlaceLeather)]
    table.put(legal[len(legal) // 2])
    return legal[len(legal) // 2]


def _place_on(table: WatchedTable, seat: int, patch: str) -> int:
    """Return empty cells of a quilt that have the shape of a patch."""
    taken = table.state.seat(seat).quilt
    return next(mask for mask in placements(patch) if not mask & taken)


def test_nothing_is_said_about_a_table_that_is_right(middle: WatchedTable) -> None:
    middle.resume()
    middle.wait(4)
    assert middle.says == "nothing is open"


def test_a_complaint_that_was_open_is_made_again(middle: WatchedTable) -> None:
    offered = next(each for each in legal_decisions(middle.state) if isinstance(each, TakePatch))
    middle.put_astray(3 - offered.seat, offered.patch, _place_on(middle, 3 - offered.seat, offered.patch))
    middle.press(Button.CONFIRM)
    said = _complaint(middle)
    assert said.reason is Reason.WRONG_SEAT
    middle.resume()
    middle.wait(4)
    assert (_complaint(middle).reason, _complaint(middle).cells) == (Reason.WRONG_SEAT, said.cells)
    middle.put_right()


def test_a_patch_that_was_not_confirmed_is_named_and_taken_by_a_press(middle: WatchedTable) -> None:
    laid = _laid(middle)
    middle.resume()
    middle.wait(4)
    assert "has not been confirmed" in middle.says
    assert middle.history.decisions[-1] != laid, "nobody has chosen it"
    middle.press(Button.CONFIRM)
    assert middle.history.decisions[-1] == laid
    middle.press(Button.UNDO)
    middle.put_right()


def test_a_patch_that_is_missing_is_named_and_learnt_once_it_lies_there(middle: WatchedTable) -> None:
    gone = next(each for each in middle.lying if each.seat == middle.state.mover)
    assert isinstance(gone, TakePatch)
    middle.lift(gone)
    middle.resume()
    middle.wait(4)
    said = _complaint(middle)
    assert "quilt lacks" in middle.says
    assert mask_of(said.cells) == gone.cells
    middle.put(gone)
    middle.wait(6)
    laid = _laid(middle)
    middle.press(Button.CONFIRM)
    assert middle.history.decisions[-1] == laid, middle.says
    middle.press(Button.UNDO)
    middle.put_right()
    middle.lift(gone)
    middle.press(Button.CONFIRM)
    assert _complaint(middle).reason is Reason.MOVED, "it is known now"
    middle.put_right()


def test_hands_free_a_missing_patch_is_named_until_it_lies_there_again() -> None:
    table = WatchedTable(1, start="middle", hands_free=True)
    gone = next(each for each in table.lying if each.seat == table.state.mover)
    assert isinstance(gone, TakePatch)
    taken = len(table.history.decisions)
    table.lift(gone)
    table.resume()
    table.wait(4)
    assert "quilt lacks" in table.says
    table.wait(20)
    assert "quilt lacks" in table.says
    table.put(gone)
    table.wait(20)
    assert table.says == "nothing is open"
    assert len(table.history.decisions) == taken, "putting it back is no move"
    laid = _laid(table)
    table.wait(30)
    assert table.history.decisions[-1] == laid, table.says


def test_hands_free_nothing_is_said_about_a_table_that_is_right() -> None:
    table = WatchedTable(1, start="middle", hands_free=True)
    table.resume()
    table.wait(20)
    assert table.says == "nothing is open"


def test_a_board_that_was_pushed_on_its_mat_before_is_right_after_a_resume() -> None:
    table = WatchedTable(2, start="middle")
    table.scene.knock_board(table.state.mover, 11.0)
    table.wait(6)
    table.press(Button.CONFIRM)
    table.resume()
    table.wait(6)
    assert table.says == "nothing is open"
    taken = len(table.history.decisions)
    # The first may ask about cells that a push has made less certain; "None of these" comes first.
    for _ in range(2):
        table.press(Button.CONFIRM)
    assert len(table.history.decisions) == taken
    assert table.table.pending.complaint is None or _complaint(table).reason is Reason.NOTHING_PLACED, table.says


def test_a_bare_cell_that_patches_around_it_reach_over_is_neither_an_object_nor_a_new_patch() -> None:
    table = WatchedTable(4, start="end", edition=Edition.REVISED)
    table.press(Button.UNDO)
    table.press(Button.CONFIRM)
    assert (table.state.mover, _complaint(table).reason) == (2, Reason.NOTHING_PLACED), table.says
    table.scene.strays.append((2, Pose(2 * 20.1, -2 * 20.1)))
    table.press(Button.CONFIRM)
    assert (_complaint(table).reason, _complaint(table).cells) == (Reason.OBJECT, ("G3",))
    table.scene.strays.clear()
    table.press(Button.UNDO)
    table.put_right()
    table.press(Button.CONFIRM)
    assert table.state.leather_due
    assert (table.state.mover, _complaint(table).reason) == (1, Reason.NOTHING_PLACED), table.says
