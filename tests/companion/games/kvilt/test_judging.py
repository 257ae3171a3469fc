"""Test judging one look at a sheet: its score and its faults."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.judging import judge_sheet
from companion.games.kvilt.sheet import Score, blank
from companion.kvilt.codec import marks_to_json
from companion.kvilt.refusals import sheet_fault
from companion.kvilt.sheets.files import own_sheet

SHEET = own_sheet()


def seen(*marks: str) -> dict[str, str | None]:
    """Regions as "red r1c1 r1c2.background p3": a cell alone is its picture; the first word is the colour of all."""
    regions: dict[str, str | None] = {}
    for line in marks:
        colour, *names = line.split()
        for name in names:
            regions[name if "." in name or name.startswith("p") else f"{name}.picture"] = colour
    return regions


def faults(*marks: str) -> list[tuple[FaultCode, tuple[str, ...]]]:
    return [(fault.code, fault.regions) for fault in judge_sheet(SHEET, seen(*marks)).errors]


def test_a_blank_sheet_is_worth_nothing_and_in_order() -> None:
    verdict = judge_sheet(SHEET, dict.fromkeys(SHEET.regions()))
    assert verdict.errors == ()
    assert verdict.marks == blank(SHEET)
    assert verdict.score == Score(0, (0,) * 5, 0, 0)


def test_the_rulebooks_example_is_counted() -> None:
    lines = [
        "red r1c1 r1c2 r1c1.background r1c2.background p3 p7 spool1.thread",
        "yellow r2c1 r2c2 r2c3 r2c4 r2c5 r2c6 r2c1.background r2c2.background spool2.thread spool3.body spool4.body",
        "green r3c1 r3c2 r3c3 r3c4 r3c5 r3c6 r3c5.background r3c6.background spool3.thread spool5.body",
        "blue r4c1 r4c2 r4c3 r4c4 r4c5 r4c6 r4c7 r4c1.background r4c2.background r4c3.background spool4.thread",
        "violet r5c1 r5c2 r5c3 r5c4 r5c5 r5c1.background spool5.thread spool6.body e5.5 e2a.1",
        "brown spool6.thread",
    ]
    verdict = judge_sheet(SHEET, seen(*lines))
    assert verdict.score == Score(-4, (3, 17, 16, 27, 11), 18, 9)
    assert verdict.score.total == 97
    assert marks_to_json(SHEET, verdict.marks) == {
        "rows": [
            {"colour": "red", "cells": 2, "full": [1, 2]},
            {"colour": "yellow", "cells": 6, "full": [1, 2]},
            {"colour": "green", "cells": 6, "full": [5, 6]},
            {"colour": "blue", "cells": 7, "full": [1, 2, 3]},
            {"colour": "violet", "cells": 5, "full": [1]},
        ],
        "patches": ["p3", "p7"],
        "spools": {"open": 6, "threads": ["red", "yellow", "green", "blue", "violet", "brown"]},
        "embroideries": {"e5": 1, "e3a": 0, "e3b": 0, "e2a": 1, "e2b": 0},
    }
    assert verdict.errors == ()


def test_a_cell_after_a_white_one_is_not_counted() -> None:
    verdict = judge_sheet(SHEET, seen("red r1c1 r1c3 r1c4 r1c4.background"))  # C4
    assert [(fault.code, fault.regions) for fault in verdict.errors] == [
        (FaultCode.ORDER, ("r1c3.picture", "r1c4.picture"))
    ]
    assert (verdict.marks.rows[0].cells, verdict.marks.rows[0].full) == (1, 0)
    assert verdict.score.total == 0
    assert sheet_fault(verdict.errors[0]) == "Row 1 is coloured from the left: cell 2 is still white."


def test_a_row_has_the_colour_of_most_of_its_cells_and_the_odd_one_still_counts() -> None:
    verdict = judge_sheet(SHEET, seen("blue r2c1", "red r2c2 r2c3"))
    assert [(fault.code, fault.regions) for fault in verdict.errors] == [(FaultCode.ROW_COLOUR, ("r2c1.picture",))]
    says = "Cell 1 of row 2 has another colour: the row is red, and all its pictures have one colour."
    assert sheet_fault(verdict.errors[0]) == says
    assert (verdict.marks.rows[1].colour, verdict.marks.rows[1].cells) == ("red", 3)


def test_of_two_rows_of_one_colour_the_shorter_one_is_named() -> None:
    assert faults("red r1c1 r3c1 r3c2") == [(FaultCode.COLOUR_TAKEN, ("r1c1.picture",))]
    for upper, lower in combinations(range(1, 6), 2):
        assert faults(f"red r{upper}c1 r{lower}c1") == [(FaultCode.COLOUR_TAKEN, (f"r{lower}c1.picture",))]


@pytest.mark.parametrize(
    ("marks", "region"),
    [(["red r1c1 r1c2.background"], "r1c2.background"), (["red r1c1", "blue r1c1.background"], "r1c1.background")],
)
def test_a_background_needs_its_picture_in_its_colour(marks: list[str], region: str) -> None:
    verdict = judge_sheet(SHEET, seen(*marks))
    assert [(fault.code, fault.regions) for fault in verdict.errors] == [(FaultCode.BACKGROUND, (region,))]
    assert verdict.marks.rows[0].full == 0


def test_threads_and_spools_come_from_the_left_and_threads_on_open_spools() -> None:
    assert faults("red spool1.thread spool3.thread") == [(FaultCode.ORDER, ("spool3.thread",))]
    locked = judge_sheet(SHEET, seen("red spool1.thread spool2.thread spool3.thread"))
    assert [(fault.code, fault.regions) for fault in locked.errors] == [(FaultCode.LOCKED, ("spool3.thread",))]
    assert (locked.marks.threads, locked.score.spools) == (("red", "red"), 2)
    assert faults("red r3c1 r3c2 spool4.body") == [(FaultCode.ORDER, ("spool4.body",))]
    assert faults("red spool1.body spool2.body") == []


@pytest.mark.parametrize(
    ("marks", "says"),
    [
        ("red spool1.thread spool3.thread", "Threads are coloured from the left: spool 2 has none."),
        ("red r3c1 r3c2 spool4.body", "Spools are opened from the left: spool 3 is still locked."),
    ],
)
def test_the_first_gap_in_a_line_is_named(marks: str, says: str) -> None:
    assert [sheet_fault(fault) for fault in judge_sheet(SHEET, seen(marks)).errors] == [says]


def test_no_more_spools_are_open_and_no_more_parts_stitched_than_cells_have_marks() -> None:
    assert faults("red r3c1 r3c2 spool3.body") == []
    assert faults("red r3c1 r3c2 spool3.body spool4.body") == [(FaultCode.UNLOCK, ("spool4.body",))]
    assert faults("red r1c1 e5.3") == []
    assert faults("red r1c1 e5.3 e2b.1") == [(FaultCode.STITCH, ("e5.3", "e2b.1"))]


def test_one_mistake_is_reported_once() -> None:
    """A cell out of order does not count, but its missing stitch is not reported a second time."""
    assert faults("red r1c1 e5.1", "blue r3c2 r3c3 spool3.body e5.2") == [
        (FaultCode.ORDER, ("r3c2.picture", "r3c3.picture"))
    ]


def test_names_that_are_no_regions_are_ignored() -> None:
    assert judge_sheet(SHEET, {"r9c9.picture": "red", "r1c1.picture": "red"}).score.rows == (0, 0, 0, 0, 0)
