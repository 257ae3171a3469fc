from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import MatLocator
from companion.calibrating.configured import locator_by, seating_of
from companion.config import TableConfig
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.watching.opening import boards_notices

if TYPE_CHECKING:
    from companion.patchwork.watching.watch import TableWatch


@pytest.mark.parametrize(
    ("table", "seating"),
    [
        (TableConfig(), None),
        (TableConfig("mats", ("near", "far"), swap=True), None),
        (TableConfig("found"), Seating()),
        (TableConfig("found", ("left", "right"), swap=True), Seating((Side.LEFT, Side.RIGHT), swap=True)),
    ],
)
def test_the_configuration_says_how_boards_are_found(table: TableConfig, seating: Seating | None) -> None:
    assert seating_of(table) == seating


def test_boards_that_find_themselves_are_looked_out_for() -> None:
    history, watch = History(Setup()), cast("TableWatch", None)
    found, by_mats = locator_by(Seating()), locator_by(None)
    assert isinstance(found, FoundLocator)
    assert isinstance(by_mats, MatLocator)
    assert len(boards_notices(watch, found, history, print)) == 1
    assert not boards_notices(watch, by_mats, history, print)
