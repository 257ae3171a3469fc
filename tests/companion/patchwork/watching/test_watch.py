from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.boards import FoundLocator
from calibration.locator import CornerLocator, MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver, UnreadableQuiltError
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Reading
from companion.patchwork.watching.tracking import Displacement
from companion.patchwork.watching.watch import TableWatch
from hardware.ports import Frame
from vision.geometry import Homography

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tests.companion.patchwork.conftest import Scene


def _is_ready(scene: Scene) -> bool:
    return scene.watch.ready


def _is_at_rest(scene: Scene) -> bool:
    return scene.watch.at_rest


@pytest.fixture
def unseen(opening: Scene) -> Scene:
    """A table like that of `opening`, not seen yet."""
    return opening.again()


def test_the_empty_boards_are_met_in_the_first_frames_at_rest(unseen: Scene) -> None:
    table = unseen
    with pytest.raises(UnreadableQuiltError):
        table.comparer.compare(1, 0)
    table.show(1)
    assert not _is_ready(table)
    assert not any(table.watch.readable(seat) for seat in (1, 2))
    table.show(6)
    assert _is_ready(table)
    assert table.watch.frame is not None
    assert table.watch.frame.name == table.frame
    assert all(table.watch.settled(seat) and table.watch.readable(seat) for seat in (1, 2))


class OneBoard(MatLocator):
    """A locator that finds only the first seat's board, as if the other one were covered."""

    def locate(self, image: NDArray[np.uint8]) -> dict[int, Homography]:
        del image
        return {1: Homography(np.array([[40.0, 0.0, 200.0], [0.0, 40.0, 100.0], [0.0, 0.0, 1.0]]))}


def test_no_quilt_is_read_before_both_boards_were_seen_empty() -> None:
    watch = TableWatch(OneBoard(load_mat()))
    picture = np.full((600, 800, 3), 128, np.uint8)
    picture[:100] = 60
    for number in range(8):
        watch.see(Frame(picture, number / 5, str(number)))
    assert watch.settled(1)
    assert not watch.readable(1)


def test_a_lens_that_is_covered_shows_no_empty_boards_and_no_quilt_at_rest(unseen: Scene) -> None:
    table = unseen
    table.show(1)
    known = table.watch.frame
    assert known is not None
    black = np.zeros_like(known.image)
    for number in range(8):
        table.watch.see(Frame(black, known.t_s + number / 5, f"{number}"))
        assert table.watch.blank
        assert not _is_ready(table)
    table.show(6)
    assert not table.watch.blank
    assert _is_ready(table)
    assert table.watch.empty_thumbnail(1).std() > 0
    # The same in mid-game: a blank picture cannot be read.
    for number in range(4):
        table.watch.see(Frame(black, known.t_s + 9 + number / 5, f"{number}"))
    assert not any(table.watch.readable(seat) for seat in (1, 2))
    table.show(3)
    assert _is_at_rest(table)


def test_a_quilt_is_at_rest_again_some_frames_after_a_motion(opening: Scene) -> None:
    opening.show(3)
    piece = opening.lay(1, "bar3", ["B2", "C2", "D2"])
    opening.show(1)
    assert not opening.watch.settled(1)
    assert opening.watch.settled(2), "the other quilt has nothing to do with it"
    assert not _is_at_rest(opening)
    opening.show(3)
    assert opening.watch.settled(1)
    assert _is_at_rest(opening)
    opening.table.lift(1, piece)
    opening.show(4)


def test_rest_is_counted_anew_from_a_press(opening: Scene) -> None:
    opening.show(3)
    opening.watch.restart_rest()
    assert not any(opening.watch.settled(seat) for seat in (1, 2))
    opening.show(3)
    assert all(opening.watch.settled(seat) for seat in (1, 2))


