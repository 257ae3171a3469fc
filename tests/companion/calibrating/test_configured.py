from __future__ import annotations

import pytest

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import MatLocator
from companion.calibrating.configured import locator_by, seating_of
from companion.config import TableConfig


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


def test_boards_are_found_by_their_mats_unless_told_otherwise() -> None:
    assert isinstance(locator_by(Seating()), FoundLocator)
    assert isinstance(locator_by(None), MatLocator)
