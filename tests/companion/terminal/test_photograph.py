"""Photographs in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from companion.terminal.photograph import load_photo

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_that_is_no_picture_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("two buttons more for Anna")
    with pytest.raises(CompanionError, match=r"notes\.jpg: is not a readable picture"):
        load_photo(path)
    with pytest.raises(CompanionError, match="cannot be read"):
        load_photo(tmp_path)


def test_a_grey_or_transparent_picture_is_read_in_colour(tmp_path: Path) -> None:
    for number, shape in enumerate(((40, 50), (40, 50, 4))):
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), np.full(shape, 200, np.uint8))
        assert load_photo(path).shape == (40, 50, 3)
