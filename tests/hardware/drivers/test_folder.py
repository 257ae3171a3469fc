from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.drivers.folder import FolderCamera
from hardware.ports import CameraError, EndOfFramesError
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(7.0)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    for name, level in (("b.png", 120), ("a.jpg", 60), ("c.JPG", 200)):
        cv2.imwrite(str(tmp_path / name), np.full((24, 32, 3), level, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for level in (30, 90, 150, 210):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    return path


def test_pictures_come_in_the_order_of_their_names_at_the_pace_that_is_asked_for(
    pictures: Path, clock: SimulatedClock
) -> None:
    camera = FolderCamera(pictures, 2.0, clock)
    frames = [camera.capture() for _ in range(3)]
    assert [round(float(frame.image.mean())) for frame in frames] == [60, 120, 200]
    assert [frame.t_s for frame in frames] == [7.5, 8.0, 8.5]
    assert [frame.name for frame in frames] == ["000000.jpg", "000001.jpg", "000002.jpg"]
    assert not frames[0].image.flags.writeable
    with pytest.raises(EndOfFramesError, match="that was the last picture"):
        camera.capture()


def test_a_video_is_shown_to_its_end(video: Path, clock: SimulatedClock) -> None:
    camera = FolderCamera(video, 10, clock)
    levels = [float(camera.capture().image.mean()), *[float(camera.still().image.mean()) for _ in range(3)]]
    assert levels == pytest.approx([30, 90, 150, 210], abs=3)
    with pytest.raises(EndOfFramesError):
        camera.capture()


def test_a_picture_of_another_size_is_an_error(pictures: Path, clock: SimulatedClock) -> None:
    cv2.imwrite(str(pictures / "b.png"), np.zeros((10, 10, 3), np.uint8))
    camera = FolderCamera(pictures, 10, clock)
    camera.capture()
    with pytest.raises(CameraError, match="picture 2 has a different size than the first"):
        camera.capture()


@pytest.mark.parametrize("content", [b"", b"not a picture"])
def test_a_file_that_is_no_picture_is_named(content: bytes, pictures: Path, clock: SimulatedClock) -> None:
    (pictures / "a.jpg").write_bytes(content)
    with pytest.raises(CameraError, match=r"a\.jpg: is not a readable picture"):
        FolderCamera(pictures, 10, clock).capture()


def test_a_folder_without_pictures_and_a_file_that_is_no_video_are_refused(
    tmp_path: Path, clock: SimulatedClock
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no video")
    for name, says in (
        ("empty", r"contains no pictures \(\.jpg"),
        ("text.mp4", "is not a readable video"),
        ("nowhere", "there is no such picture folder or video file"),
    ):
        with pytest.raises(CameraError, match=says):
            FolderCamera(tmp_path / name, 10, clock)


def test_after_close_there_are_no_pictures(pictures: Path, clock: SimulatedClock) -> None:
    camera = FolderCamera(pictures, 10, clock)
    camera.capture()
    camera.close()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()
