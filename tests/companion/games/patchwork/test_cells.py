"""Cells, their names and sets of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.cells import ALL_CELLS, cell_index, cell_name, indices_of, mask_of, names_of, rows_of
from companion.games.patchwork.errors import MalformedDecisionError, MalformedReason

masks = st.integers(0, ALL_CELLS)


@pytest.mark.parametrize(("name", "index"), [("A1", 0), ("I1", 8), ("A2", 9), ("C4", 29), ("I9", 80)])
def test_columns_are_letters_and_rows_are_numbers(name: str, index: int) -> None:
    assert cell_index(name) == index
    assert cell_name(index) == name


@pytest.mark.parametrize("name", ["", "a1", "J1", "A0", "A10", "11", "A1 ", "AA", None, 7, ["A1"], "x" * 500])
def test_anything_else_is_no_cell(name: str) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        cell_index(name)
    assert (caught.value.reason, caught.value.value) == (MalformedReason.UNKNOWN_CELL, str(name))
    assert len(str(caught.value)) < 80


@pytest.mark.parametrize("index", [-1, 81])
def test_numbers_outside_the_board_have_no_name(index: int) -> None:
    with pytest.raises(IndexError):
        cell_name(index)


@given(masks)
def test_masks_and_names_go_round(mask: int) -> None:
    assert mask_of(names_of(mask)) == mask
    assert mask_of(reversed(names_of(mask))) == mask
    assert sum(1 << index for index in indices_of(mask)) == mask


@given(masks)
def test_rows_draw_the_mask(mask: int) -> None:
    rows = rows_of(mask)
    assert [len(row) for row in rows] == [9] * 9
    assert {(r, c) for r in range(9) for c in range(9) if rows[r][c] == "X"} == {divmod(i, 9) for i in indices_of(mask)}
    assert set("".join(rows)) <= {"X", "."}


def test_names_come_row_by_row() -> None:
    assert names_of(mask_of(["B2", "I1", "A1", "A2"])) == ("A1", "I1", "A2", "B2")


def test_a_cell_named_twice_is_malformed() -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        mask_of(["C4", "D4", "C4"])
    assert (caught.value.reason, caught.value.value) == (MalformedReason.REPEATED_CELL, "C4")
