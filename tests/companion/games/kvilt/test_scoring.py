"""Test scoring, the end of the game and its winner against the rulebook's numbers and example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games.kvilt.sheet import Marks, RowMarks, Score, blank, ends_game, lowest_rows, score, winners
from companion.kvilt.sheets.files import own_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROW_COLOURS = ("red", "yellow", "green", "blue", "violet")
EXAMPLE = {"rows": [[2, 2], [6, 2], [6, 2], [7, 3], [5, 1]], "patches": ["p3", "p7"], "threads": "rygbvn"}
SHEET = own_sheet()


@pytest.fixture
def made(marks: Callable[..., Marks]) -> Callable[[dict[str, Any]], Marks]:
    def make(vector: dict[str, Any]) -> Marks:
        rows = {
            number: (colour, cells)
            for number, (colour, (cells, _)) in enumerate(zip(ROW_COLOURS, vector["rows"], strict=True), start=1)
            if cells
        }
        full = {number: range(1, full + 1) for number, (_, full) in enumerate(vector["rows"], start=1)}
        return marks(rows, full, vector["patches"], vector["threads"])

    return make


VECTORS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("S1", EXAMPLE, {"patches": -4, "rows": [3, 17, 16, 27, 11], "spools": 18, "buttons": 9, "total": 97}),
    (
        "S4",
        {"rows": [[0, 0]] * 5, "patches": [], "threads": ""},
        {"patches": 0, "rows": [0, 0, 0, 0, 0], "spools": 0, "buttons": 0, "total": 0},
    ),
    (
        "S5",
        {"rows": [[0, 0], [6, 2], [6, 2], [7, 3], [5, 1]], "patches": [], "threads": "rygbvn"},
        {"patches": 0, "rows": [0, 17, 16, 27, 11], "spools": 18, "buttons": 0, "total": 89},
    ),
    (
        "S6",
        {"rows": [[2, 0]] * 5, "patches": ["p3"], "threads": "rygbvvv"},
        {"patches": 3, "rows": [1, 2, 3, 2, 4], "spools": 11, "buttons": 0, "total": 26},
    ),
    (
        "S7",
        {"rows": [[2, 0], [2, 0], [2, 0], [2, 0], [1, 0]], "patches": ["p3"], "threads": "rygbvnr"},
        {"patches": -3, "rows": [1, 2, 3, 2, 2], "spools": 21, "buttons": 0, "total": 28},
    ),
    (
        "S8",
        {"rows": [[7, 7]] * 5, "patches": ["p3", "p5", "p7"], "threads": "rygbvnr"},
        {"patches": 15, "rows": [28, 27, 25, 31, 23], "spools": 21, "buttons": 92, "total": 262},
    ),
]


@pytest.mark.parametrize(("vector", "expected"), [case[1:] for case in VECTORS], ids=[case[0] for case in VECTORS])
def test_sheets_are_worth_what_the_rulebook_says(
    made: Callable[[dict[str, Any]], Marks], vector: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert score(SHEET, made(vector)).to_json() == expected


@pytest.mark.parametrize(("rows", "total"), [(None, 69), ((2, 4), 9)], ids=["S2", "S3"])
def test_two_rows_count_negative_in_all_counted(
    made: Callable[[dict[str, Any]], Marks], rows: tuple[int, int] | None, total: int
) -> None:
    plain = score(SHEET, made(EXAMPLE))
    negative = rows or lowest_rows(plain.rows)
    counted = score(SHEET, made(EXAMPLE), negative=negative)
    assert counted.total == total
    assert counted.buttons == plain.buttons == 9
    assert counted.to_json()["negative"] == list(negative)


def test_the_lowest_rows_are_the_best_to_turn_and_the_upper_ones_of_equals() -> None:
    assert lowest_rows((3, 17, 16, 27, 11)) == (1, 5)
    assert lowest_rows((9, 4, 4, 4, 8)) == (2, 3)


@pytest.mark.parametrize(
    ("row", "cells", "full", "points"),
    [(1, 2, 2, 3), (2, 6, 2, 17), (3, 6, 2, 16), (4, 7, 3, 27), (5, 5, 1, 11)],
    ids=["T12", "T13", "T14", "T15", "T16"],
)
def test_a_row_is_its_last_cell_and_its_full_ones(
    marks: Callable[..., Marks], row: int, cells: int, full: int, points: int
) -> None:
    made = marks({row: ("blue", cells)}, {row: range(1, full + 1)})
    assert score(SHEET, made).rows[row - 1] == points


@pytest.mark.parametrize(
    ("patches", "points"), [(["p3"], 3), (["p7"], -7), ([], 0), (["p3", "p7"], -4)], ids=["T8", "T9", "T10", "T11"]
)
def test_patches_count_plus_with_their_column_complete_and_minus_without(
    marks: Callable[..., Marks], patches: Sequence[str], points: int
) -> None:
    rows = {number: (colour, 2) for number, colour in enumerate(ROW_COLOURS, start=1)}
    assert score(SHEET, marks(rows, patches=patches)).patches == points


@pytest.mark.parametrize(
    ("threads", "points"), [("rygbvn", 18), ("", 0), ("r", 1), ("rrrrrr", 8), ("rygbvvv", 11), ("rygbvvn", 21)]
)
def test_spools_count_the_last_thread_and_ten_for_all_colours(
    marks: Callable[..., Marks], threads: str, points: int
) -> None:
    assert score(SHEET, marks(threads=threads)).spools == points


def test_buttons_multiply_the_smallest_row_with_its_full_cells(marks: Callable[..., Marks]) -> None:
    rows = {1: ("red", 2), 2: ("yellow", 6), 3: ("green", 6), 4: ("blue", 7), 5: ("violet", 5)}
    assert score(SHEET, marks(rows)).buttons == 3 * 1
    assert score(SHEET, marks(rows, {1: (1, 2)})).buttons == 3 * 3


def test_an_empty_row_is_zero_for_the_buttons_or_passed_over(marks: Callable[..., Marks]) -> None:
    made = marks({2: ("yellow", 3), 4: ("blue", 4)})
    assert score(SHEET, made).buttons == 0
    assert score(SHEET, made, empty_row_counts=False).buttons == 2 * 4
    assert score(SHEET, blank(SHEET), empty_row_counts=False).buttons == 0


@pytest.mark.parametrize(
    ("complete", "threads", "ends"),
    [(3, 0, True), (2, 7, True), (2, 6, False), (1, 7, False), (2, 0, False)],
    ids=["W3", "W4", "W5", "W6", "W8"],
)
def test_three_rows_end_the_game_or_two_and_all_threads(
    marks: Callable[..., Marks], complete: int, threads: int, ends: bool
) -> None:
    rows = {number: (ROW_COLOURS[number - 1], 7 if number <= complete else 6) for number in range(1, 6)}
    assert ends_game(SHEET, marks(rows, threads="rygbvnr"[:threads])) is ends


def worth(total: int, best: int) -> Score:
    return Score(total - best, (best, 0, 0, 0, 0), 0, 0)


def test_the_highest_total_wins_then_the_best_row_then_it_is_shared() -> None:
    assert winners([worth(90, 24), worth(91, 2)]) == (2,)
    assert winners([worth(90, 24), worth(90, 27)]) == (2,)
    assert winners([worth(90, 27), worth(90, 27), worth(90, 20)]) == (1, 2)


def test_the_tie_break_takes_rows_as_scored_before_any_sign() -> None:
    turned = Score(0, (30, 1, 1, 1, 1), 0, 0, negative=(1, 2))
    assert turned.best_row == 30


def test_marks_name_their_regions(marks: Callable[..., Marks]) -> None:
    made = marks({2: ("blue", 2)}, {2: (2,)}, ["p5"], "ryg", parts={"e3a": 1})
    assert made.regions(SHEET) == {
        "r2c1.picture": "blue",
        "r2c2.picture": "blue",
        "r2c2.background": "blue",
        "p5": "red",
        "spool3.body": "brown",
        "spool1.thread": "red",
        "spool2.thread": "yellow",
        "spool3.thread": "green",
        "e3a.1": "red",
    }
    assert set(made.regions(SHEET)) <= set(SHEET.regions())
    assert RowMarks("red", 5, 0b10010).full_cells == (2, 5)
