from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from companion.games.patchwork.decisions import Advance, PlaceLeather
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.watching.profiles import MARGIN_CELLS, SIDE_PX, EndPictures, quilt_path, straight_on
from companion.play.events import LookCalledOff
from hardware.ports import Frame
from tests.companion.patchwork.conftest import Ticks
from vision.geometry import Homography

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

PLACE = Homography(np.array([[20.0, 0.0, 30.0], [0.0, 20.0, 40.0], [0.0, 0.0, 1.0]]))


def chequered() -> NDArray[np.uint8]:
    """Return a picture of a board of 20 px cells, each of a colour of its own."""
    image = np.full((260, 260, 3), 128, np.uint8)
    for row in range(9):
        for column in range(9):
            image[40 + 20 * row : 60 + 20 * row, 30 + 20 * column : 50 + 20 * column] = (row * 25, column * 25, 200)
    return image


class Watch:
    """A fake watch over one board, with or without a hand over it."""

    def __init__(self) -> None:
        self.frame: Frame | None = Frame(chequered(), 1.0, "1")
        self.places = {1: PLACE, 2: PLACE}
        self.still = True

    def settled(self, seat: int) -> bool:
        return self.still and seat in self.places


def brightness(path: Path) -> float:
    """Return the mean brightness of a picture in a file."""
    picture = cv2.imread(str(path))
    assert picture is not None
    return float(picture.mean())


def ended() -> History:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.finished:
        seat = history.state.turn or 0
        quilt = history.state.seat(seat).quilt
        free = ~quilt & (quilt + 1)
        history.apply(PlaceLeather(seat, free) if history.state.leather_due else Advance(seat))
    return history


def test_a_board_is_seen_straight_on_with_a_little_of_its_rim() -> None:
    picture = straight_on(chequered(), PLACE)
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)
    cell = SIDE_PX / (9 + 2 * MARGIN_CELLS)
    for row, column in ((0, 0), (0, 8), (8, 0), (4, 5)):
        y, x = (round((MARGIN_CELLS + at + 0.5) * cell) for at in (row, column))
        assert picture[y, x].tolist() == pytest.approx([row * 25, column * 25, 200], abs=3)
    assert picture[2, 2].tolist() == [128, 128, 128]


def test_pictures_are_kept_at_the_end_and_again_when_hands_are_away(tmp_path: Path) -> None:
    watch: Any = Watch()
    frames = Ticks()
    EndPictures(watch, tmp_path / "pictures", 7, frames.append)(LookCalledOff(ended().state))
    watch.still = False
    watch.places = {1: PLACE}
    frames.tick(1.0)
    first = quilt_path(tmp_path / "pictures", 7, 1)
    assert first.exists()
    assert not quilt_path(tmp_path / "pictures", 7, 2).exists()

    watch.frame = Frame(np.full((260, 260, 3), 60, np.uint8), 2.0, "2")
    frames.tick(2.0)
    assert brightness(first) > 70, "a hand may be over it still"
    watch.still, watch.places = True, {1: PLACE, 2: PLACE}
    frames.tick(3.0)
    assert brightness(first) == pytest.approx(60, abs=2)
    watch.frame = Frame(chequered(), 4.0, "3")
    frames.tick(4.0)
    assert brightness(first) == pytest.approx(60, abs=2)
    assert quilt_path(tmp_path / "pictures", 7, 2).exists()


def test_an_end_that_is_taken_back_is_pictured_anew(tmp_path: Path) -> None:
    watch: Any = Watch()
    history, frames = ended(), Ticks()
    end_pictures = EndPictures(watch, tmp_path, 7, frames.append)
    end_pictures(LookCalledOff(history.state))
    frames.tick(1.0)
    last = history.undo()
    end_pictures(LookCalledOff(history.state))
    quilt_path(tmp_path, 7, 1).unlink()
    frames.tick(2.0)
    assert not quilt_path(tmp_path, 7, 1).exists()
    history.apply(last)
    end_pictures(LookCalledOff(history.state))
    frames.tick(3.0)
    assert quilt_path(tmp_path, 7, 1).exists()


def test_a_full_disk_ends_no_evening(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    watch: Any = Watch()
    frames = Ticks()
    EndPictures(watch, tmp_path / "file", 7, frames.append)(LookCalledOff(ended().state))
    frames.tick(1.0)
    assert "cannot be written" in caplog.text
