from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from companion.terminal.photograph import check_show, save_shown

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = np.full((20, 30, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("photo.jpg", "is the photograph itself"),
        ("out.nonsense", "is not a kind of picture"),
        ("no/such/folder/out.png", "cannot be written: No such file or directory"),
        ("x" * 300 + ".png", "cannot be written: File name too long"),
    ],
)
def test_a_place_is_refused_before_anything_is_read(tmp_path: Path, name: str, says: str) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"photograph")
    with pytest.raises(CompanionError, match=says):
        check_show(tmp_path / name, photo)
    assert photo.read_bytes() == b"photograph"


@pytest.mark.parametrize("name", ["out.png", "out.jpg", "out"])
def test_a_picture_is_saved_as_it_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    check_show(path, tmp_path / "photo.jpg")
    save_shown(path, PICTURE)
    saved = cv2.imread(str(path))
    assert saved is not None
    assert saved.shape == PICTURE.shape


def test_a_folder_is_no_place_for_a_picture(tmp_path: Path) -> None:
    (tmp_path / "out.png").mkdir()
    with pytest.raises(CompanionError, match="cannot be written: Is a directory"):
        save_shown(tmp_path / "out.png", PICTURE)


def test_without_a_picture_nothing_is_checked(tmp_path: Path) -> None:
    check_show(None, tmp_path / "none.jpg")
