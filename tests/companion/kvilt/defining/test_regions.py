"""Test that files and drafts without the form of a sheet are refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import CompanionError
from companion.kvilt.defining.desk import DefiningDesk, describe, draft_path, read_draft
from companion.kvilt.defining.tables import new_tables

BLANK = np.full((1184, 1680, 3), 240, np.uint8)


@pytest.fixture
def desk(tmp_path: Path) -> DefiningDesk:
    """A desk with nothing entered yet, and a rectified picture."""
    return DefiningDesk(tmp_path / "mine.toml", new_tables("Mine"), None, BLANK)


@pytest.mark.parametrize(
    "text",
    [
        "quilt = 3\n",
        "[quilt]\nrow = 3\n",
        "[quilt]\nrow = [1]\n",
        "[[quilt.row]]\ncell = 3\n",
        "[spools]\npoints = 3\n",
        "[spools]\nspool = [1]\n",
        "patch = [1]\n",
        'embroidery = "e5"\n',
        "page = 3\n",
    ],
)
def test_a_file_of_another_form_is_refused_and_changes_nothing(desk: DefiningDesk, tmp_path: Path, text: str) -> None:
    (tmp_path / "regions.toml").write_text(text)
    with pytest.raises(CompanionError, match=r"regions\.toml: cannot be used: These are not the tables of a sheet"):
        describe(desk, tmp_path / "regions.toml")
    assert desk.view().tables == new_tables("Mine")


@pytest.mark.parametrize("cell", ['["a", 1, 2, 3]', "[nan, 1, 9, 9]", "[1, 2, 3]", "3"])
def test_no_picture_is_searched_for_in_a_cell_that_is_no_rectangle(
    desk: DefiningDesk, tmp_path: Path, cell: str
) -> None:
    (tmp_path / "regions.toml").write_text(f"[[quilt.row]]\ncell = [{cell}]\n")
    with pytest.raises(CompanionError, match="outline of the picture is missing in 1 cell"):
        describe(desk, tmp_path / "regions.toml")


@pytest.mark.parametrize(
    "changes", [{"quilt": {"row": [1]}}, {"fiducials": None}, {"page": None}, {"spools": [1]}, {"patch": {}}]
)
def test_a_draft_of_another_form_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / "mine.toml"
    sheet = new_tables("Mine")
    draft_path(path).write_text(json.dumps({"format": 1, "sheet": sheet}))
    assert read_draft(path) == {"format": 1, "sheet": sheet}
    draft_path(path).write_text(json.dumps({"format": 1, "sheet": {**sheet, **changes}}))
    with pytest.raises(CompanionError, match="is not a draft of a sheet"):
        read_draft(path)
    del sheet["source"]
    draft_path(path).write_text(json.dumps({"format": 1, "sheet": sheet}))
    with pytest.raises(CompanionError, match="is not a draft of a sheet"):
        read_draft(path)
