from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.ports import Button, EndOfFramesError, Frame, Press
from hardware.recorded import RecordingCamera, RecordingError, RecordingWriter, Tape

if TYPE_CHECKING:
    from pathlib import Path


def _frame(t_s: float, name: str, level: int = 90) -> Frame:
    return Frame(np.full((16, 16, 3), level, np.uint8), t_s, name)


class _OneFrameCamera:
    def __init__(self, frame: Frame) -> None:
        self.frames = [frame]
        self.closed = 0

    def capture(self) -> Frame:
        if not self.frames:
            raise EndOfFramesError("none left")
        return self.frames.pop()

    def close(self) -> None:
        self.closed += 1


def test_a_written_recording_is_played(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "evening", "format = 1\n")
    writer.frame(_frame(0.5, "000000.jpg"))
    writer.press(Press(Button.CONFIRM, 0.75))
    writer.frame(_frame(1.0, "000001", 200))
    writer.press(Press(Button.ADVANCE, 1.5), answers=True)
    tape = Tape(tmp_path / "evening")
    assert tape.frame().name == "000000.jpg"
    assert tape.presses() == (Press(Button.CONFIRM, 0.75),)
    second = tape.frame()
    assert (second.name, second.t_s) == ("000001.jpg", 1.0)
    np.testing.assert_allclose(second.image, 200, atol=2)
    assert tape.presses() == (Press(Button.ADVANCE, 1.5, answers=True),)
    writer.close()
    assert (tmp_path / "evening" / "recording.toml").read_text(encoding="utf-8") == "format = 1\n"


def test_the_truth_of_a_frame_is_written_with_it(tmp_path: Path) -> None:
    spaces = [3, 0]
    writer = RecordingWriter(tmp_path / "evening", "")
    frames = _OneFrameCamera(_frame(0.5, "a"))
    RecordingCamera(frames, writer, lambda: {"markers": list(spaces)}).capture()
    spaces[1] = 4
    writer.frame(_frame(0.7, "b"))
    writer.close()
    tape = Tape(tmp_path / "evening")

    known = [(tape.frame().name, tape.truth) for _ in "ab"]
    assert known == [("a.jpg", {"markers": [3, 0]}), ("b.jpg", None)]


def test_a_press_acted_upon_after_a_later_frame_stays_behind_it(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "evening", "")
    writer.frame(_frame(2.0, "a"))
    writer.press(Press(Button.UNDO, 1.9))
    writer.close()
    tape = Tape(tmp_path / "evening")
    assert tape.presses() == ()
    tape.frame()
    assert tape.presses() == (Press(Button.UNDO, 2.0),)


def test_a_folder_that_holds_a_recording_is_left_alone(tmp_path: Path) -> None:
    RecordingWriter(tmp_path / "evening", "first").close()
    with pytest.raises(RecordingError, match="is not empty"):
        RecordingWriter(tmp_path / "evening", "second")
    assert (tmp_path / "evening" / "recording.toml").read_text(encoding="utf-8") == "first"


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RecordingError, match=r"file.*cannot be written"):
        RecordingWriter(tmp_path / "file" / "evening", "")


def test_after_the_end_nothing_is_written(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "evening", "")
    writer.close()
    writer.close()
    with pytest.raises(RecordingError, match="closed"):
        writer.press(Press(Button.UNDO, 0.0))


@pytest.mark.parametrize("name", ["../up.jpg", "a/b.jpg", "", "x.png"])
def test_a_frame_needs_a_plain_name(tmp_path: Path, name: str) -> None:
    writer = RecordingWriter(tmp_path / "evening", "")
    with pytest.raises(ValueError, match="plain name"):
        writer.frame(_frame(0.0, name))
    writer.close()


def test_a_lost_frames_folder_is_one_clear_error(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "evening", "")
    (tmp_path / "evening" / "frames").rmdir()
    with pytest.raises(RecordingError, match="cannot be written: No such file"):
        writer.frame(_frame(0.0, "a"))
    writer.close()


def test_a_recording_camera_passes_frames_on_and_writes_them(tmp_path: Path) -> None:
    taken = _frame(3.0, "a")
    inner = _OneFrameCamera(taken)
    camera = RecordingCamera(inner, RecordingWriter(tmp_path / "evening", ""))
    assert camera.capture() is taken
    with pytest.raises(EndOfFramesError):
        camera.capture()
    camera.close()
    assert inner.closed == 1
    assert Tape(tmp_path / "evening").frame().t_s == 3.0
