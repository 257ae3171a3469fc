from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Lens
from calibration.stored import (
    BoardCalibration,
    CalibrationError,
    TableCalibration,
    calibration_text,
    load_calibration,
    save_calibration,
)
from companion.calibrating.corners import read_corners
from tests.cases import each
from vision.geometry import Homography

if TYPE_CHECKING:
    from pathlib import Path

LENS = Lens((1536, 864), (1180.5, 1181.25), (767.0, 431.5), (-0.035, 0.002, 0.0001, -0.0002, 0.0))


def _board(shift: float = 0.0) -> BoardCalibration:
    corners = np.array([[100.0, 110.0], [400.0, 112.0], [402.5, 410.25], [98.0, 408.0]]) + shift
    place = np.array([[20.1, 0.1, 14.5], [-0.1, 20.2, 58.0], [1e-5, -2e-5, 1.0]])
    return BoardCalibration("a4", Homography(place), corners, 0.1, 0.06, 33.3, 0.95, 212.0)


def _table(lens: Lens | None = None) -> TableCalibration:
    taken = datetime(2026, 5, 4, 19, 30, 15, tzinfo=UTC)
    return TableCalibration(taken, (1536, 864), {1: _board(), 2: _board(700.0)}, lens, None if lens is None else 0.14)


@pytest.mark.parametrize("lens", [None, LENS], ids=["no-lens", "lens"])
def test_what_was_saved_is_loaded(tmp_path: Path, lens: Lens | None) -> None:
    path = tmp_path / "new" / "calibration.toml"
    saved = _table(lens)
    assert save_calibration(saved, path) is None
    loaded = load_calibration(path)
    assert (loaded.taken, loaded.size_px, loaded.lens_residual_px) == (
        saved.taken,
        saved.size_px,
        saved.lens_residual_px,
    )
    for seat, board in saved.boards.items():
        np.testing.assert_array_equal(loaded.boards[seat].place.matrix, board.place.matrix)
        np.testing.assert_allclose(loaded.boards[seat].corners_px, board.corners_px, atol=1e-3)
        assert loaded.boards[seat].mat == board.mat
        assert loaded.boards[seat].residual_mm == pytest.approx(board.residual_mm)
        assert loaded.boards[seat].cell_px == pytest.approx(board.cell_px)
    if lens is None:
        assert loaded.lens is None
    else:
        assert loaded.lens is not None
        assert loaded.lens.distortion == lens.distortion
        np.testing.assert_array_equal(loaded.lens.matrix, lens.matrix)
    assert [each.name for each in path.parent.iterdir()] == ["calibration.toml"]


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=9, max_size=9), st.floats(1e-300, 1e5))
def test_numbers_come_back_exactly(values: list[float], focal: float) -> None:
    place = np.array(values).reshape(3, 3) + np.diag([1e7, 1e7, 1e7])
    board = _board()
    boards = {1: BoardCalibration("letter", Homography(place), board.corners_px, 0, 0, 30.0, 1.0, 200.0), 2: board}
    lens = Lens((640, 480), (focal, focal), (1.0, 2.0), tuple(values[:5]))
    text = calibration_text(TableCalibration(_table().taken, (640, 480), boards, lens, 0.2))
    table = tomllib.loads(text)
    assert table["board"][0]["place"] == place.tolist()
    assert table["lens"]["distortion"] == values[:5]
    assert table["lens"]["focal"] == [focal, focal]


def test_it_can_be_used_wherever_corners_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(_table(LENS), path)
    one, two = read_corners(path)
    np.testing.assert_allclose(one, _board().corners_px, atol=1e-3)
    np.testing.assert_allclose(two, _board(700.0).corners_px, atol=1e-3)


def power_cut(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_older_ones_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    texts = []
    for number in range(3):
        kept = save_calibration(_table(LENS if number == 1 else None), path)
        assert kept == (None if number == 0 else tmp_path / f"calibration.{number}.toml")
        texts.append(path.read_text())
    assert (tmp_path / "calibration.1.toml").read_text() == texts[0]
    assert (tmp_path / "calibration.2.toml").read_text() == texts[1]
    assert path.read_text() == texts[2]


def test_a_disk_without_links_keeps_older_ones_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    path = tmp_path / "calibration.toml"
    save_calibration(_table(LENS), path)
    old = path.read_text()
    monkeypatch.setattr("os.link", no_links)
    assert save_calibration(_table(), path) == tmp_path / "calibration.1.toml"
    assert (tmp_path / "calibration.1.toml").read_text() == old
    assert path.read_text() != old


def test_a_save_whose_copy_of_the_older_one_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(_table(LENS), path)
    old = path.read_text()
    outcomes = iter([None, OSError(28, "No space left on device")])

    def fails(*_: object) -> None:
        if (outcome := next(outcomes, None)) is not None:
            raise outcome

    monkeypatch.setattr("os.fsync", fails)
    monkeypatch.setattr("os.link", power_cut)
    with pytest.raises(CalibrationError, match="No space left on device"):
        save_calibration(_table(), path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == old


def test_a_save_that_is_cut_short_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calibration.toml"
    save_calibration(_table(LENS), path)
    old = path.read_text()

    monkeypatch.setattr("os.fsync", power_cut)
    with pytest.raises(CalibrationError, match=r"calibration\.toml: cannot be written: No space left on device"):
        save_calibration(_table(), path)
    assert path.read_text() == old


@each(
    ("old", "new", "says"),
    [
        ("format = 1", "format = 2", "format: must be 1, not 2; write a new one with companion calibrate"),
        ("format = 1\n", "", "format: must be 1, not None"),
        ("size = [1536, 864]", "size = [1536, -1]", "size: must be a width and a height"),
        ("taken = 2026-05-04T19:30:15+00:00", "taken = 'today'", "taken: must be a date and time"),
        ("corners = [[[100.0, ", "corners = [[[nan, ", "corners: must be numbers, 2 x 4 x 2"),
        ('mat = "a4"', 'mat = "a5"', r"\[\[board\]\] mat: must be one of a4, letter, is 'a5'"),
        ("seat = 2", "seat = 1", "one for each of the seats"),
        ("cell_px = 33.30", "cell_px = true", "cell_px: must be a number, is True"),
        ("blur_px = 0.95\n", "", "blur_px is missing"),
        ("focal = [1180.5", "focal = [-1.0", r"\[lens\] focal: must be lengths"),
        ("distortion = [-0.035, ", "distortion = [", r"\[lens\] distortion: must be numbers, 5 of them"),
        ("place = [[20.1, 0.1, 14.5]", "place = [[0.0, 0.0, 0.0]", "says nowhere where the board lies"),
        ("[[board]]", "[[bord]]", "board is missing"),
        ("format = 1", "format = ", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = calibration_text(_table(LENS))
    assert old in text
    path = tmp_path / "calibration.toml"
    path.write_text(text.replace(old, new) if old == "[[board]]" else text.replace(old, new, 1))
    with pytest.raises(CalibrationError, match=says) as refused:
        load_calibration(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r"none\.toml: cannot be read: No such file"):
        load_calibration(tmp_path / "none.toml")
