"""Test the calibration file, the profile of an evening, and the table that they describe."""

from __future__ import annotations

import io
import pickle
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.lens import Lens, StraightenedCamera
from calibration.locator import MatLocator
from calibration.mat import load_mats
from calibration.stored import (
    BoardCalibration,
    CalibratedLocator,
    CalibrationError,
    Profile,
    ProfileError,
    TableCalibration,
    calibration_text,
    load_calibration,
    load_profile,
    save_calibration,
    save_profile,
    straightened,
)
from companion.calibrating.configured import read_corners
from hardware.simulated.calibrating import SettingUp
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import normal
from hardware.simulated.devices import SimulatedClock
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, Homography, translation

if TYPE_CHECKING:
    from numpy.typing import NDArray

BARREL_LENS = Lens((1536, 864), (1182.6, 1182.6), (767.5, 431.5), (-0.035, 0.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(3, normal())


@pytest.fixture(scope="module")
def frame(table: SimulatedTable) -> NDArray[np.uint8]:
    return table.frame(0.0)


def _calibration(table: SimulatedTable, place: Homography, lens: Lens | None = None) -> TableCalibration:
    boards = {
        seat: BoardCalibration("a4", place, corners, 0.1, 0.06, 33.0, 0.9, 210.0)
        for seat, corners in enumerate(table.grid_corners_px(), start=1)
    }
    return TableCalibration(datetime(2026, 5, 4, tzinfo=UTC), (1536, 864), boards, lens)


def test_boards_are_where_they_lay_on_their_mats(table: SimulatedTable, frame: NDArray[np.uint8]) -> None:
    mats = MatLocator(*load_mats())
    moved = translation(3.0, -2.0).after(mats.place(1))
    locator = CalibratedLocator(_calibration(table, moved))
    for seat in (1, 2):
        mats.put(seat, moved)
    expected = mats.locate(frame)
    found = locator.locate(frame)
    for seat in (1, 2):
        assert found[seat].residuals(GRID_CORNERS, expected[seat](GRID_CORNERS)).max() < 1e-6
        assert locator.place(seat) is moved
    assert not locator.is_held


@pytest.mark.parametrize("lens", [None, BARREL_LENS], ids=["no-lens", "lens"])
def test_without_mats_the_written_corners_are_held(table: SimulatedTable, lens: Lens | None) -> None:
    locator = CalibratedLocator(_calibration(table, MatLocator(*load_mats()).place(1), lens))
    bare = np.full((864, 1536, 3), 100, np.uint8)
    found = locator.locate(bare)
    for seat, corners in enumerate(table.grid_corners_px(), start=1):
        expected = corners if lens is None else lens.to_straight(corners)
        assert found[seat].residuals(GRID_CORNERS, expected).max() < 0.01
    assert locator.is_held
    better = found[1].after(translation(0.1, 0.0))
    locator.adopt(1, better)
    assert locator.locate(bare)[1] is better


def test_mats_that_are_covered_later_do_not_change_the_way(table: SimulatedTable, frame: NDArray[np.uint8]) -> None:
    locator = CalibratedLocator(_calibration(table, MatLocator(*load_mats()).place(1)))
    before = locator.locate(frame)
    after = locator.locate(np.full_like(frame, 100))
    assert after[1].residuals(GRID_CORNERS, before[1](GRID_CORNERS)).max() < 1e-6
    assert not locator.is_held


def test_a_camera_is_straightened_only_where_its_lens_is_known(table: SimulatedTable) -> None:
    camera = SimulatedCamera(SettingUp(1), SimulatedClock(), 5.0)
    place = MatLocator(*load_mats()).place(1)
    assert straightened(camera, None) is camera
    assert straightened(camera, _calibration(table, place)) is camera
    assert isinstance(straightened(camera, _calibration(table, place, BARREL_LENS)), StraightenedCamera)


SIDE_PX = 48
"""The side of the views here: larger ones take longer to unpack, and many damaged files are read."""


@pytest.fixture(autouse=True, scope="module")
def _small_views() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.stored.VIEW_PX", SIDE_PX)
        yield


def _profile(seed: int = 0) -> Profile:
    """Return a profile that makes a short file: plain views with a few specks."""
    rng = np.random.default_rng(seed)
    empty = {}
    for seat in (1, 2):
        empty[seat] = np.full((SIDE_PX, SIDE_PX, 3), rng.integers(0, 256), np.uint8)
        empty[seat][tuple(rng.integers(0, SIDE_PX, (2, 30)))] = rng.integers(0, 256, 3)
    places = {seat: Homography(np.eye(3) + rng.uniform(-0.2, 0.2, (3, 3))) for seat in (1, 2)}
    return Profile(empty, places)


def _assert_equal(one: Profile, other: Profile) -> None:
    for seat in (1, 2):
        np.testing.assert_array_equal(one.empty[seat], other.empty[seat])
        assert one.empty[seat].dtype == np.uint8
        np.testing.assert_array_equal(one.places[seat].matrix, other.places[seat].matrix)
        assert one.places[seat].matrix.dtype == np.float64


shared = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("seed", range(4))
def test_a_saved_profile_is_loaded_unchanged(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "new" / "folder" / "table.profile"
    save_profile(_profile(seed), path)
    _assert_equal(load_profile(path), _profile(seed))
    assert [each.name for each in path.parent.iterdir()] == ["table.profile"]


def test_saving_again_replaces_the_old_profile(tmp_path: Path) -> None:
    path = tmp_path / "table.profile"
    save_profile(_profile(1), path)
    save_profile(_profile(2), path)
    _assert_equal(load_profile(path), _profile(2))


def test_a_save_that_is_cut_short_leaves_the_old_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.profile"
    save_profile(_profile(1), path)

    def power_cut(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", power_cut)
    with pytest.raises(ProfileError, match=r"table\.profile: cannot be written: No space left on device"):
        save_profile(_profile(2), path)
    _assert_equal(load_profile(path), _profile(1))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "table.profile"
    save_profile(_profile(), path)
    return path.read_bytes()


@shared
@given(place=st.floats(0, 1, exclude_max=True), flipped=st.integers(1, 255))
def test_damage_at_any_byte_is_noticed_or_does_no_harm(
    tmp_path: Path, content: bytes, place: float, flipped: int
) -> None:
    damaged = bytearray(content)
    damaged[int(place * len(content))] ^= flipped
    _assert_refused_or_the_same(tmp_path, bytes(damaged))


@pytest.mark.parametrize("bit", [1, 8, 64])
def test_damage_in_the_archives_own_bytes_is_noticed_or_does_no_harm(tmp_path: Path, content: bytes, bit: int) -> None:
    heads = [content.find(mark, start) for mark in (b"PK\3\4", b"PK\1\2", b"PK\5\6") for start in (0, 100)]
    for head in {head for head in heads if head >= 0}:
        for place in range(head, min(head + 70, len(content))):
            damaged = bytearray(content)
            damaged[place] ^= bit
            _assert_refused_or_the_same(tmp_path, bytes(damaged))


@shared
@given(kept=st.floats(0, 1, exclude_max=True))
def test_a_part_of_a_profile_is_none(tmp_path: Path, content: bytes, kept: float) -> None:
    path = tmp_path / "part.profile"
    path.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(ProfileError, match=r"part\.profile: "):
        load_profile(path)


@shared
@given(junk=st.binary(max_size=200), prefix=st.sampled_from([b"", b"PK\3\4", b"\x93NUMPY\1\0", b"PK\5\6" + b"\0" * 18]))
def test_any_bytes_are_refused_in_one_line(tmp_path: Path, junk: bytes, prefix: bytes) -> None:
    path = tmp_path / "junk.profile"
    path.write_bytes(prefix + junk)
    with pytest.raises(ProfileError) as refused:
        load_profile(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_a_profile_that_may_take_gigabytes_to_unpack_is_refused_by_its_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.profile"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("format.npy", b"x")
    monkeypatch.setattr(zipfile.ZipFile, "testzip", lambda _: pytest.fail("it is unpacked"))
    with pytest.raises(ProfileError, match="is damaged"):
        load_profile(path)


def _assert_refused_or_the_same(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "damaged.profile"
    path.write_bytes(damaged)
    try:
        loaded = load_profile(path)
    except ProfileError as error:
        assert str(error).startswith(f"{path}: ")  # noqa: PT017 - either outcome is right
    else:
        _assert_equal(loaded, _profile())


def _arrays(**changes: Any) -> dict[str, Any]:
    profile = _profile()
    arrays: dict[str, Any] = {"format": np.array(1)}
    for seat in (1, 2):
        arrays |= {f"empty{seat}": profile.empty[seat], f"place{seat}": profile.places[seat].matrix}
    return {name: value for name, value in {**arrays, **changes}.items() if value is not None}


def _written(path: Path, arrays: dict[str, Any]) -> Path:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    path.write_bytes(stream.getvalue())
    return path


def test_the_arrays_of_this_test_are_a_profile(tmp_path: Path) -> None:
    _assert_equal(load_profile(_written(tmp_path / "p", _arrays())), _profile())


@pytest.mark.parametrize(
    "changes",
    [
        {"format": np.array(2)},
        {"format": np.array([1])},
        {"format": np.array("1")},
        {"format": None},
        {"empty1": None},
        {"place2": None},
        {"empty2": np.zeros((SIDE_PX, SIDE_PX), np.uint8)},
        {"empty2": np.zeros((SIDE_PX + 1, SIDE_PX, 3), np.uint8)},
        {"empty1": np.full((SIDE_PX, SIDE_PX, 3), np.nan)},
        {"place1": np.eye(4)},
        {"place1": np.array([["x"] * 3] * 3)},
        {"place1": np.full((3, 3), np.nan)},
        {"place2": np.zeros((3, 3))},
    ],
    ids=str,
)
def test_arrays_of_another_form_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ProfileError, match=r"is not a profile of this version|where a board lies"):
        load_profile(_written(tmp_path / "p", _arrays(**changes)))


def test_nothing_in_a_profile_is_ever_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "sprung",)

    (tmp_path / "bare").write_bytes(pickle.dumps(Trap()))
    boxed = _written(tmp_path / "boxed", _arrays(place1=np.array([Trap()] * 9, object).reshape(3, 3)))
    for path in (tmp_path / "bare", boxed):
        with pytest.raises(ProfileError):
            load_profile(path)
    assert not (tmp_path / "sprung").exists()


def test_a_missing_profile_and_a_folder_are_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"gone\.profile: cannot be read: No such file"):
        load_profile(tmp_path / "gone.profile")
    with pytest.raises(ProfileError, match="cannot be read: Is a directory"):
        load_profile(tmp_path)
    with pytest.raises(ProfileError, match="cannot be written"):
        save_profile(_profile(), tmp_path)


LENS = Lens((1536, 864), (1180.5, 1181.25), (767.0, 431.5), (-0.035, 0.002, 0.0001, -0.0002, 0.0))


def _board(shift: float = 0.0) -> BoardCalibration:
    corners = np.array([[100.0, 110.0], [400.0, 112.0], [402.5, 410.25], [98.0, 408.0]]) + shift
    place = np.array([[20.1, 0.1, 14.5], [-0.1, 20.2, 58.0], [1e-5, -2e-5, 1.0]])
    return BoardCalibration("a4", Homography(place), corners, 0.1, 0.06, 33.3, 0.95, 212.0)


def _table(lens: Lens | None = None) -> TableCalibration:
    taken = datetime(2026, 5, 4, 19, 30, 15, tzinfo=UTC)
    return TableCalibration(taken, (1536, 864), {1: _board(), 2: _board(700.0)}, lens, None if lens is None else 0.14)


@pytest.mark.parametrize("lens", [None, LENS], ids=["no-lens", "lens"])
def test_a_saved_calibration_is_loaded_unchanged(tmp_path: Path, lens: Lens | None) -> None:
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


@pytest.mark.parametrize(
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
