from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.errors import CompanionError
from companion.patchwork.timeboard_print import PrintingDesk, layout_in
from tests.companion.patchwork.timeboard.boards import CORNERS, tapped
from tests.vision.timeboard.conftest import TRACK
from vision.timeboard.board import load_layout

if TYPE_CHECKING:
    from pathlib import Path


def test_points_tapped_in_a_slanting_photograph_become_the_layout(printing_desk: PrintingDesk) -> None:
    printing_desk.put(tapped())
    assert printing_desk.fault() is None
    printing_desk.save()

    assert printing_desk.is_saved
    layout, known = layout_in(printing_desk.path), load_layout("even")
    assert np.abs(layout.middles() - known.middles()).max() < 0.01
    marks = [*TRACK.income[:-1], *TRACK.leather]
    assert np.abs(layout.marks(marks) - known.marks(marks)).max() < 0.3


def test_a_mark_that_was_dragged_stays_there_and_the_others_follow_the_spaces(printing_desk: PrintingDesk) -> None:
    printing_desk.put(replace(tapped(), marks={5: (400.0, 300.0)}))

    marks = printing_desk.tapped.marks
    assert marks is not None
    assert marks[5] == (400.0, 300.0)
    assert sorted(marks) == sorted({*TRACK.income, *TRACK.leather} - {53})
    printing_desk.put(tapped())
    assert printing_desk.tapped.marks != marks


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (tapped(53), "1 space still has to be tapped."),
        (replace(tapped(), corners=CORNERS[::-1]), "must go clockwise round the printed area"),
        (replace(tapped(), spaces=(*tapped().spaces[:53], tapped().spaces[7])), "Spaces 7 and 53 were tapped"),
        (replace(tapped(), marks={5: (795.0, 595.0)}), "is outside the corners"),
    ],
)
def test_missing_or_wrong_points_are_reported_and_not_saved(
    printing_desk: PrintingDesk, wrong: object, says: str
) -> None:
    printing_desk.put(wrong)  # type: ignore[arg-type]  # as parametrized

    with pytest.raises(CompanionError, match=says):
        printing_desk.save()
    assert not printing_desk.path.exists()


def test_a_large_photograph_is_reduced_and_corners_wait_in_it(tmp_path: Path) -> None:
    desk = PrintingDesk(tmp_path / "mine.toml", np.zeros((2000, 4800, 3), np.uint8), TRACK)

    assert desk.size_px == (2400, 1000)
    assert desk.tapped.corners == ((360.0, 150.0), (2040.0, 150.0), (2040.0, 850.0), (360.0, 850.0))
    assert desk.tapped.marks == {}
