"""Test that a missing value is reported at its step."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from companion.kvilt.defining.tables import DefiningStep, missing_in, new_tables
from tests.companion.boxedsheet import entered

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE = {**new_tables("mine"), **entered(lambda cells: [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]] for _ in cells])}


def test_nothing_is_missing_from_a_whole_sheet() -> None:
    assert missing_in(WHOLE, straightened=True) == ()


def test_without_corners_there_is_nothing_else_to_be_done() -> None:
    (only,) = missing_in(WHOLE, straightened=False)
    assert only.step is DefiningStep.CORNERS


def _without_points(tables: dict[str, Any]) -> None:
    tables["quilt"]["row"][1]["points"][3] = None


def _without_outlines(tables: dict[str, Any]) -> None:
    tables["quilt"]["row"][4]["picture_outline"] = [None] * 7


def _without_mark(tables: dict[str, Any]) -> None:
    tables["quilt"]["row"][0]["bonus"][6] = ""


def _without_column(tables: dict[str, Any]) -> None:
    tables["patch"][1]["column"] = None


def _without_flanges(tables: dict[str, Any]) -> None:
    tables["spools"]["spool"][6]["body"] = []


def _with_a_spool_too_many(tables: dict[str, Any]) -> None:
    tables["spools"]["points"].append(12)


def _without_parts(tables: dict[str, Any]) -> None:
    tables["embroidery"][2]["parts"] = []


def _without_samples(tables: dict[str, Any]) -> None:
    tables["swatches"] = None


@pytest.mark.parametrize(
    ("spoil", "step", "says"),
    [
        (_without_points, DefiningStep.VALUES, "The points of 1 cell are missing: cell 4 of row 2."),
        (
            _without_outlines,
            DefiningStep.PICTURES,
            "The outlines of the pictures are missing in 7 cells, first in cell 1 of",
        ),
        (_without_mark, DefiningStep.VALUES, "The mark of 1 cell is missing: cell 7 of row 1; choose"),
        (_without_column, DefiningStep.PATCHES, "The column of the patch p5 is missing."),
        (_without_flanges, DefiningStep.SPOOLS, "Draw the spools’ flanges"),
        (_with_a_spool_too_many, DefiningStep.SPOOLS, "Draw the threads of the spools"),
        (_without_parts, DefiningStep.STITCHES, "Embroideries without parts: e3b."),
        (_without_samples, DefiningStep.PENCILS, "Draw six boxes on bare paper"),
    ],
)
def test_it_is_said_what_and_where(spoil: Callable[[dict[str, Any]], None], step: DefiningStep, says: str) -> None:
    tables = copy.deepcopy(WHOLE)
    spoil(tables)
    first = missing_in(tables, straightened=True)[0]
    assert first.step is step
    assert str(first.says).startswith(says)


def test_samples_may_be_done_without() -> None:
    tables = {key: value for key, value in WHOLE.items() if key != "swatches"}
    assert missing_in(tables, straightened=True) == ()
