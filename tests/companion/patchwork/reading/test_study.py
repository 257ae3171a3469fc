"""Test what is kept of the latest looks: readable pictures of the table alone."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.study import LatestLooks, Study, draw_table, numbered_looks
from tests.companion.patchwork.conftest import Scene, Ticks
from vision.geometry import through_corners
from vision.table.plane import PlacedPicture

CORNERS = [[200, 200], [380, 200], [380, 380], [200, 380]]


@pytest.fixture(scope="module")
def study() -> Study:
    """A look at a quilt on which a patch was laid."""
    scene, studies = Scene(), list[Study]()
    scene.show(6)
    scene.lay(1, "tee", ("D4", "E4", "F4", "E5"))
    scene.reader = Reader(scene.observer, studied=studies.append)
    scene.read()
    return studies[0]


def test_a_look_is_written_with_the_table_around_it_when_the_next_frame_comes(study: Study, tmp_path: Path) -> None:
    frames = Ticks()
    looks = LatestLooks(tmp_path / "looks", 3, frames.append)
    looks.note(study)
    assert not (tmp_path / "looks").exists()
    frames.tick(0.0)
    frames.tick(0.2)
    assert [path.name for path in sorted((tmp_path / "looks").iterdir())] == ["000001-look.jpg", "000001-table.jpg"]
    for path in (tmp_path / "looks").iterdir():
        assert cv2.imread(str(path)) is not None


def test_the_oldest_looks_are_deleted_also_those_of_an_earlier_start(study: Study, tmp_path: Path) -> None:
    frames = Ticks()
    for _ in range(5):
        looks = LatestLooks(tmp_path, 2, frames.append)
        looks.note(study)
        frames.tick(0.0)
    assert sorted(numbered_looks(tmp_path)) == [4, 5]
    assert len(list(tmp_path.iterdir())) == 4


def test_of_looks_in_quick_succession_the_first_and_the_last_are_kept(study: Study, tmp_path: Path) -> None:
    frames = Ticks()
    looks = LatestLooks(tmp_path, 9, frames.append)
    for number in range(15):
        looks.note(study)
        frames.tick(0.2 * number)
    assert sorted(numbered_looks(tmp_path)) == [1, 2]
    frames.tick(5.0)
    assert sorted(numbered_looks(tmp_path)) == [1, 2, 3]


def test_no_look_is_kept_if_none_is_wanted(study: Study, tmp_path: Path) -> None:
    frames = Ticks()
    looks = LatestLooks(tmp_path / "looks", 0, frames.append)
    looks.note(study)
    frames.tick(0.0)
    assert not (tmp_path / "looks").exists()


def test_a_folder_that_cannot_be_written_to_disturbs_no_game(study: Study, tmp_path: Path) -> None:
    frames = Ticks()
    (tmp_path / "looks").write_text("a file is in the way")
    looks = LatestLooks(tmp_path / "looks", 2, frames.append)
    looks.note(study)
    frames.tick(0.0)
    assert (tmp_path / "looks").read_text() == "a file is in the way"


def test_the_table_stays_sharp_and_nothing_else() -> None:
    image = np.random.default_rng(1).integers(0, 256, (600, 900, 3), np.uint8)
    picture = PlacedPicture(image, {1: through_corners([[0, 0], [9, 0], [9, 9], [0, 9]], CORNERS)})
    drawn = draw_table(picture)
    assert drawn.shape == image.shape
    assert (drawn[200:380, 200:380] == image[200:380, 200:380]).all()
    beside = drawn[:, 450:].astype(int)
    block = 900 // 24
    assert (np.abs(np.diff(beside, axis=1)).sum(axis=(0, 2)) > 0).sum() <= 450 // block + 1, "one colour a block"


def test_of_a_picture_without_boards_nothing_is_sharp() -> None:
    image = np.random.default_rng(1).integers(0, 256, (600, 900, 3), np.uint8)
    drawn = draw_table(PlacedPicture(image, {}))
    assert drawn.std() < 0.2 * image.std()


def test_a_large_picture_is_reduced() -> None:
    image = np.zeros((2592, 4608, 3), np.uint8)
    assert draw_table(PlacedPicture(image, {})).shape == (720, 1280, 3)
