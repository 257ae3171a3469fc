"""Corners in a TOML file of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.calibrating.configured import read_corners, read_grids, read_toml
from companion.record import RecordError

if TYPE_CHECKING:
    from pathlib import Path

ONE = [[10.0, 10.0], [190.0, 12.0], [188.0, 190.0], [9.0, 187.0]]
OTHER = [[300, 20], [480, 20], [480, 200], [300, 200]]


def _file(folder: Path, text: str) -> Path:
    path = folder / "photo.corners.toml"
    path.write_text(text)
    return path


def test_both_grids_in_the_order_of_the_seats(tmp_path: Path) -> None:
    first, second = read_corners(_file(tmp_path, f"corners = {[ONE, OTHER]}\n"))
    assert np.array_equal(first, ONE)
    assert np.array_equal(second, OTHER)
    assert second.dtype == np.float64


def test_one_grid_will_do_where_one_is_asked_for(tmp_path: Path) -> None:
    (only,) = read_grids(_file(tmp_path, f"corners = {[ONE]}\n"))
    assert np.array_equal(only, ONE)
    first, second = read_grids(_file(tmp_path, f"corners = {[ONE, OTHER]}\n"))
    assert np.array_equal(first, ONE)
    assert np.array_equal(second, OTHER)


@pytest.mark.parametrize("grids", [[], [ONE[:3]], [ONE, OTHER, ONE], "none"])
def test_grids_that_are_none_are_refused(tmp_path: Path, grids: object) -> None:
    with pytest.raises(RecordError, match="corners"):
        read_grids(_file(tmp_path, f"corners = {grids!r}\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "corners = []",
        f"corners = {[ONE]}",
        f"corners = {[ONE, OTHER, ONE]}",
        f"corners = {[ONE, OTHER[:3]]}",
        "corners = [[[true, 1], [2, 3], [4, 5], [6, 7]], [[0, 1], [2, 3], [4, 5], [6, 7]]]",
        f"corners = {[ONE, [OTHER[0], OTHER[2], OTHER[1], OTHER[3]]]}",
        f"corners = {[ONE, [[1, 1], [2, 2], [3, 3], [4, 4]]]}",
        f"corners = {[ONE, [[1e9, 1], [2, 2], [3, 3], [4, 4]]]}",
    ],
)
def test_a_file_without_a_pair_of_grids_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(RecordError, match="corners must") as refused:
        read_corners(path)
    assert refused.value.path == path


@pytest.mark.parametrize("text", ["corners = [", "[" * 5000])
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(RecordError, match="is not TOML"):
        read_toml(_file(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none\.toml: cannot be read"):
        read_corners(tmp_path / "none.toml")
