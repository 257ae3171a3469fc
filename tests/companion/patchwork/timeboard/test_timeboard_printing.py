from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.timeboard_print import Printing, layout_in, text_of
from companion.record import RecordError
from tests.vision.timeboard.conftest import TRACK
from vision.geometry import SIDE
from vision.timeboard.board import LAYOUTS, SPACES, load_layout

if TYPE_CHECKING:
    from pathlib import Path

EVEN = [(float(x), float(y)) for x, y in load_layout("even").middles() / SIDE]
TEXT = text_of(Printing(EVEN, {}))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


@pytest.mark.parametrize("name", LAYOUTS)
def test_tapped_middles_tell_the_spaces_and_the_borders(file: Path, name: str) -> None:
    known = load_layout(name)
    file.write_text(text_of(Printing([(x, y) for x, y in (known.middles() / SIDE).tolist()], {})))
    layout = layout_in(file)

    assert layout.name == "mine"
    for space, (x, y) in enumerate(known.middles()):
        assert int(layout.distances(x, y).argmin()) == space
    marks = [*TRACK.income[:-1], *TRACK.leather]
    assert np.abs(layout.marks(marks) - known.marks(marks)).max() < 0.5


def test_a_mark_lies_where_it_was_tapped(file: Path) -> None:
    file.write_text(text_of(Printing(EVEN, {5: (0.5, 0.25)})))
    layout = layout_in(file)

    assert layout.marks([5]).tolist() == [[0.5 * SIDE, 0.25 * SIDE]]
    assert layout.marks([6]).tolist() != layout.marks([5]).tolist()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format = 1\n[spaces]\n", "does not say where 0 is"),
        (TEXT.replace("format = 1", "format = 2"), "format must be 1"),
        (TEXT.replace("\n53 = ", "\n54 = "), "must be a space from 0 to 53"),
        (TEXT.replace("\n7 = [", "\n7 = [9"), "must be a space from 0 to 53"),
        (TEXT.replace("\n7 = [", "\n7 = [true, "), "must be a space from 0 to 53"),
        ("format = 1\nspaces = 3\n", "must be a section"),
        (text_of(Printing([*EVEN[:9], EVEN[3], *EVEN[10:]], {})), "the spaces 3 and 9 are in the same place"),
        ("format = ", "mine.toml"),
    ],
)
def test_a_file_that_is_no_printing_is_refused_with_its_fault(file: Path, text: str, says: str) -> None:
    file.write_text(text)
    with pytest.raises(RecordError, match=says):
        layout_in(file)


def test_every_space_is_written(file: Path) -> None:
    assert len([line for line in TEXT.splitlines() if " = [" in line]) == SPACES
    assert not file.exists()
