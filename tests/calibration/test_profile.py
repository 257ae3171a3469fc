from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.profile import Profile, ProfileError, load_profile, save_profile
from tests.cases import each
from vision.geometry import Homography

SIDE_PX = 48
"""The side of the views here: larger ones take longer to unpack, and many damaged files are read."""


@pytest.fixture(autouse=True, scope="module")
def _small_views() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.profile.VIEW_PX", SIDE_PX)
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
def test_what_was_saved_is_loaded(tmp_path: Path, seed: int) -> None:
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


@each(
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
