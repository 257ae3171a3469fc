from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from calibration.stored import Profile, load_profile
from companion.patchwork.watching import profiles
from companion.patchwork.watching.profiles import ProfileKeeper, ProfileLostError
from vision.geometry import VIEW_PX, translation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.patchwork.watching.watch import TableWatch


class Watch:
    """A fake watch that has seen boards of one grey."""

    def __init__(self, grey: int, ready: bool = True) -> None:
        self.ready, self.moved_px = ready, 0.0
        self.see(grey)
        self.restored: tuple[Profile, Mapping[int, int]] | None = None

    @property
    def learnt(self) -> bool:
        return self.ready

    def profile(self) -> Profile:
        place = translation(self.moved_px, 0.0)
        return Profile({1: self._empty, 2: self._empty}, {1: place, 2: place})

    def see(self, grey: int) -> None:
        """See the empty boards anew."""
        self._empty = np.full((VIEW_PX, VIEW_PX, 3), grey, np.uint8)

    def restore(self, profile: Profile, quilts: Mapping[int, int]) -> None:
        self.restored = profile, quilts


def _keeper(watch: Watch, path: Path) -> ProfileKeeper:
    return ProfileKeeper(cast("TableWatch", watch), path)


def _kept_grey(path: Path) -> int:
    return int(load_profile(path).empty[2][0, 0, 0])


def test_the_profile_is_written_once_the_boards_have_been_seen(tmp_path: Path) -> None:
    watch, path = Watch(90, ready=False), tmp_path / "profiles" / "1.npz"
    keeper = _keeper(watch, path)
    keeper.keep()
    assert not path.exists()
    watch.ready = True
    keeper.keep()
    assert _kept_grey(path) == 90
    watch.see(30)
    keeper.keep()
    assert _kept_grey(path) == 90, "the boards are no longer empty"


def test_the_first_decision_need_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch, path = Watch(90, ready=False), tmp_path / "1.npz"
    keeper = _keeper(watch, path)
    assert not keeper.tick(0.0)
    watch.ready = True
    assert keeper.tick(0.2)
    assert _kept_grey(path) == 90
    monkeypatch.setattr(profiles, "save_profile", pytest.fail)
    watch.moved_px = 0.4
    keeper.keep()


@pytest.mark.parametrize(("grey", "moved_px"), [(30, 0.0), (90, 12.0)], ids=["cleared", "moved"])
def test_boards_that_changed_before_the_first_decision_are_kept_as_they_are_then(
    grey: int, moved_px: float, tmp_path: Path
) -> None:
    watch, path = Watch(90), tmp_path / "1.npz"
    keeper = _keeper(watch, path)
    keeper.tick(0.0)
    watch.see(grey)
    watch.moved_px = moved_px
    keeper.keep()
    assert _kept_grey(path) == grey
    assert load_profile(path).places[1].matrix[0, 2] == moved_px


def test_the_profile_of_an_earlier_game_of_that_number_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "1.npz"
    _keeper(Watch(10), path).keep()
    _keeper(Watch(200), path).keep()
    assert _kept_grey(path) == 200


def test_a_game_goes_on_with_its_own_profile_and_keeps_it(tmp_path: Path) -> None:
    path, watch = tmp_path / "1.npz", Watch(77)
    _keeper(Watch(10), path).keep()
    keeper = _keeper(watch, path)
    keeper.restore({1: 7, 2: 0})
    keeper.keep()
    assert watch.restored is not None
    profile, quilts = watch.restored
    assert (int(profile.empty[1].mean()), quilts) == (10, {1: 7, 2: 0})
    assert _kept_grey(path) == 10


@pytest.mark.parametrize(("content", "says"), [(None, "No such file"), (b"damaged", "damaged"), (b"", "damaged")])
def test_a_profile_that_is_lost_is_one_line_that_says_what_to_do(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "3.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProfileLostError, match=rf"3\.npz: .*{says}.*start again with --new") as caught:
        _keeper(Watch(0), path).restore({1: 1, 2: 0})
    assert "\n" not in str(caught.value)


def test_a_calibrated_table_goes_on_without_the_games_own_profile(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watch, path = Watch(0), tmp_path / "3.npz"
    keeper = _keeper(watch, path)
    keeper.restore({1: 1, 2: 0}, Watch(55).profile())
    assert watch.restored is not None
    assert int(watch.restored[0].empty[1].mean()) == 55
    assert "other empty boards take its place" in caplog.text
    _keeper(Watch(10), path).keep()
    keeper = _keeper(watch, path)
    keeper.restore({1: 1, 2: 0}, Watch(55).profile())
    assert int(watch.restored[0].empty[1].mean()) == 10, "its own is nearer to the truth"


def test_a_profile_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keeper = _keeper(Watch(0), tmp_path / "file" / "1.npz")
    keeper.tick(0.0)
    with pytest.raises(ProfileLostError, match="cannot be written"):
        keeper.keep()