def test_an_unchanged_quilt_looks_unchanged_and_a_laid_patch_changed(opening: Scene) -> None:
    opening.show(3)
    before = np.asarray(opening.comparer.compare(1, 0).ratios).reshape(-1, 11, 11)[0, 1:-1, 1:-1]
    assert before.max() < 0
    piece = opening.lay(1, "bar3", ["B2", "C2", "D2"])
    opening.show(3)
    observation = opening.comparer.compare(1, 0)
    opening.table.lift(1, piece)
    opening.show(3)
    after = np.asarray(observation.ratios).reshape(-1, 11, 11)[0, 1:-1, 1:-1]
    changed = {(int(row), int(column)) for row, column in np.argwhere(after > 1)}
    assert {(1, 1), (1, 2), (1, 3)} <= changed
    assert all(abs(row - 1) <= 1 and column <= 4 for row, column in changed), "and nothing far from it"
    assert observation.frame == f"{int(opening.frame[:6]) - 3:06d}.jpg"


def test_a_kept_profile_lets_another_program_go_on(opening: Scene, unseen: Scene) -> None:
    table, profile = unseen, opening.watch.profile()
    first = TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))
    table.lay(1, "tee", ["D4", "E4", "F4", "E5"])
    table.history.apply(first)
    table.watch.restore(profile, {1: first.cells, 2: 0})
    assert not _is_ready(table)
    table.show(3)
    assert _is_ready(table)
    table.lay(2, "bar3", ["A1", "B1", "C1"])
    verdict = table.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(2, "bar3", mask_of(["A1", "B1", "C1"]))


def _without_mats(table: Scene) -> None:
    table.watch = TableWatch(FoundLocator())
    table.comparer = QuiltComparer(table.watch)
    table.observer = QuiltObserver(table.comparer)
    table.reader = Reader(table.observer)


def test_boards_that_find_themselves_are_waited_for_after_a_restart_and_one_may_have_been_moved(
    scene: Callable[[int], Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = scene(9)
    layout = table.table.layout
    _without_mats(table)
    table.show(6)
    assert _is_ready(table)
    met = table.watch.profile()

    table = table.again()
    first = TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))
    table.lay(1, "tee", ["D4", "E4", "F4", "E5"])
    table.history.apply(first)
    table.table.layout = replace(layout, mats=(layout.mats[0].moved(-900.0, 0.0), layout.mats[1]))
    _without_mats(table)
    table.watch.restore(met, {1: first.cells, 2: 0})
    with monkeypatch.context() as patch:
        # The search has tests of its own and takes a second.
        patch.setattr("calibration.locator.HeldPlaces.search", lambda *_: ())
        table.show(4)
    assert not _is_ready(table)
    assert list(table.watch.displacements) == [Displacement(1, None)], "it was taken away"

    table.table.layout = replace(layout, mats=(layout.mats[0].moved(-20.0, -55.0, 8.0), layout.mats[1]))
    table.show(4)
    assert _is_ready(table)
    told = table.watch.displacements.pop()
    assert told.seat == 1
    assert told.by_mm == pytest.approx(np.hypot(20, 55), abs=1.5)
    table.lay(2, "bar3", ["A1", "B1", "C1"])
    verdict = table.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(2, "bar3", mask_of(["A1", "B1", "C1"]))
    assert table.comparer.compare(1, first.cells).ratios[0, 1:-1, 1:-1].max() < 0


def test_there_is_no_profile_before_the_boards_were_seen(unseen: Scene) -> None:
    unseen.show(1)
    assert set(unseen.watch.profile().empty) < {1, 2}


def test_cells_beyond_the_picture_tell_nothing(opening: Scene) -> None:
    """Cells of a board that is half outside the picture yield no evidence."""
    corners = opening.table.grid_corners_px()[1]
    cut_px = round(float(corners[:, 0].mean()))
    watch = TableWatch(CornerLocator(opening.table.grid_corners_px()))
    for number in range(6):
        image = np.ascontiguousarray(opening.table.frame(number * 0.2)[:, :cut_px])
        watch.see(Frame(image, number * 0.2, f"{number:06d}.jpg"))
    ratios = QuiltComparer(watch).compare(2, 0).ratios[0]
    ratios = ratios if corners[0, 0] < corners[1, 0] else ratios[:, ::-1]
    assert (ratios[1:-1, -3:] == 0).all()
    assert (ratios[1:-1, 1:3] < -1).all()
